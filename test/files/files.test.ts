import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { test } from 'tap'
import type { DirectoryListing, PutFile } from '../../src/protocol/files.ts'
import { startServer } from '../support/server.ts'
import { newSession, startFiles } from './file-server.ts'

const shared = await startServer(t)

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('a file is written as it is, read as an attachment, and its change is in the log', async (t) => {
  const { session, url, server, put, events } = await newSession(shared)
  const bytes = Buffer.from([0, 255, 10, 13, 128])
  const made = await put<PutFile>('a/b é.bin', bytes)
  t.equal(made.status, 201)
  t.strictSame(made.json, { path: 'a/b é.bin', type: 'file', size: 5, sha256: sha256(bytes) })
  t.equal(made.headers['etag'], `"${sha256(bytes)}"`)
  const answer = await fetch(`${server.url}${url('a/b é.bin')}`, { headers: { authorization: `Bearer ${server.key}` } })
  t.strictSame(Buffer.from(await answer.arrayBuffer()), bytes)
  t.equal(answer.headers.get('content-type'), 'application/octet-stream')
  t.equal(answer.headers.get('content-disposition'), 'attachment; filename="b _.bin"; filename*=UTF-8\'\'b%20%C3%A9.bin')
  t.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  t.equal(answer.headers.get('etag'), made.headers['etag'])
  t.equal(answer.headers.get('content-length'), '5')
  t.equal((await put('a/b é.bin', 'again')).status, 200)
  t.equal((await put('a/b é.bin', 'again')).status, 200)
  t.match((await events(session)).filter(({ type }) => type === 'files_changed'), [
    { how: 'put', paths: ['a/b é.bin'], omitted: 0, by: { kind: 'key' } }, { how: 'put', paths: ['a/b é.bin'] }
  ], 'the same content again changes nothing')
})

test('HTML is never shown in the browser: it is an attachment too', async (t) => {
  const { get, put } = await newSession(shared)
  await put('x.html', '<script>alert(1)</script>', { 'content-type': 'text/html' })
  t.match((await get('x.html')).headers, { 'content-type': 'application/octet-stream', 'content-disposition': /^attachment; filename="x.html"/ })
  await put('we"ird\\\n%.txt', 'x')
  t.match((await get('we"ird\\\n%.txt')).headers, { 'content-disposition': 'attachment; filename="we__ird___.txt"; filename*=UTF-8\'\'we%22ird%5C%0A%25.txt'.replace('we__ird', 'we_ird') })
})

test('preconditions: If-Match and If-None-Match, on every method', async (t) => {
  const { get, put, remove, head } = await newSession(shared)
  const ifMatch = (value: string) => ({ 'if-match': value })
  const ifNoneMatch = (value: string) => ({ 'if-none-match': value })
  t.match(await put('f', 'one', ifMatch('*')), { status: 412, json: { code: 'precondition_failed' } }, 'nothing is there')
  t.equal((await put('f', 'one', ifNoneMatch('*'))).status, 201)
  t.equal((await put('f', 'two', ifNoneMatch('*'))).status, 412, 'create only')
  const etag = `"${sha256('one')}"`
  t.equal((await get('f', ifNoneMatch(etag))).status, 304)
  t.equal((await get('f', ifNoneMatch(`W/${etag}`))).status, 304, 'weak comparison')
  t.equal((await get('f', ifMatch('"other"'))).status, 412)
  t.equal((await get('f', ifMatch(`"other", ${etag}`))).text, 'one')
  t.equal((await put('f', 'two', ifMatch('"other"'))).status, 412)
  t.equal((await put('f', 'two', ifMatch(`W/${etag}`))).status, 412, 'strong comparison')
  t.equal((await put('f', 'two', ifMatch('nonsense'))).json.code, 'invalid_request')
  t.equal((await get('f')).text, 'one')
  t.equal((await put('f', 'two', ifMatch(etag))).status, 200)
  t.equal((await remove('f', ifMatch(etag))).status, 412, 'it is another by now')
  t.match(await head('f'), { status: 200, text: '', headers: { 'content-length': '3', etag: `"${sha256('two')}"` } })
  t.equal((await remove('f', ifMatch(`"${sha256('two')}"`))).status, 204)
  t.equal((await remove('f')).json.code, 'file_not_found')
})

