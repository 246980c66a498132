import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import * as limits from '../../src/limits.ts'
import { commandToolSession } from '../commands/command-tool-session.ts'
import { toolSession } from '../tools/tool-session.ts'

test('listEntriesMax: a long directory is cut there, and says so', async (t) => {
  const { call, directory } = await toolSession(t)
  for (let n = 0; n <= limits.listEntriesMax; n++) writeFileSync(join(directory, `f${n}`), '')
  const cut = await call('list_dir', {})
  t.match(cut, { ok: true, result: { truncated: true }, text: /\[There are more entries/ })
  t.equal(cut.text.split('\n').length, limits.listEntriesMax + 1)
})

test('listDepthMax, editsMax: more in one call are invalid arguments', async (t) => {
  const { call, directory } = await toolSession(t)
  writeFileSync(join(directory, 'a'), '0')
  t.match(await call('list_dir', { depth: limits.listDepthMax }), { ok: true })
  t.match(await call('list_dir', { depth: limits.listDepthMax + 1 }), { ok: false, code: 'invalid_arguments' })
  const edits = Array.from({ length: limits.editsMax }, (_, n) => ({ oldText: String(n), newText: String(n + 1) }))
  t.match(await call('edit_file', { path: 'a', edits }), { ok: true })
  t.match(await call('edit_file', { path: 'a', edits: [...edits, { oldText: '1', newText: '2' }] }), { ok: false, code: 'invalid_arguments' })
})

test('replacementsMax, editBytesMax: a larger file is not edited', async (t) => {
  const { call, directory } = await toolSession(t)
  writeFileSync(join(directory, 'large'), Buffer.alloc(limits.editBytesMax + 1, 'x\n'))
  t.match(await call('edit_file', { path: 'large', edits: [{ oldText: 'x', newText: 'y' }] }), { ok: false, code: 'too_large' })
  writeFileSync(join(directory, 'growing'), 'x'.repeat(limits.replacementsMax + 1))
  t.match(await call('edit_file', { path: 'growing', edits: [{ oldText: 'x', newText: 'y', replaceAll: true }] }), { ok: false, code: 'too_large' }, 'replacementsMax')
})

test('deleteEntriesMax: a larger directory is not deleted at once', async (t) => {
  const { call, directory } = await toolSession(t)
  mkdirSync(join(directory, 'd'))
  writeFileSync(join(directory, 'f'), '')
  for (let n = 0; n <= limits.deleteEntriesMax; n++) linkSync(join(directory, 'f'), join(directory, 'd', String(n))) // quicker to make, and to remove, than files
  t.match(await call('delete_file', { path: 'd', recursive: true }), { ok: false, code: 'too_large' })
})

test('nearNamesMax: so many names are offered for one that is missing', async (t) => {
  const { call, directory } = await toolSession(t)
  for (let n = 0; n < limits.nearNamesMax * 2; n++) writeFileSync(join(directory, `name${n}`), '')
  t.equal((await call('read_file', { path: 'name' })).text.match(/name\d/g)?.length, limits.nearNamesMax)
})

test('pathBytesMax, nameBytesMax, pathDepthMax, linksFollowedMax: a path beyond them is refused before the disk is asked', async (t) => {
  const { call, directory } = await toolSession(t)
  const write = async (path: string) => await call('write_file', { path, content: 'x' })
  t.match(await write('n'.repeat(limits.nameBytesMax)), { ok: true })
  t.match(await write(`${'\u00fc'.repeat(limits.nameBytesMax / 2)}xx`), { ok: false, code: 'name_too_long' }, 'bytes count, not characters')
  t.match(await write(`${'d/'.repeat(limits.pathDepthMax - 1)}f`), { ok: true })
  t.match(await write(`${'d/'.repeat(limits.pathDepthMax)}f`), { ok: false, code: 'name_too_long' })
  const name = 'n'.repeat(240)
  t.match(await write(Array.from({ length: 18 }, () => name).join('/')), { ok: false, code: 'name_too_long' })
  writeFileSync(join(directory, 'link0'), 'found')
  for (let n = 1; n <= limits.linksFollowedMax + 1; n++) symlinkSync(`link${n - 1}`, join(directory, `link${n}`))
  t.match(await call('read_file', { path: `link${limits.linksFollowedMax}` }), { ok: true, text: /found/ })
  t.match(await call('read_file', { path: `link${limits.linksFollowedMax + 1}` }), { ok: false, code: 'symlink' })
})

test('searchPatternLengthMax, searchContextMax, searchResultsMax, globLengthMax, findResultsMax, commandTimeoutMsMax: arguments of searches and commands: beyond their bounds they are invalid', async (t) => {
  const { call } = await commandToolSession(t)
  const sizes = [
    ['searchPatternLengthMax', 'search_files', (size: number) => ({ pattern: 'x'.repeat(size) })],
    ['searchContextMax', 'search_files', (size: number) => ({ pattern: 'x', context: size })],
    ['searchResultsMax', 'search_files', (size: number) => ({ pattern: 'x', maxResults: size })],
    ['globLengthMax', 'find_files', (size: number) => ({ pattern: 'x'.repeat(size) })],
    ['findResultsMax', 'find_files', (size: number) => ({ pattern: 'x', maxResults: size })]
  ] as const
  for (const [bound, tool, args] of sizes) {
    t.match(await call(tool, args(limits[bound])), { ok: true }, bound)
    t.match(await call(tool, args(limits[bound] + 1)), { ok: false, code: 'invalid_arguments' }, bound)
  }
  t.match(await call('run_command', { command: 'true', timeoutMs: limits.commandTimeoutMsMax + 1 }), { ok: false, code: 'invalid_arguments' }, 'commandTimeoutMsMax')
})
