import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { ToolFailure } from '../../src/errors.ts'
import type { PathState } from '../../src/protocol/plan.ts'
import { nearest } from '../../src/workspace/near-names.ts'
import { openWorkspaces, workspaceDirectory } from '../../src/workspace/open-workspaces.ts'
import { parsePath } from '../../src/workspace/paths.ts'
import { sameState } from '../../src/workspace/state.ts'
import { failureOf } from './failure-of.ts'
import { openSession, sessionId } from './open-session.ts'

const absent: PathState = { type: 'absent' }

test('io_uring is refused, in whatever way it is switched on', async (t) => {
  await t.rejects(openWorkspaces(t.testdir({}), { ioUring: '1' }), /UV_USE_IO_URING/)
  for (const ioUring of [undefined, '', '0']) await (await openWorkspaces(t.testdir({}), { ioUring })).close()
})

test('a workspace is made once, opened, emptied and removed, each as often as one likes', async (t) => {
  const { workspaces, dataDir, directory } = await openSession(t)
  await workspaces.create(sessionId)
  t.equal(statSync(directory).mode & 0o777, 0o700)
  t.equal(statSync(join(dataDir, 'staging')).mode & 0o777, 0o700)
  mkdirSync(join(directory, 'a/b/c'), { recursive: true })
  writeFileSync(join(directory, 'a/b/c/f'), 'x')
  symlinkSync('/etc', join(directory, 'a/etc'))
  await workspaces.emptyStaging(sessionId)
  await workspaces.remove(sessionId, AbortSignal.timeout(5_000))
  await workspaces.remove(sessionId, AbortSignal.timeout(5_000))
  t.notOk(existsSync(directory))
  t.same(readdirSync(join(dataDir, 'staging')), [])
  t.equal(await failureOf(() => workspaces.open(sessionId)), 'not_found')
  t.ok(existsSync('/etc/passwd'))
})

test('a removal that was broken off is finished by the next', async (t) => {
  const { workspaces, dataDir, directory } = await openSession(t)
  mkdirSync(join(directory, 'a/b'), { recursive: true })
  writeFileSync(join(directory, 'a/b/f'), 'x')
  await t.rejects(workspaces.remove(sessionId, AbortSignal.abort()), { name: 'AbortError' })
  await workspaces.remove(sessionId, AbortSignal.timeout(5_000))
  t.notOk(existsSync(directory))
  t.same(readdirSync(join(dataDir, 'staging')), [])
})

test('what is no session id reaches no path', async (t) => {
  const { workspaces, dataDir } = await openSession(t)
  for (const id of ['../outside', 'ses_../x', 'ses_', 'ses_a/b', '', 'ses_a\0', 'call_1', '.', `ses_${'a'.repeat(200)}`]) {
    t.equal(await failureOf(() => workspaces.create(id)), 'invalid_path', id)
    t.equal(await failureOf(() => workspaces.open(id)), 'invalid_path')
    t.equal(await failureOf(() => workspaces.remove(id, AbortSignal.timeout(1_000))), 'invalid_path')
    t.throws(() => workspaceDirectory(dataDir, id))
  }
})

test('a stage name is a name and no path', async (t) => {
  const { workspace } = await openSession(t)
  for (const stageName of ['../x', 'a/b', '', '.workspace', 'x'.repeat(200)]) {
    t.equal(await failureOf(() => workspace.write(workspace.parse('f'), Buffer.from('x'), { before: absent, stageName })), 'internal', stageName)
  }
})

test('newFileMode: new files are 0644 whatever the umask, and keep their permissions when they are replaced', async (t) => {
  const { workspace, directory } = await openSession(t)
  const umask = process.umask(0o077)
  t.teardown(() => process.umask(umask))
  const path = workspace.parse('deep/er/f')
  await workspace.write(path, Buffer.from('1'), { before: absent, stageName: 'call_1' })
  t.equal(statSync(join(directory, 'deep/er/f')).mode & 0o7777, 0o644)
  await workspace.write(path, Buffer.from('2'), { before: await workspace.state(path), stageName: 'call_2', mode: 0o755 })
  await workspace.write(path, Buffer.from('3'), { before: await workspace.state(path), stageName: 'call_3' })
  t.equal(statSync(join(directory, 'deep/er/f')).mode & 0o7777, 0o755)
})

test('new files belong to the user of the commands', { skip: process.getuid?.() !== 0 }, async (t) => {
  const { workspace, directory, dataDir } = await openSession(t, { owner: { uid: 10_001, gid: 10_001 } })
  await workspace.write(workspace.parse('d/f'), Buffer.from('1'), { before: absent, stageName: 'call_1' })
  for (const path of [directory, join(directory, 'd'), join(directory, 'd/f')]) t.match(statSync(path), { uid: 10_001, gid: 10_001 }, path)
  t.equal(statSync(dataDir).mode & 0o777, 0o711, 'and its workspace can be reached by it')
})

