import { execFileSync } from 'node:child_process'
import {
  chmodSync, existsSync, linkSync, lstatSync, mkdirSync, readFileSync, readdirSync, renameSync, symlinkSync, truncateSync, writeFileSync
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import type { PathState } from '../../src/protocol/plan.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { failureOf, toolFailureOf } from './failure-of.ts'
import { openSession, sessionId, type OpenSession } from './open-session.ts'
import { snapshot } from './snapshot.ts'

const absent: PathState = { type: 'absent' }

/** A workspace with a file and links that lead out, beside a directory with a secret, which must stay as it is. */
function attack (name: string, run: (t: Test, session: OpenSession) => Promise<void>): void {
  test(name, async (t) => {
    const session = await openSession(t)
    prepare(session)
    const before = snapshot(session.outside)
    await run(t, session)
    t.same(snapshot(session.outside), before, 'outside is as it was')
  })
}

function prepare (session: OpenSession): void {
  writeFileSync(join(session.outside, 'secret'), 'secret')
  const at = (name: string) => join(session.directory, name)
  mkdirSync(at('d'))
  writeFileSync(at('d/f'), 'file')
  writeFileSync(at('plain'), 'plain')
  symlinkSync('/etc/passwd', at('pw'))
  symlinkSync('/etc', at('etcl'))
  symlinkSync('../../outside/secret', at('rel'))
  symlinkSync('loop', at('loop'))
  symlinkSync('/proc/self/environ', at('env'))
  symlinkSync('../new-outside', at('dang2'))
}

async function readThrough (workspace: Workspace, path: string): Promise<string> {
  const real = await workspace.resolve(workspace.parse(path))
  return (await workspace.read(real, { maxBytes: 100 })).bytes.toString()
}

test('paths that lead out by their text are refused before any look at the disk', async (t) => {
  const { workspace } = await openSession(t)
  const paths = [
    '../secret', 'd/../../secret', '/etc/passwd', '../ws-evil/s', '//etc/passwd', 'etcl/../secret', 'd/..', '..', '/',
    '/workspace/../secret', '/workspace-evil/s', '/workspace//etc', './..', 'a/./../b'
  ]
  for (const path of paths) t.equal(await failureOf(() => workspace.parse(path)), 'outside_workspace', path)
})

test('what is no path is refused', async (t) => {
  const { workspace } = await openSession(t)
  for (const path of ['f\0.txt', '\ud800', 'a\udc00b', '', 7, ['a'], null, undefined, {}]) {
    t.equal(await failureOf(() => workspace.parse(path)), 'invalid_path', JSON.stringify(path) ?? 'undefined')
  }
})

test('names and paths that are too long or too deep are refused', async (t) => {
  const { workspace } = await openSession(t)
  for (const path of ['x'.repeat(256), 'é'.repeat(128), `${'x'.repeat(200)}/`.repeat(25), 'd/'.repeat(66)]) {
    t.equal(await failureOf(() => workspace.parse(path)), 'name_too_long', path.slice(0, 20))
  }
  t.equal(workspace.parse('x'.repeat(255)).length, 255)
})

test('harmless forms of a path are one path', async (t) => {
  const { workspace } = await openSession(t)
  for (const path of ['src/b.ts', './src/b.ts', 'src//b.ts', 'src/./b.ts', '/workspace/src/b.ts', 'src/b.ts/']) t.equal(workspace.parse(path), 'src/b.ts', path)
  for (const path of ['.', './', '/workspace', '/workspace/']) t.equal(workspace.parse(path), '', path)
})

attack('links that lead out, in circles or to /proc are refused, quickly', async (t, { workspace, directory, outside }) => {
  symlinkSync(outside, join(directory, 'abs'))
  symlinkSync('/workspace/../secret', join(directory, 'mount'))
  symlinkSync('/workspace-evil/s', join(directory, 'mount2'))
  symlinkSync('/proc/self/fd/0', join(directory, 'magic'))
  const started = performance.now()
  for (const path of ['pw', 'etcl/passwd', 'rel', 'loop', 'env', 'magic', 'dang2', 'abs/secret', 'mount', 'mount2']) {
    const failure = await toolFailureOf(() => readThrough(workspace, path))
    t.equal(failure?.code, 'symlink', path)
    t.notOk(failure?.message.includes(outside), 'no host path')
    t.equal(await failureOf(() => workspace.read(workspace.parse(path), { maxBytes: 10, follow: true })), 'symlink', `${path}, followed`)
    t.equal(await failureOf(() => workspace.read(workspace.parse(path), { maxBytes: 10 })), 'symlink', `${path}, not followed`)
  }
  t.ok(performance.now() - started < 5_000)
})

attack('links that stay inside can be followed, also those that call the workspace by its mount', async (t, { workspace, directory }) => {
  symlinkSync('d', join(directory, 'din'))
  symlinkSync('/workspace/d/f', join(directory, 'mounted'))
  mkdirSync(join(directory, 'x/y'), { recursive: true })
  symlinkSync('../../din/f', join(directory, 'x/y/up'))
  for (const path of ['din/f', 'mounted', 'x/y/up']) {
    t.equal(await workspace.resolve(workspace.parse(path)), 'd/f', path)
    t.equal(await readThrough(workspace, path), 'file', path)
  }
  t.equal(await workspace.resolve(workspace.parse('din'), { last: false }), 'din', 'the link itself')
  t.equal(await workspace.resolve(workspace.parse('din/new/file')), 'd/new/file', 'what is missing stays')
})

attack('nothing is written, made, moved, removed or listed through a link', async (t, { workspace, directory }) => {
  const before = snapshot(directory)
  const path = (text: string) => workspace.parse(text)
  const file = await workspace.state(path('d/f'))
  const stage = { before: absent, stageName: 'call_1' }
  for (const target of ['dang2', 'etcl/x', 'etcl/a/b', 'pw']) t.not(await failureOf(() => workspace.write(path(target), Buffer.from('x'), stage)), null, target)
  t.equal(await failureOf(() => workspace.remove(path('etcl/passwd'), { before: file, stageName: 'call_1' })), 'symlink')
  t.equal(await failureOf(() => workspace.move(path('d/f'), path('etcl/f'), { before: file })), 'symlink')
  t.equal(await failureOf(() => workspace.list(path('etcl'), { limit: 10 })), 'symlink')
  t.same(snapshot(directory), before)
})

attack('deleting a link removes the link, and a tree with links loses no more than itself', async (t, { workspace, directory, outside }) => {
  const pw = workspace.parse('pw')
  await workspace.remove(pw, { before: await workspace.state(pw), stageName: 'call_1' })
  t.notOk(existsSync(join(directory, 'pw')))
  t.ok(existsSync('/etc/passwd'))
  symlinkSync(outside, join(directory, 'd/out'))
  const d = workspace.parse('d')
  await workspace.remove(d, { before: await workspace.state(d), stageName: 'call_2' })
  t.notOk(existsSync(join(directory, 'd')))
  t.same(readdirSync(outside), ['secret'])
})

attack('a FIFO, a socket and a device neither block nor act', async (t, { workspace, directory }) => {
  execFileSync('mkfifo', [join(directory, 'fifo')])
  const names = ['fifo', 'sock']
  const socket = createServer()
  const cwd = process.cwd()
  process.chdir(directory) // the path of a socket is short
  await new Promise<void>((resolve) => socket.listen('sock', resolve))
  process.chdir(cwd)
  t.teardown(() => { socket.close() })
  if (process.getuid?.() === 0) {
    execFileSync('mknod', [join(directory, 'dev'), 'c', '1', '5'])
    names.push('dev')
  }
  const started = performance.now()
  for (const name of names) {
    const path = workspace.parse(name)
    t.equal(await failureOf(() => workspace.read(path, { maxBytes: 10 })), 'not_regular', `read ${name}`)
    t.equal(await failureOf(() => workspace.state(path)), 'not_regular', `state of ${name}`)
    t.equal(await failureOf(() => workspace.write(path, Buffer.from('x'), { before: absent, stageName: 'call_1' })), 'not_regular', `write ${name}`)
  }
  t.ok(performance.now() - started < 2_000)
  t.equal(await readThrough(workspace, 'plain'), 'plain', 'a normal file is read as before')
})

test('odd names are ordinary names', async (t) => {
  const { workspace, directory } = await openSession(t)
  const names = ['a\nb\u001b[2Jc', '..\\..\\x', '__proto__', '...', '%2e%2e', 'trailing. ', 'constructor', '\u00e9', 'e\u0301']
  for (const [index, name] of names.entries()) {
    await workspace.write(workspace.parse(name), Buffer.from(String(index)), { before: absent, stageName: `call_${index}` })
  }
  t.same(readdirSync(directory).sort(), [...names].sort(), 'one file each, NFC and NFD too')
  for (const [index, name] of names.entries()) t.equal(await readThrough(workspace, name), String(index))
})

test('a name that is no UTF-8 is listed, marked, and goes with its directory', async (t) => {
  const { workspace, directory } = await openSession(t)
  mkdirSync(join(directory, 'd'))
  writeFileSync(Buffer.concat([Buffer.from(join(directory, 'd/')), Buffer.from([0x66, 0xff])]), 'x')
  const d = workspace.parse('d')
  const { entries } = await workspace.list(d, { limit: 10 })
  t.match(entries, [{ name: 'f\ufffd', addressable: false, type: 'file', size: 1 }])
  await workspace.remove(d, { before: await workspace.state(d), stageName: 'call_1' })
  t.same(readdirSync(directory), [])
})

attack('a write to a hard link leaves the other name as it was', async (t, { workspace, directory, outside }) => {
  linkSync(join(outside, 'secret'), join(directory, 'hard'))
  const path = workspace.parse('hard')
  await workspace.write(path, Buffer.from('new'), { before: await workspace.state(path), stageName: 'call_1' })
  t.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'secret')
  t.equal(readFileSync(join(directory, 'hard'), 'utf8'), 'new')
})

