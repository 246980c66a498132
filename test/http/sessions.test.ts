import { existsSync } from 'node:fs'
import { test, type Test } from 'tap'
import type { Run, Session, TranscriptItem } from '../../src/protocol/resources.ts'
import { eventually } from '../support/eventually.ts'
import { call, startClient, writing, type Client, type Page } from './client.ts'

const keyOf = (name: string) => `${name}-key-${name}-key-${name}`
const scoped = { reads: 'read', runs: 'run', approves: 'approve', 'reads-runs': 'read+run', admins: 'admin' } as const
const API_KEYS = [
  `all:${keyOf('all')}`, ...Object.entries(scoped).map(([name, scopes]) => `${name}:${scopes}:${keyOf(name)}`),
  `red/ann:${keyOf('ann')}`, `red/bot:run+read:${keyOf('bot')}`, `blue/eve:${keyOf('eve')}`
].join(',')

const patch = async ({ server }: Client, sessionId: string, json: object, key = 'all') =>
  await server.request<Session>('PATCH', `/sessions/${sessionId}`, { json, key: keyOf(key), headers: { 'content-type': 'application/merge-patch+json' } })

test('sessions and who may do what with them', async (t) => {
  const client = await startClient(t, { env: { API_KEYS } })
  const { server, model } = client

  await t.test('PATCH merges: what is left out stays, null removes, and only what changed is told', async (t) => {
    const sessionId = await client.session([], { title: 'one', metadata: { a: '1', b: '2' }, limits: { maxSteps: 7 } })
    t.match(await patch(client, sessionId, { metadata: { b: null, c: '3' } }), { status: 200, json: { title: 'one', limits: { maxSteps: 7 } } })
    const after = await patch(client, sessionId, { title: null, limits: { maxSteps: 9, maxTokens: 100 } })
    t.match(after.json, { title: null, limits: { maxSteps: 9, maxTokens: 100 } })
    t.strictSame(after.json.metadata, { a: '1', c: '3' })
    t.strictSame((await patch(client, sessionId, { metadata: null })).json.metadata, {})
    await patch(client, sessionId, { title: null })
    t.strictSame((await client.logged(sessionId, 'session_update')).map(({ changes }) => Object.keys(changes)), [['metadata'], ['title', 'limits'], ['metadata']])
    t.match(await patch(client, sessionId, {}), { status: 400 })
    t.match(await patch(client, sessionId, { id: 'ses_x' }), { status: 400, json: { code: 'invalid_request' } })
    t.match(await patch(client, sessionId, { model: 'nobody/nothing' }), { status: 400, json: { code: 'unknown_model' } })
  })

  await t.test('a rule that was set holds from the next step on', async (t) => {
    const sessionId = await client.session([writing('a.txt'), writing('b.txt'), { text: 'done' }])
    const { json: run } = await client.send<Run>(sessionId, 'write')
    await patch(client, sessionId, { policy: { mode: 'auto' } })
    await client.decide(run.approvals[0]?.callId ?? '', 'approve')
    t.match(await client.run(run, 10), { status: 'completed', text: 'done' })
    t.ok(existsSync(client.file(sessionId, 'b.txt')))
    t.equal((await client.logged(sessionId, 'approval_required')).length, 1)
  })

  await t.test('a key that may only run cannot approve, loosen the policy or have a rule remembered', async (t) => {
    const runs = { key: keyOf('runs') }
    await model.reset()
    await model.script([writing('a.txt'), { text: 'on' }])
    const created = await server.post<Session>('/sessions', { policy: { mode: 'readOnly' } }, runs)
    t.equal(created.status, 201, 'tighter is fine')
    for (const policy of [{ mode: 'auto' }, { rules: [{ tool: '*', decision: 'allow' }] }]) {
      t.match(await server.post('/sessions', { policy }, runs), { status: 403, json: { code: 'scope_missing' } })
      t.match(await patch(client, created.json.id, { policy }, 'runs'), { status: 403 })
    }
    t.match(await patch(client, created.json.id, { policy: { mode: 'ask', rules: [{ tool: 'delete_file', decision: 'deny' }] } }, 'runs'), { status: 200 }, 'as loose as the server')
    const { json: run } = await server.post<Run>(`/sessions/${created.json.id}/messages`, { content: 'go' }, runs)
    const callId = run.approvals[0]?.callId ?? ''
    for (const body of [{ decision: 'approve' }, { decision: 'approve', remember: 'session' }, { arguments: { path: 'b.txt', content: '' } }]) {
      t.match(await server.post(`/approvals/${callId}`, body, runs), { status: 403, json: { code: 'scope_missing' } })
    }
    t.match(await server.post(`/approvals/${callId}`, { decision: 'approve', remember: 'session' }, { key: keyOf('approves') }), { status: 200, json: { status: 'approved', by: { kind: 'key', name: 'approves' } } })
    t.match((await server.get<Session>(`/sessions/${created.json.id}`)).json.policy.rules.at(-1), { tool: 'write_file', path: 'a.txt', decision: 'allow' })
    t.match(await client.run(run, 10), { status: 'completed' })
  })

  await t.test('scopes: each route wants its own, before it looks at anything', async (t) => {
    const sessionId = await client.session([{ text: 'a' }], {})
    const { json: { run } } = await client.send(sessionId, 'go')
    const routes: ReadonlyArray<[string, string, 'read' | 'run' | 'approve']> = [
      ['GET', '/sessions', 'read'], ['GET', `/sessions/${sessionId}`, 'read'], ['GET', `/sessions/${sessionId}/messages`, 'read'],
      ['GET', `/sessions/${sessionId}/events`, 'read'], ['GET', `/sessions/${sessionId}/runs`, 'read'], ['GET', `/sessions/${sessionId}/runs/${run.id}`, 'read'],
      ['GET', `/sessions/${sessionId}/runs/${run.id}/events`, 'read'], ['GET', '/approvals', 'read'], ['GET', '/approvals/call_x', 'read'],
      ['GET', '/tools', 'read'], ['GET', '/models', 'read'], ['GET', '/metrics', 'read'],
      ['POST', '/sessions', 'run'], ['PATCH', `/sessions/${sessionId}`, 'run'], ['POST', `/sessions/${sessionId}/messages`, 'run'],
      ['POST', `/sessions/${sessionId}/cancel`, 'run'], ['POST', `/sessions/${sessionId}/runs/${run.id}/cancel`, 'run'], ['DELETE', '/sessions/ses_x', 'run'],
      ['POST', '/approvals/call_x', 'approve']
    ]
    for (const [method, path, wanted] of routes) {
      for (const [name, scopes] of Object.entries(scoped)) {
        const may = scopes === 'admin' || scopes.split('+').includes(wanted)
        const { status } = await server.request(method, path, { key: keyOf(name), ...(method === 'GET' || method === 'DELETE' ? {} : { json: { nonsense: 1 } }) })
        if (may) t.not(status, 403, `${name}: ${method} ${path}`)
        else t.equal(status, 403, `${name}: ${method} ${path}`)
      }
      t.equal((await server.request(method, path, { key: null })).status, 401, `nobody: ${method} ${path}`)
    }
  })

  await t.test('a key that may only run sees its own answers, in every form', async (t) => {
    const runs = { key: keyOf('runs') }
    await model.reset()
    await model.fallback({ text: 'fine' })
    const { json: session } = await server.post<Session>('/sessions', { externalId: 'bot-1' }, runs)
    t.match(await server.post('/sessions', { externalId: 'bot-1' }, runs), { status: 200, json: { id: session.id } })
    const at = `/sessions/${session.id}/messages`
    const headers = { 'idempotency-key': 'bot-1' }
    t.match(await server.post(at, { content: 'go' }, { ...runs, headers }), { status: 200, json: { text: 'fine' } })
    t.match(await server.post(at, { content: 'go' }, { ...runs, headers }), { status: 200, json: { text: 'fine' } })
    t.match(await server.post(at, { content: 'go' }, { ...runs, headers: { accept: 'text/plain' } }), { status: 200, text: 'fine' })
    const stream = await server.stream(at, { method: 'POST', body: { content: 'go' }, headers: { authorization: `Bearer ${runs.key}` } })
    t.match((await stream.rest()).at(-1), { event: 'run_end', data: { text: 'fine' } })
    t.match(await server.get(`/sessions/${session.id}`, runs), { status: 403 })
    await model.reset()
    await model.script([{ text: 'never', gate: true }])
    const { json: run } = await server.post<Run>(at, { content: 'go' }, { ...runs, headers: { prefer: 'respond-async' } })
    t.match(await server.post(`/sessions/${session.id}/runs/${run.id}/cancel`, {}, runs), { status: 200, json: { status: 'cancelled' } })
  })

  await t.test('what belongs to a team is not there for anybody else', async (t) => {
    await model.reset()
    await model.script([writing('a.txt'), { text: 'ok' }])
    const ann = { key: keyOf('ann') }
    const { json: session } = await server.post<Session>('/sessions', { externalId: 'x-1' }, ann)
    const { json: run } = await server.post<Run>(`/sessions/${session.id}/messages`, { content: 'go' }, ann)
    const callId = run.approvals[0]?.callId ?? ''
    for (const name of ['eve', 'all', 'admins']) await strangerSees(t, client, name, session.id, run.id, callId)
    t.equal((await server.get(`/sessions/${session.id}`, { key: keyOf('bot') })).status, 200, 'a team mate')
    t.match(await server.post<Session>('/sessions', { externalId: 'x-1' }, { key: keyOf('eve') }), { status: 201 }, 'external ids are each team\'s own')
    t.match(await server.post(`/approvals/${callId}`, { decision: 'approve' }, ann), { status: 200, json: { by: { name: 'red/ann' } } })
    t.match(await server.get(`/sessions/${session.id}/runs/${run.id}`, { ...ann, headers: { prefer: 'wait=10' } }), { json: { status: 'completed', text: 'ok' } })
  })

  await t.test('DELETE settles what runs, ends streams and questions, and takes files and log away', async (t) => {
    const sessionId = await client.session([writing('a.txt'), { text: 'x', tool_calls: [call('c', 'write_file', { path: 'b.txt', content: '' })] }], { policy: { rules: [{ tool: 'write_file', path: 'a.txt', decision: 'allow' }] } })
    const stream = await server.stream(`/sessions/${sessionId}/events`)
    const { json: run } = await client.send<Run>(sessionId, 'write')
    t.ok(existsSync(client.file(sessionId, 'a.txt')))
    t.equal((await server.request('DELETE', `/sessions/${sessionId}`)).status, 204)
    const end = (await stream.rest()).filter(({ id }) => id !== undefined).slice(-5)
    t.strictSame(end.map(({ event }) => event), ['cancel_requested', 'approval_resolved', 'tool_call_end', 'run_end', 'session_end'])
    for (const path of ['', '/messages', '/events', '/runs', `/runs/${run.id}`]) t.equal((await server.get(`/sessions/${sessionId}${path}`)).status, 404, path)
    t.match(await client.decide(run.approvals[0]?.callId ?? '', 'approve'), { status: 404, json: { code: 'approval_not_found' } })
    t.match(await client.send(sessionId, 'hello?'), { status: 404, json: { code: 'session_not_found' } })
    t.equal((await server.request('DELETE', `/sessions/${sessionId}`)).status, 404)
    await eventually(() => !existsSync(client.file(sessionId, '.')))
    t.notOk((await server.get<Page<Session>>('/sessions?limit=200')).json.items.some(({ id }) => id === sessionId))
  })

  await t.test('the transcript tells what was said, each call with what came of it', async (t) => {
    const sessionId = await client.session([{ text: 'I look.', tool_calls: [call('c1', 'list_dir', {}), call('c2', 'read_file', { path: 'no' })] }, { text: 'Nothing there.' }])
    await client.send(sessionId, 'look')
    const { items } = (await server.get<Page<TranscriptItem>>(`/sessions/${sessionId}/messages`)).json
    t.match(items, [
      { role: 'user', content: [{ type: 'text', text: 'look' }], toolCalls: [] },
      { role: 'assistant', content: [{ text: 'I look.' }], toolCalls: [{ tool: 'list_dir', ok: true, error: null }, { tool: 'read_file', ok: false, content: null, error: { code: 'not_found', canRetry: true } }] },
      { role: 'assistant', content: [{ text: 'Nothing there.' }], toolCalls: [] }
    ])
    t.strictSame(Object.keys(items[0] ?? {}), ['id', 'runId', 'at', 'role', 'content', 'toolCalls'])
  })
})

