import { test } from 'tap'
import { hostAllowed, judgeOrigin, urlAddress } from '../../src/routes/edge/hosts.ts'
import { ask, jsonType, startEdge } from './start-edge.ts'

test('a foreign Host is refused also with a valid key; own hosts are taken on any port', async (t) => {
  const { url, port, handled } = await startEdge(t)
  for (const host of ['evil.example', 'evil.example:3000', `127.0.0.1.evil.example:${port}`, 'localhost.evil.example', `0.0.0.0:${port}`, 'ported.example', 'localhost:x', 'a@localhost', '192.0.2.1']) {
    t.match(await ask(`${url}/echo`, { headers: { host } }), { status: 421, json: { code: 'host_not_allowed' } }, host)
    t.match(await ask(`${url}/status`, { headers: { host } }), { status: 421 }, `${host} on a public route`)
  }
  t.strictSame(handled, [])
  for (const host of [`127.0.0.1:${port}`, 'localhost', 'LOCALHOST:9999', 'localhost.', '[::1]:80', 'agent.example', 'Agent.Example:81', 'ported.example:8443', 'public.example']) {
    t.equal((await ask(`${url}/echo`, { headers: { host } })).status, 200, host)
  }
})

test('the literal address that the connection arrived at is an own host', async (t) => {
  const own = { allowedHosts: [], publicOrigin: null, corsOrigins: [] }
  const at = (localAddress: string, host: string) => hostAllowed({ host, origin: undefined, localAddress, localPort: 80 }, own)
  t.ok(at('192.0.2.7', '192.0.2.7:3000'))
  t.ok(at('::ffff:192.0.2.7', '192.0.2.7'))
  t.ok(at('2001:db8::7', '[2001:DB8::7]:3000'))
  t.notOk(at('192.0.2.7', '192.0.2.8'))
  t.notOk(hostAllowed({ host: undefined, origin: undefined, localAddress: '127.0.0.1', localPort: 80 }, own))
  t.equal(urlAddress('fe80::1%eth0'), '[fe80::1]')
})

test('a foreign Origin is refused on every method, and gets no CORS header', async (t) => {
  const { url, port, handled } = await startEdge(t)
  for (const origin of ['http://evil.example', 'https://ui.example.evil', 'http://ui.example', 'https://ui.example:8443', 'null', `https://localhost:${port}`, 'http://localhost:1', 'file://', `http://evil@localhost:${port}`]) {
    for (const method of ['GET', 'POST', 'OPTIONS', 'HEAD']) {
      const answer = await ask(`${url}/echo`, {
        method, headers: { origin, ...(method === 'POST' ? jsonType : {}), ...(method === 'OPTIONS' ? { 'access-control-request-method': 'POST' } : {}) }, ...(method === 'POST' ? { body: '{}' } : {})
      })
      t.equal(answer.status, 403, `${method} from ${origin}`)
      t.equal(answer.headers['access-control-allow-origin'], undefined)
      if (method !== 'HEAD') t.equal(answer.json.code, 'origin_not_allowed')
    }
  }
  t.strictSame(handled, [])
})

test('own origins pass: this scheme and port, the forwarded port that is in Host, and PUBLIC_URL\'s', async (t) => {
  const { url, port } = await startEdge(t)
  for (const headers of [
    { origin: `http://localhost:${port}` }, { origin: `http://127.0.0.1:${port}` }, { origin: 'https://public.example' },
    { origin: 'http://localhost:8080', host: 'localhost:8080' }, { origin: 'http://agent.example', host: 'agent.example' }
  ]) t.equal((await ask(`${url}/echo`, { headers })).status, 200, JSON.stringify(headers))
  const own = { allowedHosts: [], publicOrigin: null, corsOrigins: [] }
  t.equal(judgeOrigin({ host: 'localhost:3000', origin: 'http://localhost:8080', localAddress: '127.0.0.1', localPort: 3000 }, own), 'refused', 'another local program\'s page')
})

test('a configured origin gets its CORS headers on answers, errors and streams', async (t) => {
  const { url } = await startEdge(t, {}, ({ app }) => {
    app.get('/stream', async (_request, reply) => {
      reply.hijack()
      reply.raw.writeHead(200, { ...reply.getHeaders() as Record<string, string>, 'content-type': 'text/event-stream' }) // set by hooks, all strings
      reply.raw.end(': hello\n\n')
    })
  })
  const headers = { origin: 'https://ui.example' }
  for (const [path, status, as] of [['/echo', 200, undefined], ['/stream', 200, undefined], ['/nowhere', 404, undefined], ['/echo', 401, null]] as const) {
    const answer = await ask(`${url}${path}`, { headers, ...(as === undefined ? {} : { as }) })
    t.equal(answer.status, status, path)
    t.equal(answer.headers['access-control-allow-origin'], 'https://ui.example')
    t.match(answer.headers['vary'], /Origin/)
    t.match(answer.headers['access-control-expose-headers'], /Location.*Retry-After.*ETag/)
  }
  const without = await ask(`${url}/echo`)
  t.equal(without.headers['access-control-allow-origin'], undefined)
  t.match(without.headers['vary'], /Origin/, 'a cache must not mix the two up')
})

test('a preflight of a configured origin is answered without a key; an OPTIONS that is none is not', async (t) => {
  const { url } = await startEdge(t)
  const preflight = await ask(`${url}/echo`, { method: 'OPTIONS', as: null, headers: { origin: 'https://ui.example', 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,content-type,idempotency-key' } })
  t.equal(preflight.status, 204)
  t.equal(preflight.text, '')
  t.equal(preflight.headers['access-control-allow-origin'], 'https://ui.example')
  for (const name of ['Authorization', 'Content-Type', 'Last-Event-ID', 'Idempotency-Key', 'Prefer', 'If-Match']) t.match(preflight.headers['access-control-allow-headers'], name)
  for (const name of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) t.match(preflight.headers['access-control-allow-methods'], name)
  t.equal((await ask(`${url}/echo`, { method: 'OPTIONS', as: null, headers: { origin: 'https://ui.example' } })).status, 401)
  t.equal((await ask(`${url}/echo`, { method: 'OPTIONS', as: null, headers: { 'access-control-request-method': 'POST' } })).status, 401)
})
