import { test } from 'tap'
import { en, type TextKey } from '../../web/src/i18n/en.ts'
import { fr } from '../../web/src/i18n/fr.ts'

const keys = Object.keys(en) as TextKey[] // its own keys
const theSame = ['sessions', 'instructions', 'conversation', 'agent', 'arguments', 'round'] // in both languages
const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()

test('every text has its French one, with the same places to fill in', async (t) => {
  t.strictSame(Object.keys(fr).sort(), keys.toSorted())
  t.strictSame(keys.filter((key) => en[key] === fr[key]), theSame, 'nothing is left in English')
  for (const key of keys) {
    t.ok(fr[key].trim() !== '', key)
    t.strictSame(placeholders(fr[key]), placeholders(en[key]), key)
  }
})
