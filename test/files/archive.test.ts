import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { pack, type Header } from 'tar-stream'
import t, { test } from 'tap'
import type { PutArchive } from '../../src/protocol/files.ts'
import { snapshot } from '../workspace/snapshot.ts'
import { startServer } from '../support/server.ts'
import { newSession, startFiles } from './file-server.ts'

const shared = await startServer(t)

type Entry = Partial<Header> & Pick<Header, 'name'> & { content?: string }

/** An archive made by hand: what no sane program would make. */
async function archiveOf (entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack()
  for (const { content, ...header } of entries) archive.entry(header, content ?? '')
  archive.finalize()
  const pieces: Buffer[] = []
  for await (const piece of archive) pieces.push(piece as Buffer) // tar-stream gives buffers
  return gzipSync(Buffer.concat(pieces))
}

function tar (directory: string, ...args: string[]): Buffer {
  return execFileSync('tar', ['-czf', '-', '-C', directory, ...args], { maxBuffer: 1 << 28 })
}

function sampleTree (directory: string): void {
  mkdirSync(path.join(directory, 'src/deep/er'), { recursive: true })
  mkdirSync(path.join(directory, 'empty'))
  writeFileSync(path.join(directory, 'README'), 'read me\n')
  writeFileSync(path.join(directory, 'run.sh'), '#!/bin/sh\n')
  chmodSync(path.join(directory, 'run.sh'), 0o755)
  writeFileSync(path.join(directory, 'src/deep/er/ü 日本.bin'), Buffer.from([0, 1, 2, 255]))
  writeFileSync(path.join(directory, `src/${'long-name-'.repeat(20)}`), 'long')
  writeFileSync(path.join(directory, 'src/big'), Buffer.alloc(1_000_000, 'big '))
  writeFileSync(path.join(directory, 'src/new\nline'), '')
}

test('what real tar makes comes in, and goes out again as it was', async (t) => {
  const { server, session, directory, events } = await newSession(shared)
  const source = t.testdir({})
  sampleTree(source)
  const archive = `/sessions/${session}/archive`
  const put = await server.request<PutArchive>('PUT', archive, { body: tar(source, '.') })
  t.match(put, { status: 200, json: { files: 6, bytes: 1_000_000 + 4 + 8 + 10 + 4, baseline: true } })
  t.strictSame(snapshot(directory), snapshot(source))
  t.match((await events(session)).at(-1), { type: 'files_changed', how: 'archive', paths: ['README', 'empty', 'run.sh', 'src'], by: { kind: 'key' } })
  symlinkSync('README', path.join(directory, 'link'))

  const answer = await fetch(server.url + archive, { headers: { authorization: `Bearer ${server.key}` } })
  t.equal(answer.headers.get('content-type'), 'application/gzip')
  t.equal(answer.headers.get('content-disposition'), `attachment; filename="${session}.tar.gz"; filename*=UTF-8''${session}.tar.gz`)
  t.equal(answer.headers.get('omitted-entries'), '1', 'a link could not come back')
  const back = path.join(source, '..', `${path.basename(source)}-back`)
  mkdirSync(back)
  t.teardown(() => { execFileSync('rm', ['-rf', back]) })
  const bytes = Buffer.from(await answer.arrayBuffer())
  execFileSync('tar', ['-xzf', '-', '-C', back], { input: bytes })
  t.strictSame(snapshot(back), snapshot(source))
  t.equal((await server.request('PUT', archive, { body: bytes })).status, 200, 'and in again')
  t.strictSame(snapshot(directory), snapshot(source), 'the link is gone: everything is replaced')
  t.strictSame(readdirSync(path.join(server.dataDir, 'incoming')), [])
  t.match(await server.request('HEAD', archive), { status: 200, text: '', headers: { 'content-type': 'application/gzip' } })
})

