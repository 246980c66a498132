import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { snapshot } from '../workspace/snapshot.ts'
import { bytesOf, codeMatches, loadCases, ourArguments, ourWord, place, type CaseFile, type Expectation, type FileCase } from './file-cases.ts'
import { toolSession, type Outcome, type ToolSession } from './tool-session.ts'

/** Cases of tools that are tested elsewhere. */
const elsewhere = new Set(['search'])

interface Ran { readonly outcome: Outcome, readonly before: Record<string, string>, readonly session: ToolSession, readonly tool: string }

for (const fileCase of loadCases<FileCase>('c-files.jsonl')) {
  if (elsewhere.has(fileCase.input.call.tool)) continue
  test(`${fileCase.id} ${fileCase.title}`, async (t) => {
    const { input, expect } = fileCase
    const session = await toolSession(t)
    place(session.directory, input.files, session.outside)
    place(session.outside, input.outside ?? [], session.outside)
    for (const call of input.before ?? []) t.equal((await session.call(call.tool, ourArguments(call))).ok, true, `${call.tool} before`)
    place(session.directory, input.external_change ?? [], session.outside)
    const before = snapshot(session.directory)
    const outcome = await session.call(input.call.tool, ourArguments(input.call))
    const ran = { outcome, before, session, tool: input.call.tool }
    const problems = problemsOf(expect, ran)
    const other = (expect.any_of ?? []).some((alternative) => problemsOf(alternative, ran).length === 0)
    if (!other) t.same(problems, [], outcome.text)
    t.notOk(outcome.text.includes(session.dataDir), 'no host path')
    t.notOk(JSON.stringify(snapshot(session.dataDir)).includes('"staging/ses_0193f2a7c0de/call'), 'nothing left in staging')
    await alsoAsserted[fileCase.id]?.(t, session, outcome)
  })
}

/** The sentences under `assert`, as checks. */
const alsoAsserted: Record<string, (t: Test, session: ToolSession, outcome: Outcome) => Promise<void>> = {
  'c-11': async (t, _session, { text }) => { t.notMatch(text, /[\0\ufffd]/) },
  'c-13': async (t, _session, { text }) => { t.match(text, /is cut: it has 1048576 bytes/) },
  'c-20': async (t, session) => { t.equal((await session.call('read_file', { path: 'memo.txt' })).ok, false) },
  'c-21': async (t, session) => {
    const outcome = await session.call('read_file', { path: join(session.dataDir, 'ws-secret/key.txt') })
    t.equal(outcome.ok, false)
  },
  'c-25': async (t, session) => {
    t.equal((await session.call('write_file', { path: '\u00dcbersicht.txt', content: '6 h\n' })).ok, true)
    t.same(Object.keys(snapshot(session.directory)), ['U\u0308bersicht.txt'], 'no twin')
  },
  'c-28': async (t, session) => {
    const plan = await session.prepare('delete_file', { path: 'd', recursive: true })
    t.match(plan.preview.notes.join(' '), /1 files/)
  },
  'c-29': async (t, session) => {
    const outcome = await session.call('list_dir', { path: 'pages/[slug]' })
    t.equal(outcome.text, 'index.tsx\t17')
  }
}

function problemsOf (expected: Expectation, ran: Ran): string[] {
  const { outcome, session, before, tool } = ran
  const problems: string[] = []
  const need = (holds: boolean, problem: string) => { if (!holds) problems.push(problem) }
  if (expected.ok !== undefined) need(outcome.ok === expected.ok, `ok is ${outcome.ok}`)
  const codes = expected.any_code ?? (expected.code === undefined ? [] : [expected.code])
  if (codes.length > 0) need(!outcome.ok && codes.some((code) => codeMatches(tool, code, outcome.code)), `code is not ${codes.join(' or ')}`)
  const has = (word: string) => outcome.text.includes(ourWord(word))
  for (const word of [...expected.message_contains ?? [], ...expected.content_contains ?? []]) need(has(word), `misses "${word}"`)
  for (const word of [...expected.message_not_contains ?? [], ...expected.content_not_contains ?? []]) need(!has(word), `contains "${word}"`)
  // Where another outcome than the first is accepted, its words are those of the first.
  if (expected.message_contains_any !== undefined) need(expected.message_contains_any.some((word) => has(word)), `has none of ${expected.message_contains_any.join(', ')}`)
  if (expected.max_result_bytes !== undefined) need(Buffer.byteLength(outcome.text) <= expected.max_result_bytes, 'is too long')
  if (expected.files_unchanged === true) need(JSON.stringify(snapshot(session.directory)) === JSON.stringify(before), 'files changed')
  for (const file of expected.files_after ?? []) need(holds(session.directory, file), `${file.path} is not as expected`)
  for (const file of expected.outside_after ?? []) need(holds(session.outside, file), `outside: ${file.path} is not as expected`)
  return problems
}

function holds (directory: string, file: CaseFile): boolean {
  const path = join(directory, file.path)
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return false
  if (file.symlink !== undefined) return stat.isSymbolicLink() && readlinkSync(path) === file.symlink
  const modeHolds = file.mode === undefined || (stat.mode & 0o7777) === Number.parseInt(file.mode, 8)
  return stat.isFile() && modeHolds && readFileSync(path).equals(bytesOf(file))
}
