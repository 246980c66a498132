import { test } from 'tap'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Session } from '../../src/protocol/resources.ts'
import { startServer } from '../support/server.ts'

const hasCurl = spawnSync('curl', ['--version']).status === 0

test('the lines of the banner work when they are pasted: the demo writes a file after an approval', { skip: hasCurl ? false : 'no curl here' }, async (t) => {
  const server = await startServer(t)
  const lines = (server.stdout().split('Try it:\n')[1] ?? '').split('\n').map((line) => line.trim()).filter((line) => line !== '' && !line.includes('/events'))
  const { stdout, status } = spawnSync('sh', ['-e', '-c', `${lines.join('\n')}\necho "session $S"`], { encoding: 'utf8' })
  t.equal(status, 0)
  t.match(stdout, /"status":"awaiting_approval"[^]*"status":"approved"/)
  const sessionId = /^session (\S+)$/m.exec(stdout)?.[1] ?? ''
  const stream = await server.stream(`/sessions/${sessionId}/events`)
  await stream.until('run_end')
  t.match(await readFile(path.join(server.dataDir, 'workspaces', sessionId, 'hello.txt'), 'utf8'), /./)
})

test('a stream carries the CORS headers of a configured origin, and a foreign origin gets none of it', async (t) => {
  const server = await startServer(t, { env: { CORS_ORIGINS: 'https://ui.example' } })
  const { json: session } = await server.post<Session>('/sessions', {})
  const stream = await server.stream(`/sessions/${session.id}/events`, { headers: { origin: 'https://ui.example' } })
  t.match(stream.headers, { 'access-control-allow-origin': 'https://ui.example', vary: /Origin/, 'content-type': /^text\/event-stream/, 'cache-control': /no-transform/ })
  const refused = await server.get(`/sessions/${session.id}/events`, { headers: { origin: 'https://evil.example', accept: 'text/event-stream' } })
  t.match(refused, { status: 403, json: { code: 'origin_not_allowed' } })
  t.equal(refused.headers['access-control-allow-origin'], undefined)
})

test('HEAD of the event route ends and leaves no stream open', async (t) => {
  const server = await startServer(t)
  const { json: session } = await server.post<Session>('/sessions', {})
  const head = await server.request('HEAD', `/sessions/${session.id}/events`, { headers: { accept: 'text/event-stream' }, signal: AbortSignal.timeout(5000) })
  t.ok([200, 405].includes(head.status))
  t.equal(head.text, '')
  t.match((await server.get('/metrics')).text, /^ecluse_open_streams 0$/m)
})

test('SIGTERM with an open stream ends it, and the process ends with 0', async (t) => {
  const server = await startServer(t)
  const { json: session } = await server.post<Session>('/sessions', {})
  const stream = await server.stream(`/sessions/${session.id}/events`)
  await stream.until('snapshot')
  const began = performance.now()
  t.strictSame(await server.stop(), { code: 0, signal: null })
  t.ok(performance.now() - began < 5000)
  t.strictSame(await stream.rest(), [])
  t.ok(Number(stream.retryMs) > 0, 'it says when to come back')
})

test('a data directory serves one server at a time, and the second says who has it', async (t) => {
  const server = await startServer(t)
  await t.rejects(startServer(t, { dataDir: server.dataDir }), { message: new RegExp(`exit code 1\\)[^]*in use by another server \\(pid ${server.pid}\\)`) })
  t.equal((await server.get('/ready')).status, 200)
})

test('what the process answers to the unknown is a problem, never Fastify\'s own form', async (t) => {
  const server = await startServer(t)
  for (const [method, at] of [['GET', '/sessions/ses_none'], ['GET', '/nowhere'], ['DELETE', '/tools'], ['GET', '/sessions/%ff'], ['POST', '/sessions?x=1']] as const) {
    const answer = await server.request<{ code: string, requestId: string }>(method, at, method === 'POST' ? { body: '{', headers: { 'content-type': 'application/json' } } : {})
    t.match(answer.headers['content-type'], 'application/problem+json', `${method} ${at}`)
    t.equal(answer.json.requestId, answer.headers['x-request-id'])
  }
})