test('what git archive makes comes in', async (t) => {
  const { server, session, directory } = await newSession(shared)
  const source = t.testdir({})
  sampleTree(source)
  const git = (...args: string[]) => execFileSync('git', ['-C', source, '-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { maxBuffer: 1 << 28 })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'x')
  t.equal((await server.request('PUT', `/sessions/${session}/archive`, { body: git('archive', '--format=tar.gz', 'HEAD') })).status, 200)
  t.strictSame(Object.keys(snapshot(directory)), Object.keys(snapshot(source)).filter((name) => !name.startsWith('.git/') && name !== 'empty/'))
})

test('an archive that is not only files and directories inside is refused whole, and nothing outside is touched', async (t) => {
  const { server, session, directory, put, events } = await startFiles(t, { MAX_WORKSPACE_BYTES: String(64 * 1024 ** 2), MAX_WORKSPACE_FILES: '50' })
  await put('kept', 'kept')
  const outside = path.join(server.dataDir, 'outside')
  mkdirSync(outside)
  writeFileSync(path.join(outside, 'secret'), 'SECRET')
  const before = [snapshot(outside), snapshot(directory)]
  const cases: Record<string, readonly Entry[] | Buffer> = {
    'a path upwards': [{ name: '../../outside/x', content: 'x' }],
    'a path up and down': [{ name: 'a/../../../outside/x', content: 'x' }],
    'an absolute path': [{ name: '/etc/x', content: 'x' }],
    'the mount of commands': [{ name: '/workspace/x', content: 'x' }],
    'a link': [{ name: 'l', type: 'symlink', linkname: '../../outside' }],
    'a link, then a file through it': [{ name: 'l', type: 'symlink', linkname: '../../outside' }, { name: 'l/x', content: 'x' }],
    'a hard link': [{ name: 'h', type: 'link', linkname: '../../outside/secret' }],
    'a device': [{ name: 'd', type: 'character-device', devmajor: 1, devminor: 5 }],
    'a FIFO': [{ name: 'f', type: 'fifo' }],
    'the same file twice': [{ name: 'a', content: '1' }, { name: './a', content: '2' }],
    'the same directory twice': [{ name: 'a', type: 'directory' }, { name: 'a/', type: 'directory' }],
    'a file, then a directory of its name': [{ name: 'a', content: '1' }, { name: 'a/b', content: '2' }],
    'a directory, then a file of its name': [{ name: 'a/b', content: '1' }, { name: 'a', content: '2' }],
    'a file without a name': [{ name: './', type: 'file', content: '1' }],
    'a name that is no UTF-8': [{ name: 'x', pax: { path: 'a\ufffdb' } }],
    'a name that is too long': [{ name: 'n'.repeat(300), content: '1' }],
    'a path that is too deep': [{ name: `${'d/'.repeat(70)}x`, content: '1' }],
    'no gzip': Buffer.from('hello'),
    nothing: Buffer.alloc(0),
    'a gzip of nothing': gzipSync(''),
    'a gzip of something else': gzipSync(Buffer.alloc(2_000, 'x')),
    'a broken gzip': (await archiveOf([{ name: 'a', content: 'a'.repeat(10_000) }])).subarray(0, -20),
    'a broken tar': gzipSync(execFileSync('tar', ['-cf', '-', '-C', outside, 'secret']).subarray(0, 515))
  }
  for (const [name, made] of Object.entries(cases)) {
    const body = Buffer.isBuffer(made) ? made : await archiveOf(made)
    const answer = await server.request<{ code: string, detail: string }>('PUT', `/sessions/${session}/archive`, { body })
    t.strictSame([answer.status, answer.json.code], [422, 'invalid_archive'], `${name}: ${answer.json.detail}`)
    t.notOk(answer.text.includes(server.dataDir), 'no path of the host')
  }
  const many = Array.from({ length: 60 }, (_, index) => ({ name: `f${index}`, content: '' }))
  t.match(await server.request('PUT', `/sessions/${session}/archive`, { body: await archiveOf(many) }), { status: 507, json: { code: 'workspace_full' } })
  t.strictSame([snapshot(outside), snapshot(directory)], before)
  t.strictSame(readdirSync(path.join(server.dataDir, 'incoming')), [], 'nothing is left of them')
  t.notOk(existsSync(path.join(server.dataDir, 'baselines', session)))
  t.equal((await events(session)).filter(({ type }) => type === 'files_changed').length, 1)
})

test('archiveRatioMax, archiveFreeBytes: a bomb is refused by what comes out of it, and costs little', async (t) => {
  const { server, session, put, get } = await newSession(shared)
  await put('kept', 'kept')
  const zeros = gzipSync(Buffer.alloc(64 * 1024 ** 2)) // gzip files one after the other are one
  const tenGiB = Buffer.concat(Array.from({ length: 160 }, () => zeros))
  const header = execFileSync('sh', ['-c', `cd ${JSON.stringify(t.testdir({}))} && truncate -s 10G zeros && tar -cf - zeros | head -c 512`])
  const bombs = { 'zeros that are no entries': tenGiB, 'a file of zeros': Buffer.concat([gzipSync(header), tenGiB]) }
  for (const [name, body] of Object.entries(bombs)) {
    const began = performance.now()
    const answer = await server.request<{ code: string }>('PUT', `/sessions/${session}/archive`, { body })
    t.match(answer.json.code, /^(invalid_archive|workspace_full)$/, name)
    t.ok(performance.now() - began < 10_000)
  }
  const peak = Number(/VmHWM:\s+(\d+) kB/.exec(execFileSync('cat', [`/proc/${server.pid}/status`]).toString())?.[1])
  t.ok(peak < 400_000, `memory stayed bounded: ${peak} kB`)
  t.equal((await get('kept')).text, 'kept')
})

test('an archive wants an idle session; files do not', async (t) => {
  const { server, session, put, directory } = await newSession(shared)
  const archive = `/sessions/${session}/archive`
  const body = await archiveOf([{ name: 'a', content: 'a' }])
  const run = await server.post<{ run: { id: string }, id: string }>(`/sessions/${session}/messages`, { content: 'write hello.txt with "Hello"' })
  t.equal(run.status, 202, 'it waits for an approval')
  t.match(await server.request('PUT', archive, { body }), { status: 409, json: { code: 'run_active', canRetry: true } })
  t.equal((await put('f', 'beside the run')).status, 201)
  t.equal((await server.post(`/sessions/${session}/cancel`, {})).status, 200)
  await server.get(`/sessions/${session}/runs/${run.json.id}`, { headers: { prefer: 'wait=5' } })
  t.match(await server.request('PUT', archive, { body }), { status: 200, json: { baseline: false } }, 'a run has been: the diff counts from where it did')
  t.strictSame(readdirSync(directory), ['a'])
})
