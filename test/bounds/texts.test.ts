import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { test } from 'tap'
import * as limits from '../../src/limits.ts'
import { commandCall, decide, deny, fileCall } from '../policy/calls.ts'
import { toolSession } from '../tools/tool-session.ts'
import { explainNoMatch } from '../../src/tools/explain-no-match.ts'
import { fitLines } from '../../src/tools/fit-lines.ts'
import { unifiedDiff } from '../../src/tools/unified-diff.ts'
import { visible } from '../../src/tools/visible.ts'
import { splitLines, lineChanges, hunks } from '../../src/workspace/diff/line-changes.ts'
import { nearest } from '../../src/workspace/near-names.ts'
import { excerptOf } from '../../src/workspace/search/excerpt.ts'
import { IgnoreFile } from '../../src/workspace/search/gitignore.ts'
import { RipgrepReader } from '../../src/workspace/search/ripgrep-json.ts'

const lines = (count: number, text: (n: number) => string) => Array.from({ length: count }, (_, n) => `${text(n)}\n`).join('')

test('blankRunMax, emptyLinesMax: more blanks in a row than these stand as a mark', (t) => {
  t.notMatch(visible(`a${' '.repeat(limits.blankRunMax)}b`).text, /⟨/)
  t.match(visible(`a${' '.repeat(limits.blankRunMax + 1)}b`), { text: `a⟨${limits.blankRunMax + 1} spaces⟩b`, unusual: true })
  t.notMatch(visible(`a\n${'\n'.repeat(limits.emptyLinesMax)}b`).text, /⟨/)
  t.match(visible(`a\n${'\n'.repeat(limits.emptyLinesMax + 1)}b`), { text: `a\n⟨${limits.emptyLinesMax + 1} empty lines⟩\nb`, unusual: true })
  t.end()
})

test('diffEditLengthMax: a larger edit is told as all replaced', (t) => {
  // Every second line changes: each costs a line removed and one added.
  const kept = (edits: number) => unifiedDiff('f', lines(edits * 2, (n) => `${n}`), lines(edits * 2, (n) => n % 2 === 0 ? `${n}` : `new ${n}`)).match(/^ /gm)?.length ?? 0
  t.ok(kept(limits.diffEditLengthMax / 2) > limits.diffEditLengthMax / 2 - 5)
  t.ok(kept(limits.diffEditLengthMax / 2 + 1) <= 3)
  t.end()
})

test('diffFileEditMax, diffContextLines: likewise in a patch, which has so many lines around a change', (t) => {
  const kinds = (edits: number) => lineChanges(splitLines(lines(edits * 2, (n) => `${n}`)), splitLines(lines(edits * 2, (n) => n % 2 === 0 ? `${n}` : `new ${n}`))).map(({ kind }) => kind).join('')
  t.match(kinds(100), /^( -\+){100}$/)
  t.match(kinds(limits.diffFileEditMax / 2 + 1), /^ -\+$/, 'all but the first line')
  const before = lines(20, (n) => `${n}`)
  const patch = [...hunks(lineChanges(splitLines(before), splitLines(before.replace('\n10\n', '\nten\n'))), limits.diffContextLines)].join('')
  t.equal(patch.match(/^ /gm)?.length, 2 * limits.diffContextLines)
  t.end()
})

test('diffTimeoutMs, diffFileTimeoutMs: two texts without anything in common hold nobody up for longer', (t) => {
  const before = lines(100_000, (n) => `${n} a`)
  const after = lines(100_000, (n) => `${n} b`)
  for (const [work, most] of [[() => unifiedDiff('f', before, after), limits.diffTimeoutMs], [() => lineChanges(splitLines(before), splitLines(after)), limits.diffFileTimeoutMs]] as const) {
    const began = process.cpuUsage()
    work()
    const { user } = process.cpuUsage(began)
    t.ok(user / 1_000 < most + 1_500, `${Math.round(user / 1_000)} ms`) // the rest is for splitting and joining
  }
  t.end()
})

test('newContentShown, resultDiffLengthMax: of a new file a preview shows so much, and a diff that has ended so much', async (t) => {
  const { prepare, execute } = await toolSession(t)
  const content = async (size: number) => (await prepare('write_file', { path: `new${size}`, content: 'x'.repeat(size) })).preview.content?.length
  t.equal(await content(limits.newContentShown), limits.newContentShown)
  t.equal(await content(limits.newContentShown + 1), limits.newContentShown)
  const written = async (count: number) => await execute(await prepare('write_file', { path: `f${count}`, content: 'x\n'.repeat(count) }))
  t.match(await written(1_000), { truncated: false })
  const { diff, truncated } = await written(limits.resultDiffLengthMax / 3)
  t.ok((diff?.length ?? 0) <= limits.resultDiffLengthMax && (diff?.length ?? 0) > limits.resultDiffLengthMax - 10)
  t.match({ truncated, diff }, { truncated: true, diff: /\n$/ })
})

