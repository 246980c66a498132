import { test } from 'tap'
import type { SessionEvent } from '../../src/protocol/events.ts'
import type { Run, Session } from '../../src/protocol/resources.ts'
import * as limits from '../../src/limits.ts'
import { eventually } from '../support/eventually.ts'
import { call, startClient, writing, type Page } from '../http/client.ts'

const MiB = 1024 ** 2

test('bounds of the server, as the operator sets them', async (t) => {
  const client = await startClient(t, {
    env: {
      MAX_ACTIVE_RUNS: '1', MAX_STREAMS: '1', BODY_LIMIT_BYTES: '20000', MAX_LOG_BYTES: String(MiB), MAX_WORKSPACE_BYTES: String(MiB), MAX_WORKSPACE_FILES: '3'
    }
  })
  const { server, model } = client
  const put = async (sessionId: string, name: string, bytes: number) => await server.request<{ code: string }>('PUT', `/sessions/${sessionId}/files/${name}`, { body: Buffer.alloc(bytes, 'x'), headers: { 'content-type': 'application/octet-stream' } })
  const quiet = async (run: Run) => { t.match(await client.run(run, 10), { status: 'completed' }) }

  await t.test('activeRunsMax: MAX_ACTIVE_RUNS: a message to another session is 503 with Retry-After and leaves no trace; then it is taken', async (t) => {
    const busy = await client.session([{ text: 'first', gate: true }])
    const { json: other } = await server.post<Session>('/sessions', {})
    const run = await client.start(busy, 'go')
    await model.waitForRequests(1)
    t.match(await client.send(other.id, 'go'), { status: 503, json: { code: 'too_many_runs', canRetry: true }, headers: { 'retry-after': /^\d+$/ } })
    t.equal((await client.log(other.id)).length, 1)
    await client.start(busy, 'next', { onBusy: 'queue' }) // waits for its own session, takes no place
    await model.script([{ text: 'second' }, { text: 'third' }])
    await model.release()
    await quiet(run)
    await eventually(async () => (await client.send(other.id, 'go')).status === 200)
  })

  await t.test('MAX_ACTIVE_RUNS: a run that waits for a person takes no place', async (t) => {
    const asking = await client.session([writing('a.txt'), { text: 'other' }, { text: 'done' }])
    const { json: run } = await client.send<Run>(asking, 'go')
    t.equal(run.status, 'awaiting_approval')
    const { json: other } = await server.post<Session>('/sessions', {})
    await eventually(async () => (await client.send(other.id, 'go')).status === 200)
    await client.decide(run.approvals[0]?.callId ?? '', 'approve')
    await quiet(run)
  })

  await t.test('streamsMax, streamsRetryAfterS: MAX_STREAMS: one more stream is 503 with Retry-After, whatever it streams; when one ends there is room', async (t) => {
    const sessionId = await client.session([{ text: 'hi' }])
    const open = await server.stream(`/sessions/${sessionId}/events`)
    await open.until('snapshot')
    const headers = { accept: 'text/event-stream' }
    const refused = { status: 503, json: { code: 'too_many_streams', canRetry: true }, headers: { 'retry-after': String(limits.streamsRetryAfterS) } }
    t.match(await server.get(`/sessions/${sessionId}/events`, { headers }), refused)
    t.match(await server.get('/events', { headers }), refused)
    t.match(await client.send(sessionId, 'go', { headers }), refused)
    t.equal((await model.requests()).length, 0, 'no run was begun for it')
    await open.close()
    await eventually(async () => {
      const stream = await server.stream(`/sessions/${sessionId}/events`).catch(() => null)
      await stream?.close()
      return stream !== null
    })
  })

  await t.test('BODY_LIMIT_BYTES: a larger body is 413, one as large is taken', async (t) => {
    const sessionId = await client.session([{ text: 'ok' }])
    const fitting = 20_000 - JSON.stringify({ content: '' }).length
    t.match(await client.send(sessionId, 'x'.repeat(fitting + 1)), { status: 413, json: { code: 'payload_too_large' } })
    t.match(await client.send(sessionId, 'x'.repeat(fitting)), { status: 200, json: { text: 'ok' } })
  })

  await t.test('workspaceBytesMax: MAX_WORKSPACE_BYTES: an upload is 507, a write of the model is quota_exceeded, and neither leaves anything', async (t) => {
    const sessionId = await client.session([writing('b.txt', 'x'.repeat(300_000)), { text: 'full' }], { policy: { mode: 'auto', rules: [] } })
    t.equal((await put(sessionId, 'a', 800_000)).status, 201)
    t.match(await put(sessionId, 'b', 300_000), { status: 507, json: { code: 'workspace_full' } })
    t.equal((await client.send(sessionId, 'go')).status, 200)
    t.match(await client.logged(sessionId, 'tool_call_end'), [{ ok: false, error: { code: 'quota_exceeded' } }])
    t.match((await client.told(1))[0], /quota_exceeded/)
    t.match((await server.get(`/sessions/${sessionId}/files/`)).json, { entries: [{ name: 'a' }] })
    t.equal((await server.get(`/sessions/${sessionId}/files/b.txt`)).status, 404)
  })

  await t.test('workspaceFilesMax: MAX_WORKSPACE_FILES: likewise for their number', async (t) => {
    const sessionId = await client.session([{ tool_calls: [call('d', 'write_file', { path: 'd', content: 'x' }), call('a', 'write_file', { path: 'a', content: 'in its place' })] }, { text: 'full' }], { policy: { mode: 'auto', rules: [] } })
    for (const name of ['a', 'b', 'c']) t.equal((await put(sessionId, name, 1)).status, 201)
    t.match(await put(sessionId, 'd', 1), { status: 507, json: { code: 'workspace_full' } })
    await client.send(sessionId, 'go')
    t.match(await client.logged(sessionId, 'tool_call_end'), [{ ok: false, error: { code: 'quota_exceeded' } }, { ok: true }])
  })

  await t.test('MAX_LOG_BYTES: then messages, settings and files are 507; reading and deleting go on', async (t) => {
    const sessionId = await client.session([{ stream_gen: { text: 'x', times: 60_000, deltas: 10 } }])
    t.equal((await client.send(sessionId, 'talk')).status, 200)
    const full = { status: 507, json: { code: 'log_full', canRetry: false } }
    t.match(await client.send(sessionId, 'talk'), full)
    t.match(await client.send(sessionId, 'talk', { body: { onBusy: 'queue' } }), full)
    t.match(await server.request('PATCH', `/sessions/${sessionId}`, { json: { title: 'x' } }), full)
    t.match(await put(sessionId, 'a', 1), full)
    t.match((await server.get<Page<SessionEvent>>(`/sessions/${sessionId}/events`)).json.items.map(({ seq }) => seq), [1, 2, 3])
    t.equal((await server.request('DELETE', `/sessions/${sessionId}`)).status, 204)
  })
})