test('a directory is listed in pages, by the order of bytes', async (t) => {
  const { get, put, directory } = await newSession(shared)
  for (const name of ['b', 'a', 'd/x', 'c']) await put(name, name)
  symlinkSync('a', path.join(directory, 'link'))
  writeFileSync(Buffer.concat([Buffer.from(directory), Buffer.from('/e'), Buffer.from([0xff])]), '')
  const all = await get<DirectoryListing>('')
  t.match(all.json, {
    path: '',
    entries: [
      { name: 'a', type: 'file', size: 1, mode: 0o644, mtime: /^\d{4}-.*Z$/, addressable: true }, { name: 'b' }, { name: 'c' },
      { name: 'd', type: 'directory' }, { name: 'e\ufffd', addressable: false }, { name: 'link', type: 'symlink', target: 'a' }
    ],
    nextCursor: null
  })
  const names: string[] = []
  for (let cursor = ''; ;) {
    const page = await get<DirectoryListing>(`?limit=1${cursor}`)
    names.push(...page.json.entries.map(({ name }) => name))
    if (page.json.nextCursor === null) break
    cursor = `&cursor=${page.json.nextCursor}`
  }
  t.strictSame(names, all.json.entries.map(({ name }) => name))
  t.match((await get<DirectoryListing>('d/')).json, { path: 'd', entries: [{ name: 'x' }] })
  t.equal((await get('a/')).json.code, 'not_a_file')
  t.equal((await get('link')).text, 'a', 'links inside are followed')
})

test('a path with a slash at its end makes a directory; deleting one that is not empty has to be said', async (t) => {
  const { put, remove, session, directory, events } = await newSession(shared)
  t.match(await put('d/e/', ''), { status: 201, json: { path: 'd/e', type: 'directory' } })
  t.equal((await put('d/e/', '')).status, 200)
  t.equal((await put('d/f/', 'content')).json.code, 'invalid_request')
  t.ok(statSync(path.join(directory, 'd/e')).isDirectory())
  t.equal((await put('d/e', 'x')).json.code, 'not_a_file')
  t.equal((await put('d/e/g', 'x')).status, 201)
  t.equal((await put('d/e/g/', '')).json.code, 'not_a_file')
  t.equal((await put('d/e/g/h', 'x')).json.code, 'not_a_file')
  t.equal((await remove('d')).json.code, 'directory_not_empty')
  t.equal((await remove('d?recursive=true')).status, 204)
  t.strictSame(readdirSync(directory), [])
  t.match((await events(session)).slice(1), [{ how: 'put', paths: ['d/e'] }, { how: 'put', paths: ['d/e/g'] }, { how: 'delete', paths: ['d'] }])
})

test('nothing leads out: encoded dots, absolute paths, NUL, broken encoding, links', async (t) => {
  const { server, base, put, get, remove, directory } = await newSession(shared)
  const outside = path.join(server.dataDir, 'outside')
  mkdirSync(outside)
  writeFileSync(path.join(outside, 'secret'), 'SECRET')
  symlinkSync('../../outside', path.join(directory, 'out'))
  symlinkSync('../../outside/new', path.join(directory, 'dangling'))
  for (const bad of ['..%2f..%2foutside%2fsecret', '%2e%2e%2f%2e%2e%2foutside%2fsecret', 'a/..%2f..%2foutside/secret', '%2fetc%2fpasswd', '/etc/passwd', 'x%00.txt', `${'a/'.repeat(70)}x`, 'n'.repeat(300)]) {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await server.request<{ code: string }>(method, `${base}/${bad}`, method === 'PUT' ? { body: 'x' } : {})
      t.strictSame([answer.status, answer.json.code], [400, 'invalid_path'], `${method} ${bad.slice(0, 40)}`)
      t.notMatch(answer.text, /SECRET/)
      t.notOk(answer.text.includes(server.dataDir))
    }
  }
  for (const bad of ['%ff', '%zz', '%ed%a0%80']) t.match(await server.get(`${base}/${bad}`), { status: 400, json: { code: 'invalid_request' } }, bad)
  await put('a/b', 'inside')
  t.equal((await server.get(`${base}/a%2Fb`)).text, 'inside', 'what counts is the path after decoding')
  for (const link of ['out/secret', 'dangling']) {
    t.equal((await get(link)).json.code, 'not_a_file')
    t.equal((await put(link, 'x')).json.code, 'not_a_file')
  }
  t.equal((await remove('out')).status, 204, 'the link itself')
  t.strictSame(readdirSync(outside), ['secret'])
  t.equal(readFileSync(path.join(outside, 'secret'), 'utf8'), 'SECRET')
})