test('a read is bounded by bytes, whatever size a file says it has', async (t) => {
  const { workspace, directory } = await openSession(t)
  writeFileSync(join(directory, 'sparse'), '')
  truncateSync(join(directory, 'sparse'), 2 ** 40)
  const started = performance.now()
  const { bytes, size } = await workspace.read(workspace.parse('sparse'), { maxBytes: 1000 })
  t.equal(bytes.length, 1000)
  t.equal(size, 2 ** 40)
  t.ok(performance.now() - started < 2_000)
})

attack('a move overwrites nothing, and a directory does not go into itself', async (t, { workspace, directory }) => {
  mkdirSync(join(directory, 'empty'))
  const before = snapshot(directory)
  const [d, f, plain, empty] = ['d', 'd/f', 'plain', 'empty'].map((path) => workspace.parse(path))
  if (d === undefined || f === undefined || plain === undefined || empty === undefined) throw new Error('four paths')
  t.equal(await failureOf(async () => workspace.move(f, plain, { before: await workspace.state(f) })), 'already_exists')
  t.equal(await failureOf(async () => workspace.move(d, empty, { before: await workspace.state(d) })), 'already_exists', 'not even an empty directory')
  t.equal(await failureOf(async () => workspace.move(d, plain, { before: await workspace.state(d) })), 'already_exists')
  t.equal(await failureOf(async () => workspace.move(d, workspace.parse('d/x'), { before: await workspace.state(d) })), 'invalid_path')
  t.same(snapshot(directory), before)
})

