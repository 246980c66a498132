import { createTwoFilesPatch } from 'diff'
import fc from 'fast-check'
import { test } from 'tap'
import { blocksOf } from '../../web/src/text/blocks.ts'
import { countsOf, parseDiff, wholeDiff } from '../../web/src/text/diff.ts'
import { escaped, marked } from '../../web/src/text/marks.ts'
import { visible } from '../../src/tools/visible.ts'

test('lines of a diff have their signs and numbers', async (t) => {
  const lines = parseDiff('--- a/x\n+++ b/x\n@@ -2,2 +2,3 @@\n same\n-old\n+new\n+--- more\n\\ No newline at end of file\n')
  t.strictSame(lines.map(({ kind, before, after }) => [kind, before, after]), [
    ['file', null, null], ['file', null, null], ['hunk', null, null], ['same', 2, 2], ['removed', 3, null], ['added', null, 3], ['added', null, 4], ['note', null, null]
  ])
  t.strictSame(countsOf(lines), { added: 2, removed: 1 })
})

test('a whole diff leads from the one file to the other, whatever the two are', async (t) => {
  const file = fc.array(fc.constantFrom('a', 'b', '', 'c c', '--- d'), { maxLength: 40 }).map((lines) => lines.map((line) => `${line}\n`).join(''))
  fc.assert(fc.property(file, file, (before, after) => {
    const lines = wholeDiff(createTwoFilesPatch('a', 'b', before, after), before)
    const side = (gone: string): string => lines.filter(({ kind }) => kind !== gone && kind !== 'note').map(({ text }) => `${text}\n`).join('')
    return side('added') === before && side('removed') === after
  }))
  t.pass()
})

test('marks are those that the server makes', async (t) => {
  const text = 'a\u202Eb\u200Bc\u00A0d\tplain é 🙂\u0007'
  t.equal(marked(text), visible(text).text)
})

test('blocks of a text are the text, and are not cut within code', async (t) => {
  const text = `${'word '.repeat(500)}\n\n\`\`\`\n${'code\n\n'.repeat(600)}\`\`\`\n\n${'end '.repeat(400)}`
  const blocks = blocksOf(text)
  t.equal(blocks.join(''), text)
  t.ok(blocks.length > 1)
  for (const block of blocks) t.equal((block.match(/```/g) ?? []).length % 2, 0)
})

test('JSON whose unseen characters are escaped shows them all, and means the same', async (t) => {
  const value = { text: 'a\u202Eb\u200B\u00A0c\u{E0041}\\\u2028"', tab: '\t', plain: 'é 🌊' }
  const json = escaped(JSON.stringify(value, null, 2))
  t.strictSame(JSON.parse(json), value)
  t.equal(marked(json), json)
  t.match(json, /a\\u202eb\\u200b\\u00a0c\\udb40\\udc41/)
})