async function strangerSees (t: Test, { server }: Client, name: string, sessionId: string, runId: string, callId: string): Promise<void> {
  const key = { key: keyOf(name) }
  for (const path of ['', '/messages', '/events', '/runs', `/runs/${runId}`, `/runs/${runId}/events`]) {
    t.match(await server.get(`/sessions/${sessionId}${path}`, { ...key, headers: path.endsWith('/events') ? { accept: 'text/event-stream' } : {} }), { status: 404, json: { code: 'session_not_found' } }, `${name} ${path}`)
  }
  t.match(await server.get(`/approvals/${callId}`, key), { status: 404, json: { code: 'approval_not_found' } })
  t.match(await server.post(`/approvals/${callId}`, { decision: 'approve' }, key), { status: 404 })
  t.match(await server.post(`/sessions/${sessionId}/messages`, { content: 'hi' }, key), { status: 404 })
  t.match(await server.post(`/sessions/${sessionId}/cancel`, {}, key), { status: 404 })
  t.match(await server.request('PATCH', `/sessions/${sessionId}`, { json: { title: 'mine' }, ...key }), { status: 404 })
  t.match(await server.request('DELETE', `/sessions/${sessionId}`, key), { status: 404 })
  for (const path of ['/sessions', '/approvals', `/approvals?sessionId=${sessionId}`]) t.notMatch((await server.get(path, key)).text, sessionId, `${name} ${path}`)
}
