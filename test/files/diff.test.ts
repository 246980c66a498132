import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import t, { test } from 'tap'
import { compareWithBaseline } from '../../src/workspace/diff/compare.ts'
import { gitPatch } from '../../src/workspace/diff/git-patch.ts'
import { openWorkspaces, workspaceDirectory } from '../../src/workspace/open-workspaces.ts'
import type { FileChange } from '../../src/protocol/files.ts'
import { startServer } from '../support/server.ts'
import { newSession, type Files } from './file-server.ts'
import { gitApply, gitView, plant, type Node, type Tree } from './git-apply.ts'

const shared = await startServer(t)
const file = (text: string | Buffer, executable = false): Node => ({ bytes: Buffer.from(text), executable })

async function putTree (files: Files, tree: Tree): Promise<string> {
  const source = mkdtempSync(path.join(tmpdir(), 'ecluse-diff-'))
  t.teardown(() => { rmSync(source, { recursive: true }) })
  plant(source, tree)
  const body = execFileSync('tar', ['-czf', '-', '-C', source, '.'], { maxBuffer: 1 << 28 })
  const answer = await files.server.request('PUT', `/sessions/${files.session}/archive`, { body })
  if (answer.status !== 200) throw new Error(answer.text)
  return source
}

async function diffOf ({ server, session }: Files): Promise<Buffer> {
  const answer = await fetch(`${server.url}/sessions/${session}/diff`, { headers: { authorization: `Bearer ${server.key}` } })
  if (answer.status !== 200) throw new Error(await answer.text())
  return Buffer.from(await answer.arrayBuffer())
}

test('git apply makes of what was put what is there now', async (t) => {
  const files = await newSession(shared)
  const source = await putTree(files, {
    'text.txt': file(Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join('')),
    'no-end': file('a\nb'),
    gone: file('gone\n'),
    'gone.bin': file(Buffer.from([0, 1, 2])),
    'bin ary': file(Buffer.from([0, 1, 2, 3])),
    'latin1.txt': file(Buffer.from('caf\xe9\n', 'latin1')),
    'script.sh': file('#!/bin/sh\n'),
    'becomes-link': file('x\n'),
    'becomes-directory': file('x\n'),
    'd/becomes-file': file('x\n'),
    crlf: file('a\r\nb\r\n'),
    same: file('same\n')
  })
  t.equal((await diffOf(files)).length, 0, 'nothing has changed')
  const { directory } = files
  const write = (name: string, bytes: string | Buffer) => { writeFileSync(path.join(directory, name), bytes) }
  write('text.txt', Array.from({ length: 40 }, (_, index) => index === 3 || index === 30 ? `changed ${index}\n` : `line ${index}\n`).join(''))
  write('no-end', 'a\nb\nc')
  for (const name of ['gone', 'gone.bin', 'becomes-link', 'becomes-directory']) unlinkSync(path.join(directory, name))
  write('bin ary', Buffer.from([0, 1, 2, 4, ...Array.from({ length: 5_000 }, (_, index) => (index * 7919) % 256)]))
  write('latin1.txt', Buffer.from('caf\xe9s\n', 'latin1'))
  chmodSync(path.join(directory, 'script.sh'), 0o755)
  symlinkSync('text.txt', path.join(directory, 'becomes-link'))
  mkdirSync(path.join(directory, 'becomes-directory'))
  write('becomes-directory/x', 'x\n')
  rmSync(path.join(directory, 'd'), { recursive: true })
  write('d', 'a file now\n')
  write('crlf', 'a\r\nc\r\n')
  write('empty', '')
  write('with space', 'x')
  write('tab\tand "quotes" é\nnewline', 'x\n')
  write('new.bin', Buffer.alloc(100))
  write('new.sh', '#!/bin/sh\n')
  chmodSync(path.join(directory, 'new.sh'), 0o755)

  const patch = await diffOf(files)
  t.match(patch.toString('latin1'), /^old mode 100644\nnew mode 100755$/m)
  t.match(patch.toString('latin1'), /^\\ No newline at end of file$/m)
  t.match(patch.toString('latin1'), /^diff --git "a\/tab\\tand \\"quotes\\" \\303\\251\\nnewline"/m)
  gitApply(source, patch)
  t.strictSame(gitView(source), gitView(directory))
  gitApply(source, patch, '-R')
  t.equal(gitView(source)['gone'], Buffer.from('gone\n').toString('base64'), 'and back again')

  const list = await files.server.get<{ items: FileChange[] }>(`/sessions/${files.session}/diff`, { headers: { accept: 'application/json' } })
  t.match(list.json.items.filter(({ path }) => ['bin ary', 'gone', 'new.sh', 'script.sh', 'text.txt'].includes(path)), [
    { path: 'bin ary', change: 'modified', binary: true, added: null, removed: null },
    { path: 'gone', change: 'deleted', oldMode: '100644', newMode: null, binary: false, added: 0, removed: 1 },
    { path: 'new.sh', change: 'added', oldMode: null, newMode: '100755', added: 1 },
    { path: 'script.sh', change: 'modified', oldMode: '100644', newMode: '100755', added: 0, removed: 0 },
    { path: 'text.txt', change: 'modified', added: 2, removed: 2 }
  ])
})