test('a write that does not fit into the quota is refused and leaves nothing', async (t) => {
  const { workspace, directory, dataDir } = await openSession(t, { quota: { bytes: 1_000, files: 3 } })
  const write = async (name: string, size: number) => {
    const path = workspace.parse(name)
    await workspace.write(path, Buffer.alloc(size), { before: await workspace.state(path), stageName: 'call_1' })
  }
  await write('a', 600)
  t.equal(await failureOf(() => write('b', 500)), 'quota_exceeded')
  await write('b', 300)
  await write('a', 700)
  t.equal(await failureOf(() => write('a', 701)), 'quota_exceeded')
  await write('a', 1)
  await write('c', 1)
  t.equal(await failureOf(() => write('d', 1)), 'quota_exceeded', 'too many files')
  rmSync(join(directory, 'b')) // a command, say
  await write('d', 300)
  t.same(readdirSync(join(dataDir, 'staging', sessionId)), [])
  await workspace.remove(workspace.parse('a'), { before: await workspace.state(workspace.parse('a')), stageName: 'call_1' })
  await write('e', 300)
})

test('a state knows a directory again after a rename, and shows what was changed in it', async (t) => {
  const { workspace, directory } = await openSession(t)
  mkdirSync(join(directory, 'd/sub'), { recursive: true })
  writeFileSync(join(directory, 'd/sub/f'), 'one')
  const d = workspace.parse('d')
  const e = workspace.parse('e')
  const before = await workspace.state(d)
  await workspace.move(d, e, { before })
  t.ok(sameState(await workspace.state(e), before))
  writeFileSync(join(directory, 'e/sub/f'), 'two')
  t.notOk(sameState(await workspace.state(e), before), 'same name and size, other content')
  mkdirSync(join(directory, 'copy/sub'), { recursive: true })
  t.notOk(sameState(await workspace.state(workspace.parse('copy')), before))
})

test('a very deep tree is removed with few descriptors', async (t) => {
  const { workspace, workspaces, directory } = await openSession(t)
  const cwd = process.cwd()
  for (let path = directory, level = 0; level < 300; level++) {
    process.chdir(path)
    mkdirSync('d')
    path = 'd'
  }
  process.chdir(cwd)
  const d = workspace.parse('d')
  await workspace.remove(d, { before: await workspace.state(d), stageName: 'call_1' })
  t.same(readdirSync(directory), [])
  await workspaces.remove(sessionId, AbortSignal.timeout(5_000))
})

test('a move that is called again after it was done does nothing', async (t) => {
  const { workspace, directory } = await openSession(t)
  writeFileSync(join(directory, 'a'), 'x')
  const [a, b] = [workspace.parse('a'), workspace.parse('b')]
  const before = await workspace.state(a)
  await workspace.move(a, b, { before })
  await workspace.move(a, b, { before })
  t.equal(readFileSync(join(directory, 'b'), 'utf8'), 'x')
  t.equal(await failureOf(() => workspace.move(a, workspace.parse('c'), { before })), 'not_found')
})

test('a closed workspace answers nothing', async (t) => {
  const { workspace } = await openSession(t)
  await workspace.close()
  await workspace.close()
  await t.rejects(workspace.list(workspace.parse('.'), { limit: 1 }), { code: 'internal', message: 'The workspace is closed.' })
})

test('a path is normal after one pass, and never leads up', async (t) => {
  const part = fc.oneof(fc.constantFrom('.', '..', '', 'a', '/workspace', '\\', '...', 'é', '\0', '\ud800'), fc.string({ maxLength: 5 }))
  fc.assert(fc.property(fc.array(part, { maxLength: 8 }).map((parts) => parts.join('/')), (text) => {
    try {
      const path = parsePath(text)
      return !path.startsWith('/') && !path.split('/').includes('..') && (path === '' || parsePath(path) === path)
    } catch (error) {
      return error instanceof ToolFailure && ['invalid_path', 'outside_workspace', 'name_too_long'].includes(error.code)
    }
  }), { numRuns: 5_000 })
  t.pass()
})

test('near names are those that a slip of the pen makes of another', async (t) => {
  const names = ['src', 'README.md', 'read-file.ts', 'config.json', 'main.ts', 'e\u0301t\u00e9.txt', 'a']
  t.same(nearest('scr', names, 3), ['src'])
  t.same(nearest('readme.md', names, 3), ['README.md'])
  t.same(nearest('read_file.ts', names, 3), ['read-file.ts'])
  t.same(nearest('config', names, 3), ['config.json'])
  t.same(nearest('\u00e9t\u00e9.txt', names, 3), ['e\u0301t\u00e9.txt'])
  t.same(nearest('b', names, 3), [])
  t.same(nearest('something-else-entirely', names, 3), [])
})
