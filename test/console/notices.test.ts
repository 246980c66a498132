import { test } from 'tap'
import type { Run, Session } from '../../src/protocol/resources.ts'
import { startServer } from '../support/server.ts'

const keys = 'red/ann:the-key-of-ann-0123,blue/bob:the-key-of-bob-01234,red/ci:run:the-key-of-ci-01234567'

test('a stream over all sessions tells what to fetch, and only to the session\'s own team', async (t) => {
  const server = await startServer(t, { env: { API_KEYS: keys, HEARTBEAT_MS: '50' } })
  const bob = { key: 'the-key-of-bob-01234' }
  const anns = await server.stream('/events', { headers: { accept: 'text/event-stream' } })
  const bobs = await server.stream('/events', { headers: { accept: 'text/event-stream', authorization: `Bearer ${bob.key}` } })
  await server.post('/sessions', {}, bob)
  const { json: session } = await server.post<Session>('/sessions', {})
  const { json: run } = await server.post<Run>(`/sessions/${session.id}/messages`, { content: 'write a.txt containing "x"' })
  const callId = run.approvals[0]?.callId
  await server.post(`/approvals/${callId}`, { decision: 'deny' })
  await server.get(`/sessions/${session.id}/runs/${run.id}`, { headers: { prefer: 'wait=10' } })
  await server.request('DELETE', `/sessions/${session.id}`)
  const told = await anns.until((event) => JSON.stringify(event.data).includes('deleted'))
  const notices = told.map(({ data }) => data)
  t.ok(notices.every((notice) => (notice as { sessionId: string }).sessionId === session.id)) // every notice has one
  t.match(notices[0], { type: 'session_changed', status: 'idle' })
  for (const status of ['pending', 'denied']) t.ok(notices.some((notice) => JSON.stringify(notice) === JSON.stringify({ type: 'approval_changed', callId, sessionId: session.id, status })), status)
  const place = (wanted: object): number => notices.findIndex((notice) => JSON.stringify(notice) === JSON.stringify(wanted))
  t.ok(place({ type: 'approval_changed', callId, sessionId: session.id, status: 'pending' }) < place({ type: 'session_changed', sessionId: session.id, status: 'awaiting_approval' }), 'who hears that it waits finds the question there')
  t.ok(told.every(({ id }) => id === null || id === undefined || id === ''), 'no id: there is nothing to come back to')
  const { text } = await server.get('/metrics')
  t.match(text, /ecluse_open_streams 2/)
  await anns.close()
  await bobs.close()
})

test('it wants a key that may read, and a client that takes a stream', async (t) => {
  const server = await startServer(t, { env: { API_KEYS: keys } })
  t.match(await server.get('/events', { key: null }), { status: 401 })
  t.match(await server.get('/events', { key: 'the-key-of-ci-01234567' }), { status: 403 })
  t.match(await server.get('/events', { headers: { accept: 'application/json' } }), { status: 406 })
})

test('when the server stops the stream ends and holds nothing up', async (t) => {
  const server = await startServer(t)
  const stream = await server.stream('/events', { headers: { accept: 'text/event-stream' } })
  t.strictSame(await server.stop(), { code: 0, signal: null })
  await stream.close()
})