test('without an archive everything is new; .git, and what .gitignore names, is left out', async (t) => {
  const files = await newSession(shared)
  for (const [name, text] of Object.entries({
    '.gitignore': '*.log\n/build/\n!keep.log\ndeep/**/x\n',
    'a.txt': 'a\n',
    'a.log': 'x',
    'keep.log': 'x\n',
    'build/out': 'x',
    'src/build/in': 'in\n',
    'src/.gitignore': 'local\n!b.log\n',
    'src/local': 'x',
    'src/b.log': 'b\n',
    'deep/x': 'x',
    'deep/a/b/x': 'x',
    'deep/y': 'y\n',
    '.git/config': '[core]',
    'sub/.git': 'gitdir'
  })) await files.put(name, text)
  const list = await files.server.get<{ items: FileChange[] }>(`/sessions/${files.session}/diff`, { headers: { accept: 'application/json' } })
  t.strictSame(list.json.items.map(({ path }) => path), ['.gitignore', 'a.txt', 'deep/y', 'keep.log', 'src/.gitignore', 'src/b.log', 'src/build/in'])
  const target = t.testdir({})
  gitApply(target, await diffOf(files))
  t.equal(gitView(target)['src/build/in'], Buffer.from('in\n').toString('base64'))
})

test('what the archive brought counts as tracked, whatever .gitignore says', async (t) => {
  const files = await newSession(shared)
  await putTree(files, { '.gitignore': file('dist/\n'), 'dist/kept': file('old\n'), a: file('a\n') })
  await files.put('dist/kept', 'new\n')
  await files.put('dist/made', 'made\n')
  const list = await files.server.get<{ items: FileChange[] }>(`/sessions/${files.session}/diff`, { headers: { accept: 'application/json' } })
  t.match(list.json.items, [{ path: 'dist/kept', change: 'modified' }])
  t.equal(list.json.items.length, 1)
})

test('the baseline is the last archive before the first run, and no later one', async (t) => {
  const files = await newSession(shared)
  await putTree(files, { a: file('first\n') })
  await putTree(files, { a: file('second\n') })
  t.equal((await diffOf(files)).length, 0)
  await files.server.post(`/sessions/${files.session}/messages`, { content: 'hello' })
  await putTree(files, { a: file('third\n'), b: file('b\n') })
  t.match((await diffOf(files)).toString(), /-second\n\+third\n/)
  const answer = await files.server.get(`/sessions/${files.session}/diff`)
  t.match(answer.headers, { 'content-type': 'text/x-diff; charset=utf-8', 'content-disposition': `attachment; filename="${files.session}.diff"; filename*=UTF-8''${files.session}.diff` })
  t.equal((await files.server.get(`/sessions/${files.session}/diff`, { headers: { accept: 'image/png' } })).status, 406)
  t.match(await files.server.request('HEAD', `/sessions/${files.session}/diff`), { status: 200, text: '' })
  await shared.request('DELETE', `/sessions/${files.session}`)
  t.match(await files.server.get(`/sessions/${files.session}/diff`), { status: 404, json: { code: 'session_not_found' } })
})

test('whatever the two trees are, git apply turns the one into the other', async (t) => {
  const scratch = t.testdir({ data: {} })
  const workspaces = await openWorkspaces(path.join(scratch, 'data'))
  const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', ' x\n', 'long line '.repeat(5) + '\n', '-- \n', '\\ \n', 'é\r\n'), { maxLength: 40, size: 'max' }) // else most are too short for two hunks
    .chain((lines) => fc.constantFrom('', 'no end').map((end) => Buffer.from(lines.join('') + end)))
  const binary = fc.uint8Array({ maxLength: 400, size: 'max' }).map((bytes) => Buffer.from([0, ...bytes]))
  const regular = fc.record({ bytes: fc.oneof({ weight: 3, arbitrary: text }, binary), executable: fc.boolean() })
  const link = fc.record({ target: fc.constantFrom('a', 'b c', '../é') })
  const name = fc.constantFrom('a', 'b c', 'é', '"q"', 'd/a', 'd/e/f', 'd', 'x\ty', '-n', 'z.bin')
  const treeOf = (node: fc.Arbitrary<Node>) => fc.dictionary(name, node, { maxKeys: 7, noNullPrototype: true })
    .map((tree): Tree => Object.fromEntries(Object.entries(tree).filter(([at]) => !Object.keys(tree).some((other) => other.startsWith(`${at}/`)))))
  let run = 0
  await fc.assert(fc.asyncProperty(treeOf(regular), treeOf(fc.oneof({ weight: 4, arbitrary: regular as fc.Arbitrary<Node> }, link)), async (before, after) => {
    const sessionId = `ses_${run++}`
    const old = path.join(scratch, sessionId)
    mkdirSync(old)
    plant(old, before)
    await workspaces.create(sessionId)
    const body = execFileSync('tar', ['-czf', '-', '-C', old, '.'])
    const received = await workspaces.archives.receive(sessionId, [body] as unknown as AsyncIterable<Uint8Array>, { keepBaseline: true, signal: new AbortController().signal })
    await received.exchange({}, () => {})
    await received.settle()
    const directory = workspaceDirectory(path.join(scratch, 'data'), sessionId)
    plant(directory, after)
    const workspace = await workspaces.open(sessionId)
    const baseline = await workspaces.archives.baseline(sessionId)
    const pieces: Buffer[] = []
    for await (const change of compareWithBaseline(workspace, baseline, new AbortController().signal)) {
      for await (const piece of gitPatch(change)) pieces.push(piece)
    }
    baseline?.close()
    await workspace.close()
    if (pieces.length > 0) gitApply(old, Buffer.concat(pieces))
    t.strictSame(gitView(old), gitView(directory))
  }), { numRuns: 40 })
  await workspaces.close()
})
