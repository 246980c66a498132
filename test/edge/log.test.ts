import { test } from 'tap'
import { once } from 'node:events'
import { request } from 'undici'
import { createLogger } from '../../src/routes/edge/log.ts'
import { ask, jsonType, key, startEdge } from './start-edge.ts'

const entries = (log: string[]) => log.map((line) => JSON.parse(line)).filter((entry) => entry.msg !== undefined && !entry.msg.startsWith('Server listening'))

test('a request is one line: method, route pattern, status, requestId, duration; no path, query, header or body', async (t) => {
  const { url, log } = await startEdge(t)
  const answer = await ask(`${url}/names/PATHSECRET?token=SECRET`, { headers: { 'x-other': 'HEADERSECRET' } })
  await ask(`${url}/echo?limit=x&token=SECRET`)
  await ask(`${url}/nowhere/PATHSECRET?token=SECRET`)
  await ask(`${url}/%ff?token=SECRET`)
  await ask(`${url}/echo`, { method: 'POST', headers: jsonType, body: '{"BODYSECRET":1}' })
  await ask(`${url}/echo?token=SECRET`, { as: 'wrong-wrong-wrong-wrong' })
  t.match(entries(log)[0], { msg: 'request', method: 'GET', route: '/names/:name', status: 200, requestId: answer.headers['x-request-id'], durationMs: Number })
  t.match(entries(log).find((entry) => entry.status === 404), { route: null, code: 'not_found' })
  const all = log.join('')
  t.notMatch(all, /SECRET/)
  t.notMatch(all, key)
  t.notMatch(all, 'wrong-wrong')
})

test('line breaks from outside never make a second log line', async (t) => {
  const { url, log } = await startEdge(t, {}, ({ app }) => {
    app.get('/fails/:name', async (request) => { throw new Error(`no such thing: ${JSON.stringify(request.params)}\n{"level":60}`) })
  })
  await ask(`${url}/fails/a%0A%7B%22level%22%3A60%7D`)
  await ask(`${url}/echo`, { headers: { 'x-request-id': 'a"}{"level":60' } })
  for (const line of log) t.equal(line.indexOf('\n'), line.length - 1)
  t.ok(entries(log).every((entry) => entry.level < 60))
})

test('a client\'s request id is taken only when it is harmless', async (t) => {
  const { url } = await startEdge(t)
  t.equal((await ask(`${url}/echo`, { headers: { 'x-request-id': 'trace-1.a_B' } })).headers['x-request-id'], 'trace-1.a_B')
  for (const id of ['a b', 'a"b', 'x'.repeat(65), 'é']) t.match((await ask(`${url}/echo`, { headers: { 'x-request-id': id } })).headers['x-request-id'], /^req_/)
})

test('a stream whose client goes away is logged too, as aborted', async (t) => {
  const { url, log } = await startEdge(t, {}, ({ app }) => {
    app.get('/stream', async (_request, reply) => {
      reply.hijack()
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.raw.write(': hello\n\n')
      await once(reply.raw, 'close')
    })
  })
  const answer = await request(`${url}/stream`, { headers: { authorization: `Bearer ${key}` } })
  await once(answer.body, 'readable')
  answer.body.on('error', () => {})
  answer.body.destroy()
  for (let i = 0; i < 100 && entries(log).length === 0; i++) await new Promise((resolve) => setTimeout(resolve, 10))
  t.match(entries(log)[0], { route: '/stream', status: 200, aborted: true })
})

test('an error that a library dressed up with requests and keys shows its text, stack, code and causes alone', async (t) => {
  const log: string[] = []
  const logger = createLogger('info', { write: (line: string) => { log.push(line) } })
  const error = Object.assign(new Error('outer', { cause: Object.assign(new Error('inner'), { code: 'ECONNREFUSED', key: 'SECRET' }) }), { request: { headers: { authorization: 'SECRET' } } })
  logger.warn({ err: error, req: { method: 'GET', url: '/?token=SECRET', headers: { authorization: 'SECRET' } } }, 'failed')
  t.match(JSON.parse(log[0] ?? ''), { err: { message: 'outer', cause: { message: 'inner', code: 'ECONNREFUSED' } }, req: { method: 'GET' } })
  t.notMatch(log.join(''), /SECRET/)
})