attack('a file is no directory and a directory no file', async (t, { workspace }) => {
  t.equal(await failureOf(() => workspace.read(workspace.parse('d/f/x'), { maxBytes: 1 })), 'not_directory')
  t.equal(await failureOf(() => workspace.read(workspace.parse('d'), { maxBytes: 1 })), 'is_directory')
  t.equal(await failureOf(() => workspace.read(workspace.parse('.'), { maxBytes: 1 })), 'is_directory')
  t.equal(await failureOf(() => workspace.list(workspace.parse('d/f'), { limit: 1 })), 'not_directory')
  t.equal(await failureOf(() => workspace.write(workspace.parse('d/f/x'), Buffer.from('x'), { before: absent, stageName: 'call_1' })), 'not_directory')
})

attack('no descriptor stays open and nothing stays in staging, whatever failed', async (t, { workspace, dataDir }) => {
  const open = () => readdirSync('/proc/self/fd').length
  const before = open()
  const attempts = ['plain', 'd/f', 'd', 'missing', 'pw', 'etcl/x', 'loop', 'd/f/x', 'new/deep/file']
  for (const text of attempts) {
    const path = workspace.parse(text)
    await failureOf(() => workspace.resolve(path))
    await failureOf(() => workspace.stat(path))
    await failureOf(() => workspace.state(path))
    await failureOf(() => workspace.read(path, { maxBytes: 10, follow: true }))
    await failureOf(() => workspace.list(path, { limit: 10 }))
    await failureOf(() => workspace.nearNames(path, 5))
    await failureOf(() => workspace.write(path, Buffer.from('x'), { before: absent, stageName: 'call_1' }))
    await failureOf(() => workspace.move(path, workspace.parse('moved'), { before: absent }))
    await failureOf(() => workspace.remove(path, { before: absent, stageName: 'call_1' }))
  }
  t.equal(open(), before)
  t.same(readdirSync(join(dataDir, 'staging', sessionId)), [])
})

attack('an edit of what has changed since fails, and the file stays', async (t, { workspace, directory }) => {
  const path = workspace.parse('plain')
  const before = await workspace.state(path)
  writeFileSync(join(directory, 'plain'), 'other')
  t.equal(await failureOf(() => workspace.write(path, Buffer.from('mine'), { before, stageName: 'call_1' })), 'changed')
  t.equal(await failureOf(() => workspace.remove(path, { before, stageName: 'call_1' })), 'changed')
  t.equal(await failureOf(() => workspace.move(path, workspace.parse('moved'), { before })), 'changed')
  t.equal(readFileSync(join(directory, 'plain'), 'utf8'), 'other')
  chmodSync(join(directory, 'd/f'), 0o600)
  t.equal(await failureOf(() => workspace.write(workspace.parse('new'), Buffer.from('mine'), { before, stageName: 'call_1' })), 'changed', 'nor is what has gone made anew')
})

attack('a workspace that is replaced by a link while it is open stays what it was', async (t, { workspace, workspaces, directory, outside, dataDir }) => {
  renameSync(directory, join(dataDir, 'aside'))
  symlinkSync(outside, directory)
  await workspace.write(workspace.parse('new'), Buffer.from('x'), { before: absent, stageName: 'call_1' })
  t.ok(existsSync(join(dataDir, 'aside/new')))
  t.equal(await failureOf(() => readThrough(workspace, 'secret')), 'not_found')
  t.equal(await failureOf(() => workspaces.open(sessionId)), 'not_found', 'and is not opened again')
  t.ok(lstatSync(directory).isSymbolicLink())
})
