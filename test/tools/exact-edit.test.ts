import { applyPatch } from 'diff'
import fc from 'fast-check'
import { test } from 'tap'
import { applyEdit } from '../../src/tools/exact-edit.ts'
import { explainNoMatch } from '../../src/tools/explain-no-match.ts'
import { unifiedDiff } from '../../src/tools/unified-diff.ts'

/** Short texts in which things repeat, with every kind of line ending and what replace() would expand. */
const piece = fc.constantFrom('a', 'b', 'ab', '\n', '\r\n', '\r', ' ', '\t', '$&', '$1', '语', '😀')
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
const newPiece = fc.array(piece.filter((part) => part !== '\r'), { maxLength: 6 }).map((pieces) => pieces.join(''))
const unixText = fc.array(fc.constantFrom('a', 'b', 'c', '\n', ' ', '$&'), { maxLength: 14 }).map((pieces) => pieces.join(''))

test('an edit changes its place and nothing else', async (t) => {
  fc.assert(fc.property(text, text.filter((middle) => middle !== ''), text, newPiece, (head, middle, tail, newText) => {
    // A CRLF is one thing: half of it is not looked for.
    fc.pre(!middle.endsWith('\r') && !(head.endsWith('\r') && middle.startsWith('\n')))
    const content = head + middle + tail
    const outcome = applyEdit(content, { oldText: middle, newText })
    if (outcome.kind !== 'applied') return outcome.kind !== 'missing'
    const unix = (value: string) => value.replaceAll('\r\n', '\n')
    // Where `middle` is unique it is at `head`, and only endings of the new text may differ from what was given.
    return outcome.text.startsWith(head) && outcome.text.endsWith(tail) &&
      unix(outcome.text.slice(head.length, outcome.text.length - tail.length)) === unix(newText)
  }), { numRuns: 5_000 })
  t.pass()
})

test('an edit with LF does to a CRLF file what it does to an LF file', async (t) => {
  const crlf = (value: string) => value.replaceAll('\n', '\r\n')
  fc.assert(fc.property(unixText, unixText.filter((old) => old !== ''), unixText, fc.boolean(), (content, oldText, newText, replaceAll) => {
    fc.pre(content.includes('\n'))
    const unix = applyEdit(content, { oldText, newText, replaceAll })
    const windows = applyEdit(crlf(content), { oldText, newText, replaceAll })
    return unix.kind === windows.kind && (unix.kind !== 'applied' || windows.kind !== 'applied' || windows.text === crlf(unix.text))
  }), { numRuns: 5_000 })
  t.pass()
})

test('a diff of an edit, applied to the file, gives the edited file byte for byte', async (t) => {
  fc.assert(fc.property(text, text, (before, after) => {
    const diff = unifiedDiff('f', before, after)
    return diff === '' ? before === after : applyPatch(before, diff, { autoConvertLineEndings: false }) === after
  }), { numRuns: 2_000 })
  t.pass()
})

test('overlapping matches are not unique, and their lines are told', async (t) => {
  t.same(applyEdit('aaa', { oldText: 'aa', newText: 'b' }), { kind: 'ambiguous', lines: [1, 1] })
  t.same(applyEdit('x\ny\nx\n', { oldText: 'x', newText: 'z' }), { kind: 'ambiguous', lines: [1, 3] })
  t.same(applyEdit('x\r\ny\r\nx\r\ny\r\n', { oldText: 'x\ny', newText: 'z' }), { kind: 'ambiguous', lines: [1, 3] })
})

test('replaceAll replaces every place, from left to right', async (t) => {
  t.same(applyEdit('aaa x a', { oldText: 'a', newText: '$&', replaceAll: true }), { kind: 'applied', text: '$&$&$& x $&', lines: [1, 1, 1, 1] })
  t.same(applyEdit('aaa', { oldText: 'aa', newText: 'b', replaceAll: true }), { kind: 'applied', text: 'ba', lines: [1] })
})

test('a replacement that would not fit into memory is refused', async (t) => {
  t.same(applyEdit('a'.repeat(50_000), { oldText: 'a', newText: 'b'.repeat(10_000), replaceAll: true }), { kind: 'too_large' })
  t.same(applyEdit('a'.repeat(1_000_000), { oldText: 'a', newText: 'b', replaceAll: true }), { kind: 'too_large' })
})

test('new text that has CRLF itself is taken as it is; CRLF in the old text matches LF in the file', async (t) => {
  t.same(applyEdit('a\nb\n', { oldText: 'a\nb', newText: 'x\r\ny' }), { kind: 'applied', text: 'x\r\ny\n', lines: [1] })
  t.same(applyEdit('a\nb\n', { oldText: 'a\r\nb', newText: 'x\r\ny' }), { kind: 'applied', text: 'x\ny\n', lines: [1] })
  t.same(applyEdit('a\r\nb\r\n', { oldText: 'b', newText: 'b\nc' }), { kind: 'applied', text: 'a\r\nb\r\nc\r\n', lines: [2] })
})

test('an edit that is not found is explained by the nearest place', async (t) => {
  const file = 'func f() {\n\treturn 1\n}\n\nconst name = "x"\n'
  t.match(explainNoMatch(file, 'func f() {\n    return 1', ''), /whitespace: the file is indented with tabs\. At line 1 the file has: "func f\(\) \{\\n\\treturn 1"/)
  t.match(explainNoMatch('a\n  b\n', 'a\n\tb', ''), /indented with spaces, not tabs/)
  t.match(explainNoMatch('a  \nb\n', 'a\nb', ''), /whitespace at line ends/)
  t.match(explainNoMatch(file, '     1\tfunc f() {\n     2\t\treturn 1', ''), /line number prefixes/)
  t.match(explainNoMatch(file, 'const name = “x”', ''), /look alike/)
  t.match(explainNoMatch(file, 'CONST name', ''), /upper and lower case/)
  t.match(explainNoMatch(file, 'const nome = "y"', ''), /nearest place is this\. At line 5 the file has: "const name = \\"x\\""/)
  t.match(explainNoMatch(file, 'old', 'return 1'), /new text is there already/)
  t.match(explainNoMatch(file, 'zzzzzzzzzzzzzzzzzzzz', ''), /Nothing in the file is like it/)
  t.match(explainNoMatch('', 'a', ''), /Nothing/)
})

test('the explanation of a large file takes no long time', async (t) => {
  const large = Array.from({ length: 100_000 }, (_, index) => `this is line number ${index % 977} of a long file, nothing else`).join('\n')
  const started = performance.now()
  explainNoMatch(large, 'this is lane nomber 1000 if a lung file, nathing alse\nand another', '')
  t.ok(performance.now() - started < 5_000)
})
