import { test } from 'tap'
import { connect } from 'node:net'
import { once } from 'node:events'
import { Ajv } from 'ajv'
import ajvFormats from 'ajv-formats'
import { AgentError } from '../../src/errors.ts'
import { Problem } from '../../src/protocol/error-codes.ts'
import { StoreError } from '../../src/store/event-log.ts'
import { ask, key, readerKey, startEdge } from './start-edge.ts'

const ajv = new Ajv({ strict: true })
ajvFormats.default(ajv)
const isProblem = ajv.compile(Problem)

test('every refusal is a problem document, whatever Accept says', async (t) => {
  const { url } = await startEdge(t)
  for (const [method, path, as, status, code] of [
    ['GET', '/nowhere', key, 404, 'not_found'], ['GET', '/echo', null, 401, 'unauthorized'], ['PUT', '/echo', key, 405, 'method_not_allowed'],
    ['GET', '/names/%ff', key, 400, 'invalid_request'], ['GET', `/names/${'x'.repeat(300)}`, key, 404, 'not_found'], ['POST', '/echo', readerKey, 403, 'scope_missing'],
    ['GET', '/echo?limit=x', key, 400, 'invalid_request']
  ] as const) {
    const answer = await ask(`${url}${path}`, { method, as, headers: { accept: 'text/event-stream' } })
    t.equal(answer.status, status, `${method} ${path}`)
    t.match(answer.headers['content-type'], 'application/problem+json')
    t.ok(isProblem(answer.json), answer.text)
    t.match(answer.json, { status, code, type: `/docs/errors#${code}`, requestId: answer.headers['x-request-id'] })
    t.equal(answer.headers['cache-control'], 'no-store')
    t.equal(answer.headers['x-content-type-options'], 'nosniff')
  }
})

test('405 names the methods of the path, and HEAD of a route without it ends', async (t) => {
  const { url } = await startEdge(t)
  t.equal((await ask(`${url}/echo`, { method: 'DELETE' })).headers['allow'], 'GET, POST')
  t.equal((await ask(`${url}/names/a%2Fb?x=1`, { method: 'POST' })).headers['allow'], 'GET')
  const head = await ask(`${url}/echo`, { method: 'HEAD' })
  t.match(head, { status: 405, text: '' })
  t.equal((await ask(`${url}/status`, { method: 'HEAD' })).status, 200)
})

test('an AgentError carries its suggestion, extra members and Retry-After', async (t) => {
  const { url } = await startEdge(t, {}, ({ app }) => {
    app.get('/busy', async () => { throw new AgentError('run_active', 'Run run_1 is active.', { suggestion: 'Cancel it.', extra: { run: { id: 'run_1' }, status: 1 }, retryAfterS: 2.1 }) })
    app.get('/full', async () => { throw new AgentError('too_many_runs', 'Too many.') })
  })
  const busy = await ask(`${url}/busy`)
  t.match(busy, { status: 409, json: { code: 'run_active', detail: 'Run run_1 is active.', suggestion: 'Cancel it.', run: { id: 'run_1' }, status: 409, canRetry: true } })
  t.equal(busy.headers['retry-after'], '3')
  t.equal((await ask(`${url}/full`)).headers['retry-after'], '1')
})

test('an error of the store keeps its code and loses its text; one that nobody knows is internal; both are logged whole', async (t) => {
  const { url, log } = await startEdge(t, {}, ({ app }) => {
    app.get('/disk', async () => { throw new StoreError('storage_full', 'SQLITE_FULL at /srv/secret/path') })
    app.get('/bug', async () => { throw Object.assign(new TypeError('x of undefined in /srv/secret/path'), { headers: { authorization: 'Bearer leaked' } }) })
    // eslint-disable-next-line no-throw-literal -- a library may
    app.get('/odd', async () => { throw 'a string' })
  })
  t.match(await ask(`${url}/disk`), { status: 507, json: { code: 'storage_full' } })
  t.match(await ask(`${url}/odd`), { status: 500, json: { code: 'internal' } })
  const bug = await ask(`${url}/bug`)
  t.match(bug, { status: 500, json: { code: 'internal', canRetry: true } })
  t.notMatch(bug.text, /secret|undefined|stack|at /)
  const lines = log.join('')
  t.match(lines, /SQLITE_FULL at/)
  t.match(lines, /x of undefined/)
  t.match(lines, bug.json.requestId)
  t.notMatch(lines, /leaked/)
})

test('what is no HTTP, or has too large headers, gets a problem and the end of its connection', async (t) => {
  const { port } = await startEdge(t)
  const send = async (text: string) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (data) => { answer += data.toString() })
    socket.on('error', () => {})
    socket.write(text)
    await once(socket, 'close')
    return answer
  }
  t.match(await send('GARBAGE\r\n\r\n'), /^HTTP\/1\.1 400 .*"code":"invalid_request"/s)
  t.match(await send(`GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`), /^HTTP\/1\.1 431 .*"code":"headers_too_large"/s)
})

test('a server that drains refuses new work with 503, but answers public routes', async (t) => {
  const { url, drain } = await startEdge(t)
  drain()
  const answer = await ask(`${url}/echo`)
  t.match(answer, { status: 503, json: { code: 'shutting_down' } })
  t.equal(answer.headers['retry-after'], '2')
  t.equal((await ask(`${url}/status`, { as: null })).status, 200)
})
