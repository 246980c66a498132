import { connect, createServer } from 'node:net'
import { test } from 'tap'
import { say, startProxy } from './start-proxy.ts'
import { startTarget, targetHost } from './target.ts'

test('the host that was checked is the host that is told, and headers of a connection stay with it', async (t) => {
  const target = await startTarget(t)
  const { path } = await startProxy(t, [`${targetHost}:${target.port}`])
  const answer = await say(path, `GET http://user:pw@${targetHost}:${target.port}/a/../b%20c?d HTTP/1.1\r\nHost: other.example\r\nProxy-Authorization: Basic c2VjcmV0\r\nX-Hop: 1\r\nX-Kept: 2\r\nConnection: close, x-hop\r\n\r\n`)
  t.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
  t.match(answer, /x-target: yes/i)
  t.notMatch(answer, /x-private/i)
  t.match(target.requests, [{ method: 'GET', url: '/b%20c?d', headers: { host: `${targetHost}:${target.port}`, 'x-kept': '2' } }])
  for (const name of ['proxy-authorization', 'x-hop', 'authorization']) t.notOk(name in (target.requests[0]?.headers ?? {}), name)
})

test('two requests on one connection are decided one by one', async (t) => {
  const target = await startTarget(t)
  const { path, proxy } = await startProxy(t, [`${targetHost}:${target.port}`])
  const answer = await say(path, `GET http://${targetHost}:${target.port}/one HTTP/1.1\r\nHost: x\r\n\r\nGET http://evil.example/two HTTP/1.1\r\nHost: x\r\n\r\n`)
  t.match(answer, /reached GET \/one[^]*HTTP\/1\.1 403 Forbidden[^]*evil\.example:80 is not on the list/)
  t.equal(target.requests.length, 1)
  t.same(proxy.refusals.list(), ['evil.example:80 (not on the list)'])
})

test('a body that hides a second request reaches the target as a body', async (t) => {
  const target = await startTarget(t)
  const { path } = await startProxy(t, [`${targetHost}:${target.port}`])
  const hidden = 'GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n'
  await say(path, `POST http://${targetHost}:${target.port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`)
  t.match(await say(path, `POST http://${targetHost}:${target.port}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`), /^HTTP\/1\.1 400 /)
  t.match(target.requests, [{ method: 'POST', url: '/', body: hidden }])
  t.equal(target.requests.length, 1)
})

test('a tunnel passes bytes both ways, also those that came with CONNECT, and the end of each way', async (t) => {
  const target = await startTarget(t)
  const { path } = await startProxy(t, [`${targetHost}:${target.port}`])
  const asked = 'GET /big/3000000 HTTP/1.1\r\nHost: x\r\n\r\n'
  const early = await say(path, `CONNECT ${targetHost}:${target.port} HTTP/1.1\r\nHost: x\r\n\r\n${asked}`)
  t.match(early.slice(0, 100), /^HTTP\/1\.1 200 Connection Established\r\n\r\nHTTP\/1\.1 200 OK/)
  t.ok(early.length > 3_000_000)
  const late = await say(path, `CONNECT ${targetHost}:${target.port} HTTP/1.1\r\nHost: x\r\n\r\n`, asked)
  t.ok(late.length > 3_000_000, 'the client had closed its side')
})

test('what is no request to a proxy is told so', async (t) => {
  const { path } = await startProxy(t, ['*'])
  for (const line of ['GET / HTTP/1.1', 'GET https://a.example/ HTTP/1.1', 'GET ftp://a.example/ HTTP/1.1', 'CONNECT a.example HTTP/1.1', 'CONNECT a.example:443/x HTTP/1.1', 'CONNECT a@b:443 HTTP/1.1', 'GET http://[::1/ HTTP/1.1']) {
    t.match(await say(path, `${line}\r\nHost: x\r\nConnection: close\r\n\r\n`), /^HTTP\/1\.1 400 /, line)
  }
  t.match(await say(path, 'nonsense\r\n\r\n'), /^HTTP\/1\.1 400 /)
  t.match(await say(path, `GET http://a.example/ HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`), /^HTTP\/1\.1 431 /)
})

test('a destination that does not answer is told so, and a silent connection is cut', async (t) => {
  const target = await startTarget(t)
  const { path, proxy } = await startProxy(t, [`${targetHost}:${target.port}`, `${targetHost}:1`], { idleMs: 200 })
  t.match(await say(path, `CONNECT ${targetHost}:1 HTTP/1.1\r\nHost: x\r\n\r\n`), /^HTTP\/1\.1 502 [^]*is allowed, but cannot be connected to/)
  t.match(await say(path, `GET http://${targetHost}:1/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`), /^HTTP\/1\.1 502 /)
  t.same(proxy.refusals.list(), [`${targetHost}:1 (no connection)`])
  t.match(await say(path, `CONNECT ${targetHost}:${target.port} HTTP/1.1\r\nHost: x\r\n\r\n`), /^HTTP\/1\.1 200 /)
  t.notMatch(await say(path, `GET http://${targetHost}:${target.port}/wait HTTP/1.1\r\nHost: x\r\n\r\n`), / 200 /)
})

test('a target that answers with nonsense harms nobody but itself', async (t) => {
  const answers = ['nonsense', 'HTTP/1.1 099 Odd\r\n\r\n', 'HTTP/1.1 1000 Odd\r\n\r\n', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'HTTP/1.1 200 a\x01b\r\n\r\nx', 'HTTP/1.1 200 OK\r\nA\x01: b\r\n\r\nx', 'HTTP/1.1 200 OK\r\nA: b\x01\r\n\r\nx', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nx', `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(50_000)}\r\n\r\n`, 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', '']
  let next = 0
  const target = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => { socket.end(answers[next++] ?? '') })
  })
  await new Promise<void>((resolve) => { target.listen(0, targetHost, resolve) })
  t.teardown(() => target.close())
  const address = target.address()
  const port = typeof address === 'object' ? address?.port : 0
  const { path } = await startProxy(t, [`${targetHost}:${port}`])
  for (const answer of answers) {
    const told = await say(path, `GET http://${targetHost}:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    t.match(told, /^HTTP\/1\.1 (502|200) /, JSON.stringify(answer.slice(0, 60)))
  }
  const leaving = connect({ path })
  leaving.write(`GET http://${targetHost}:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`)
  leaving.destroy()
  t.match(await say(path, 'GET http://a.example/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 403 /)
})
