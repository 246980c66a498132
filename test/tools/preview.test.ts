import { test } from 'tap'
import { previewLengthMax, previewNotesMax, shownLengthMax } from '../../src/limits.ts'
import type { Preview } from '../../src/protocol/plan.ts'
import { completePreview, cutText, shortenPreview } from '../../src/tools/preview.ts'

const whole: Preview = {
  summary: 'Edit a', paths: ['a'], diff: '-a\n+b\n', content: null, command: null, notes: ['note'], truncated: false, unusualCharacters: false
}

test('a short preview stays as it is in an event', async (t) => {
  t.same(shortenPreview(whole), whole)
})

test('shownLengthMax, previewNotesMax: each long text is cut, and it says so', async (t) => {
  const long = 'x'.repeat(shownLengthMax + 1)
  for (const part of [{ diff: long }, { command: long }, { content: long }, { summary: long }, { notes: [long] }, { notes: Array<string>(previewNotesMax + 1).fill('n') }]) {
    const short = shortenPreview({ ...whole, ...part })
    t.equal(short.truncated, true, Object.keys(part)[0] ?? '')
    t.ok(JSON.stringify(short).length < shownLengthMax + 300)
  }
})

test('a cut does not split a character', async (t) => {
  t.equal(cutText('a😀', 2), 'a')
  t.equal(cutText('a😀', 3), 'a😀')
  t.notMatch(shortenPreview({ ...whole, diff: 'x' + '😀'.repeat(shownLengthMax) }).diff, /\p{Surrogate}/u)
})

test('previewLengthMax: even a whole preview has a bound, and says when it is reached', async (t) => {
  const preview = completePreview('a_tool', { paths: ['p'], command: '\u200b'.repeat(previewLengthMax) })
  t.equal(preview.truncated, true)
  t.equal(preview.command?.length, previewLengthMax)
})

test('every text of a plan is made visible, and one unusual character flags the preview', async (t) => {
  const texts = { summary: 's\u202e', paths: ['p\u202e'], diff: 'd\u202e', content: 'c\u202e', command: 'x\u202e', notes: ['n\u202e'] }
  const preview = completePreview('a_tool', { paths: ['p'], preview: texts })
  t.notMatch(JSON.stringify(preview), /\u202e/)
  t.equal(preview.unusualCharacters, true)
  t.equal(completePreview('a_tool', { paths: ['p\u200b'] }).unusualCharacters, true, 'a path alone')
  t.same(completePreview('a_tool', { paths: ['p'], command: 'ls' }), {
    summary: 'a_tool p', paths: ['p'], diff: null, content: null, command: 'ls', notes: [], truncated: false, unusualCharacters: false
  })
})
