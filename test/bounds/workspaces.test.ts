import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import { test } from 'tap'
import * as limits from '../../src/limits.ts'
import { caller, startAgent } from '../support/agent.ts'
import { commandToolSession } from '../commands/command-tool-session.ts'
import { toolSession } from '../tools/tool-session.ts'
import { openWorkspaces, workspaceDirectory } from '../../src/workspace/open-workspaces.ts'
import { openSession } from '../workspace/open-session.ts'

test('copyChunkBytes, entriesAtOnce: what is larger or more is read, counted and removed whole', async (t) => {
  const { workspace, directory, call } = await toolSession(t)
  const bytes = Buffer.alloc(limits.copyChunkBytes + 1, 'abc')
  writeFileSync(join(directory, 'f'), bytes)
  t.match(await workspace.state(workspace.parse('f')), { sha256: createHash('sha256').update(bytes).digest('hex') })
  t.ok((await workspace.read(workspace.parse('f'), { maxBytes: bytes.length })).bytes.equals(bytes))
  mkdirSync(join(directory, 'd'))
  for (let n = 0; n <= limits.entriesAtOnce; n++) writeFileSync(join(directory, 'd', String(n)), '')
  const before = await workspace.state(workspace.parse('d'))
  writeFileSync(join(directory, 'd', '9'), 'changed: the last by name')
  t.notSame(await workspace.state(workspace.parse('d')), before)
  t.match(await call('delete_file', { path: 'd', recursive: true }), { ok: true })
  t.same(readdirSync(directory), ['f'])
})

test('placeAttemptsMax: an upload without a condition is tried so often while something keeps changing the file, then told so', async (t) => {
  const dataDir = t.testdir()
  let changes = 0
  let path = ''
  const workspaces = await openWorkspaces(dataDir, { checkpoint: (name) => { if (name === 'before_rename' && changes < most) writeFileSync(path, `change ${++changes}`) } })
  t.teardown(() => workspaces.close())
  let most = limits.placeAttemptsMax - 1
  const { agent, events } = await startAgent(t, null, { dataDir, workspaces })
  const { session } = await agent.createSession({}, caller, null)
  path = join(workspaceDirectory(dataDir, session.id), 'f')
  const put = async (text: string) => await agent.files.write(session.id, 'f', (async function * () { yield Buffer.from(text) })(), { match: null, noneMatch: null }, caller)
  t.match(await put('in the last attempt'), { file: { path: 'f' } })
  t.equal(changes, most)
  changes = 0
  most = limits.placeAttemptsMax
  await t.rejects(put('never'), { code: 'file_changed' })
  t.equal((await events(session.id)).filter(({ type }) => type === 'files_changed').length, 1, 'what was not put is not told')
})

test('usageAgeMsMax: what commands wrote meanwhile counts when the count is older', async (t) => {
  const { workspace, directory } = await openSession(t, { quota: { bytes: 100, files: 100 } })
  const write = async (name: string) => { await workspace.write(workspace.parse(name), Buffer.alloc(10), { before: { type: 'absent' }, stageName: 'call_1' }) }
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.teardown(() => { mock.timers.reset() })
  await write('a')
  writeFileSync(join(directory, 'by-a-command'), Buffer.alloc(90))
  mock.timers.tick(limits.usageAgeMsMax)
  await write('b') // the count is as old as it may be
  mock.timers.tick(1)
  await t.rejects(write('c'), { code: 'quota_exceeded' })
})

test('usageMetersMax: of more sessions than these the one that was used longest ago is counted again', async (t) => {
  const dataDir = t.testdir()
  const workspaces = await openWorkspaces(dataDir, { quota: { bytes: 100, files: 100 } })
  t.teardown(() => workspaces.close())
  for (let n = 0; n <= limits.usageMetersMax; n++) mkdirSync(join(dataDir, 'workspaces', `ses_${n}`))
  const write = async (n: number, name: string) => {
    const workspace = await workspaces.open(`ses_${n}`)
    try {
      await workspace.write(workspace.parse(name), Buffer.alloc(10), { before: { type: 'absent' }, stageName: 'call_1' })
    } finally {
      await workspace.close()
    }
  }
  const openAll = async (from: number, to: number) => { for (let n = from; n <= to; n++) await (await workspaces.open(`ses_${n}`)).close() }
  await write(0, 'a')
  writeFileSync(join(dataDir, 'workspaces/ses_0/by-a-command'), Buffer.alloc(90))
  await openAll(1, limits.usageMetersMax - 1)
  await write(0, 'b') // it is still counted as before
  await openAll(1, limits.usageMetersMax)
  await t.rejects(write(0, 'c'), { code: 'quota_exceeded' })
})

test('searchFileBytesMax, gitignoreBytesMax, ignoredMatchesShown, searchResultsDefault, findResultsDefault: searches without a sandbox keep to them', async (t) => {
  const { call, directory } = await commandToolSession(t, { bwrap: '/nonexistent/bwrap' })
  const put = (name: string, text: string) => { writeFileSync(join(directory, name), text) }
  const text = async (tool: string, args: object) => (await call(tool, { ...args })).text
  put('large', `${'x\n'.repeat(limits.searchFileBytesMax / 2 - 4)}needle\n\n`)
  t.match(await text('search_files', { pattern: 'needle' }), /large:/)
  put('large', `${'x\n'.repeat(limits.searchFileBytesMax / 2 - 4)}needle\n\n\n`)
  t.match(await text('search_files', { pattern: 'needle' }), /No match/)
  put('large', '')
  for (let n = 0; n <= limits.findResultsDefault; n++) put(`f${n}`, n <= limits.searchResultsDefault ? 'pin\n' : '')
  t.equal((await text('find_files', { pattern: 'f*' })).match(/^f\d+$/gm)?.length, limits.findResultsDefault)
  t.equal((await text('search_files', { pattern: 'pin' })).match(/^f\d+:1: pin$/gm)?.length, limits.searchResultsDefault)
  const ignore = (size: number) => `${'#'.repeat(size - 'f*\n'.length - 1)}\nf*\n`
  put('.gitignore', ignore(limits.gitignoreBytesMax))
  t.equal((await text('search_files', { pattern: 'pin' })).match(/\bf\d+\b/g)?.length, limits.ignoredMatchesShown)
  put('.gitignore', `#${ignore(limits.gitignoreBytesMax)}`.replace(/f\*\n$/, '\nf*\n'))
  t.match(await text('search_files', { pattern: 'pin' }), /f0:1: pin/, 'what is beyond it is not read')
})