test('nearLinesConsidered, nearLineLengthMax, nearTextShown, nearWorkMax: the nearest line is looked for within these', (t) => {
  const file = (before: number) => `${lines(before, (n) => `${n}`.repeat(3))}wanted lane\n`
  t.match(explainNoMatch(file(limits.nearLinesConsidered - 1), 'wanted line', ''), /nearest place/)
  t.match(explainNoMatch(file(limits.nearLinesConsidered), 'wanted line', ''), /Nothing in the file is like it/)
  // What differs beyond the length of a line that is compared does not count.
  const long = 'a'.repeat(limits.nearLineLengthMax)
  t.match(explainNoMatch(`${long}${'b'.repeat(900)}`, `${long}${'c'.repeat(900)}`, ''), /nearest place/)
  t.match(explainNoMatch(`${'b'.repeat(limits.nearLineLengthMax)}${long}`, `${'c'.repeat(limits.nearLineLengthMax)}${long}`, ''), /Nothing/)
  t.match(explainNoMatch('A'.repeat(limits.nearTextShown), 'a'.repeat(limits.nearTextShown), ''), /"\.$/)
  t.match(explainNoMatch('A'.repeat(limits.nearTextShown + 1), 'a'.repeat(limits.nearTextShown + 1), ''), /\(cut\)\.$/)
  // Lines as long as what is wanted, and nothing like it, use the work up before the like one comes.
  const each = limits.nearLineLengthMax
  const busy = Math.ceil(limits.nearWorkMax / each ** 2) + 1
  const late = (count: number) => explainNoMatch(`${lines(count, () => 'x'.repeat(each))}${'a'.repeat(each - 1)}b\n`, 'a'.repeat(each), '')
  t.match(late(busy - 5), /nearest place/)
  t.match(late(busy), /Nothing/)
  t.end()
})

test('matchLinesShown: so many line numbers are told of an edit that is not unique', async (t) => {
  const { call, directory } = await toolSession(t)
  const told = async (count: number) => {
    writeFileSync(join(directory, 'f'), 'same\n'.repeat(count))
    return (await call('edit_file', { path: 'f', edits: [{ oldText: 'same', newText: 'other' }] })).text
  }
  t.match(await told(limits.matchLinesShown), new RegExp(`, ${limits.matchLinesShown}(?! …)\\D`))
  t.match(await told(limits.matchLinesShown + 1), new RegExp(`, ${limits.matchLinesShown} …`))
})

test('nearNamesConsidered: names beyond it are not compared', (t) => {
  const names = (before: number) => [...Array.from({ length: before }, (_, n) => `${n}`.padStart(12, '0')), 'config.json']
  t.same(nearest('config.jsn', names(limits.nearNamesConsidered - 1), 5), ['config.json'])
  t.same(nearest('config.jsn', names(limits.nearNamesConsidered), 5), [])
  t.end()
})

test('globAlternativesMax: a glob that stands for more is not read, so it allows nothing', (t) => {
  const glob = (count: number) => `{${Array.from({ length: count }, (_, n) => `a${n}`).join(',')}}`
  const decided = (count: number) => decide([{ tool: 'write_file', path: glob(count), decision: 'allow' }], fileCall('write_file', 'a0'))
  t.equal(decided(limits.globAlternativesMax), 'allow')
  t.equal(decided(limits.globAlternativesMax + 1), 'ask')
  t.end()
})

test('commandsReadMax, wrappedWordsMax: what may be a command beyond them is asked about', (t) => {
  const listed = (count: number) => decide([deny('rm')], commandCall('ls;'.repeat(count)), 'auto')
  t.equal(listed(limits.commandsReadMax), 'allow')
  t.equal(listed(limits.commandsReadMax + 1), 'ask')
  const wrapped = (count: number) => decide([deny('rm')], commandCall(`sudo${' x'.repeat(count - 1)}`), 'auto')
  t.equal(wrapped(limits.wrappedWordsMax), 'allow')
  t.equal(wrapped(limits.wrappedWordsMax + 1), 'ask')
  t.end()
})

test('searchLineLengthMax, searchResultBytesMax, ignoreLinesMax: of a line, of a result and of a .gitignore', (t) => {
  t.equal(excerptOf('x'.repeat(limits.searchLineLengthMax), 0).length, limits.searchLineLengthMax)
  t.equal(excerptOf('x'.repeat(limits.searchLineLengthMax + 1), 0), `${'x'.repeat(limits.searchLineLengthMax)}…`)
  const half = 'x'.repeat(limits.searchResultBytesMax / 2 - 1)
  t.match(fitLines([half, half]), { lines: [half, half], cut: false })
  t.match(fitLines([half, `${half}x`]), { lines: [half], cut: true })
  const rules = (before: number) => new IgnoreFile(`${'#\n'.repeat(before)}secret`).ignores('secret', false)
  t.equal(rules(limits.ignoreLinesMax - 1), true)
  t.equal(rules(limits.ignoreLinesMax), null)
  t.end()
})

test('ripgrepLineBytesMax: a message of ripgrep that is larger is passed over, and the next one read', (t) => {
  const reader = new RipgrepReader(() => true, 10)
  const message = (type: string, data: object) => Buffer.from(`${JSON.stringify({ type, data })}\n`)
  const line = (text: string) => message('match', { path: { text: 'f' }, lines: { text }, line_number: 1, submatches: [{ start: 0 }] })
  reader.add(message('begin', { path: { text: 'f' } }))
  reader.add(line('x'.repeat(limits.ripgrepLineBytesMax)))
  reader.add(line('short'))
  reader.finish()
  t.match(reader.files, [{ path: 'f', lines: [{ text: 'short' }] }])
  t.equal(reader.files[0]?.lines.length, 1)
  t.end()
})

test('pathBytesMax: a path one byte longer is refused, however short its names are', async (t) => {
  const { workspace } = await toolSession(t)
  const path = Array.from({ length: 17 }, () => 'n'.repeat(240)).join('/')
  t.equal(workspace.parse(path.slice(0, limits.pathBytesMax)).length, limits.pathBytesMax)
  t.throws(() => workspace.parse(path.slice(0, limits.pathBytesMax + 1)), { code: 'name_too_long', message: /longer than 4095 bytes/ })
})