test('read is enough to read, run to write; a session of another team is not there', async (t) => {
  const { server, base, put } = await startFiles(t, {
    API_KEYS: 'a/all:one-key-one-key-one,a/reader:read:two-key-two-key-two,a/runner:run:three-key-three-key,b/other:four-key-four-key-fo'
  })
  await put('f', 'x')
  const as = (key: string) => ({ key })
  t.equal((await server.get(`${base}/f`, as('two-key-two-key-two'))).text, 'x')
  t.equal((await server.request('PUT', `${base}/f`, { body: 'y', key: 'two-key-two-key-two' })).status, 403)
  t.equal((await server.request('DELETE', `${base}/f`, as('two-key-two-key-two'))).status, 403)
  t.equal((await server.get(`${base}/f`, as('three-key-three-key'))).status, 403)
  t.equal((await server.request('PUT', `${base}/f`, { body: 'y', key: 'three-key-three-key' })).status, 200)
  for (const method of ['GET', 'PUT', 'DELETE']) t.match(await server.request(method, `${base}/f`, as('four-key-four-key-fo')), { status: 404, json: { code: 'session_not_found' } })
  t.equal((await server.request('POST', `${base}/f`, { json: {} })).headers['allow'], 'DELETE, GET, HEAD, PUT')
})

test('the quota holds, and a refused upload leaves nothing', async (t) => {
  const { server, put, get, directory } = await startFiles(t, { MAX_WORKSPACE_BYTES: String(1024 ** 2), MAX_WORKSPACE_FILES: '3' })
  t.equal((await put('a', Buffer.alloc(600_000))).status, 201)
  t.match(await put('b', Buffer.alloc(600_000)), { status: 507, json: { code: 'workspace_full' } })
  t.equal((await put('a', Buffer.alloc(1_000_000))).status, 200, 'a file in its own place needs only what it grows')
  t.equal((await put('big', Buffer.alloc(1_100_000))).json.code, 'payload_too_large')
  t.equal((await put('c/d', 'x')).status, 201)
  t.equal((await put('e/', '')).json.code, 'workspace_full', 'directories count')
  t.strictSame(readdirSync(directory).sort(), ['a', 'c'])
  t.strictSame(readdirSync(path.join(server.dataDir, 'incoming')), [])
  t.equal((await get('a')).headers['content-length'], '1000000')
})

test('a client that breaks off leaves the file as it was', async (t) => {
  const { server, base, put, get } = await newSession(shared)
  await put('f', 'old')
  const stop = new AbortController()
  const upload = fetch(`${server.url}${base}/f`, {
    method: 'PUT',
    signal: stop.signal,
    headers: { authorization: `Bearer ${server.key}` },
    duplex: 'half',
    body: new ReadableStream({
      start: (controller) => { controller.enqueue(Buffer.alloc(100_000)) },
      pull: async () => { await new Promise(() => {}) }
    })
  } as RequestInit)
  const incoming = path.join(server.dataDir, 'incoming')
  while (readdirSync(incoming).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  stop.abort()
  await t.rejects(upload)
  while (readdirSync(incoming).length > 0) await new Promise((resolve) => setTimeout(resolve, 10))
  t.equal((await get('f')).text, 'old')
  t.notOk(existsSync(path.join(server.dataDir, 'incoming', 'x')))
})
