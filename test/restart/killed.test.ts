import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'tap'
import type { Approval, Run, Session } from '../../src/protocol/resources.ts'
import { eventually } from '../support/agent.ts'
import { startServer } from '../support/server.ts'
import { crashMain, openSession, setUp, types, write } from './setup.ts'

test('killed with SIGKILL in the middle of everything, and started again', async (t) => {
  const streaming = await setUp(t, { paceMs: 100 })
  const { server, model } = streaming
  const waiting = await openSession(t, server, model)
  const expiring = await openSession(t, server, model, { limits: { approvalTimeoutMs: 1_000 } })
  const queueing = await openSession(t, server, model)

  const waitingRun = await waiting.post([[write('a.txt', 'a')]])
  const [approval] = await waiting.asked(waitingRun)
  const expiringRun = await expiring.post([[write('late.txt', 'late')]])
  const [late] = await expiring.asked(expiringRun)
  const queued: Run[] = []
  for (let i = 0; i < 3; i++) queued.push(await queueing.post([], { onBusy: 'queue' }))
  const stream = await server.stream(`/sessions/${streaming.sessionId}/events`)
  const streamingRun = await streaming.post([])
  await stream.until('text_delta')
  const seen = stream.items.filter(({ id }) => id !== undefined)

  await server.kill('SIGKILL')
  await sleep(Math.max(0, Date.parse(late?.expiresAt ?? '') - Date.now()))
  await server.restart()

  await t.test('a run that was answered goes on by itself: its model call is made again, and the session is free (e-01)', async (t) => {
    t.match(await streaming.settled(streamingRun), { status: 'completed' })
    const events = await streaming.events()
    t.same(types(events), ['session_start', 'user_message', 'run_start', 'prompt_set', 'run_start', 'assistant_message', 'run_end'])
    t.match(events[4], { resumed: true, environment: null })
    t.match(await streaming.settled(await streaming.post([])), { status: 'completed' })
  })

  await t.test('what a client saw is there under the same seq, and its cursor goes on from there', async (t) => {
    const events = await streaming.events()
    t.same(seen.map(({ data }) => data), events.slice(0, seen.length))
    const again = await server.stream(`/sessions/${streaming.sessionId}/events`, { lastEventId: stream.lastEventId ?? '' })
    t.match(await again.until('run_end'), [{ id: String(seen.length + 1) }])
  })

  await t.test('a run that waited still waits; the approval can be given, and the call is made once (e-02)', async (t) => {
    t.equal((await waiting.run(waitingRun.id)).status, 'awaiting_approval')
    t.match(await waiting.asked(waitingRun), [{ callId: approval?.callId, digest: approval?.digest, round: 1, status: 'pending' }])
    t.equal(await waiting.decide(approval?.callId ?? '', 'approve'), 200)
    t.match(await waiting.settled(waitingRun), { status: 'completed', steps: 2 })
    t.equal(await readFile(waiting.file('a.txt'), 'utf8'), 'a')
    const events = await waiting.events()
    t.equal(types(events).filter((type) => type === 'tool_call_start').length, 1)
    t.equal(types(events).filter((type) => type === 'run_start').length, 1, 'nothing was interrupted')
  })

  await t.test('an approval that expired while the server was down is settled, and cannot be given', async (t) => {
    t.match(await expiring.settled(expiringRun), { status: 'completed' })
    const refused = await server.post<{ code: string, approval: Approval }>(`/approvals/${late?.callId ?? ''}`, { decision: 'approve' })
    t.equal(refused.status, 409)
    t.match(refused.json, { code: 'approval_expired', approval: { status: 'expired', by: { kind: 'expiry' } } })
    t.notOk(existsSync(expiring.file('late.txt')))
    t.match((await expiring.events()).filter(({ type }) => type === 'tool_call_end'), [{ ok: false, error: { code: 'approval_expired' } }])
  })

  await t.test('runs that were queued are run, one after the other, in their order', async (t) => {
    for (const run of queued) t.match(await queueing.settled(run), { status: 'completed' })
    const ends = (await queueing.events()).flatMap((event) => event.type === 'run_end' ? [event.runId] : [])
    t.same(ends, queued.map(({ id }) => id))
  })
  t.equal(server.stderr(), '', 'no error was logged')
})

test('a cancel that was under way is finished by the restart', async (t) => {
  const { server, post, crashed, settled, events } = await setUp(t, { paceMs: 300, env: { CRASH_AT: 'after_commit:4' } })
  const run = await post([])
  await eventually(async () => (await events()).length === 4) // the prompt is set, the model is being asked
  const cancelling = server.post(`/sessions/${run.sessionId}/cancel`, {}).catch(() => null)
  await crashed()
  await cancelling
  await server.restart({ CRASH_AT: '' })
  t.match(await settled(run), { status: 'cancelled', finishReason: 'cancelled' })
  t.same(types(await events()).slice(3), ['prompt_set', 'cancel_requested', 'run_end'])
})

test('with RESUME_RUNS=off a run that was active ends as interrupted and begins nothing more; one that waited still waits', async (t) => {
  const started = await setUp(t, { env: { CRASH_AT: 'started' } })
  const { server, model } = started
  const waiting = await openSession(t, server, model)
  const waitingRun = await waiting.post([[write('b.txt', 'b')]])
  await waiting.asked(waitingRun)
  const run = await started.post([[write('a.txt', 'a')]])
  const [approval] = await started.asked(run)
  void started.decide(approval?.callId ?? '', 'approve').catch(() => null)
  await started.crashed()

  await server.restart({ CRASH_AT: 'after_rename', RESUME_RUNS: 'off' })
  t.match(await started.settled(run), { status: 'failed', finishReason: 'error', error: { code: 'interrupted' } })
  t.match((await started.events()).slice(-2), [{ type: 'tool_call_end', ok: false, error: { code: 'not_run' } }, { type: 'run_end' }])
  t.notOk(existsSync(started.file('a.txt')))

  const [question] = await waiting.asked(waitingRun)
  void waiting.decide(question?.callId ?? '', 'approve').catch(() => null)
  await waiting.crashed()
  await server.restart({ CRASH_AT: '' })
  t.match(await waiting.settled(waitingRun), { status: 'failed', error: { code: 'interrupted' } })
  t.match((await waiting.events()).slice(-2), [{ type: 'tool_call_end', ok: true, verified: true }, { type: 'run_end' }], 'what was done is known to be done')
  t.equal(await readFile(waiting.file('b.txt'), 'utf8'), 'b')
  t.match(await waiting.settled(await waiting.post([])), { status: 'completed' }, 'the session goes on')
})

test('stopsMax: a run that brings the server down five times in a row without progress is ended, and its call is not tried again', async (t) => {
  const { server, post, asked, decide, crashed, settled, events, file, staged } = await setUp(t, { env: { CRASH_AT: 'staged' } })
  const run = await post([[write('a.txt', 'a')]])
  const [approval] = await asked(run)
  void decide(approval?.callId ?? '', 'approve').catch(() => null)
  await crashed()
  for (let restart = 1; restart <= 4; restart++) {
    await server.restart().catch(() => null) // it may end before it has said that it listens
    await crashed()
  }
  await server.restart()
  t.match(await settled(run), { status: 'failed', error: { code: 'interrupted', detail: 'The server stopped 5 times in a row while this run was active.' } })
  const log = await events()
  t.equal(types(log).filter((type) => type === 'run_start').length, 5)
  t.notOk(existsSync(file('a.txt')))
  t.same(await staged(), [])
  t.match(await settled(await post([])), { status: 'completed' }, 'the session goes on')
})

test('a deletion that was cut short is finished by the restart', async (t) => {
  const { server, sessionId, file, crashed } = await setUp(t, { env: { CRASH_AT: 'after_commit:2' } })
  await writeFile(file('a.txt'), 'a')
  void server.request('DELETE', `/sessions/${sessionId}`).catch(() => null)
  await crashed()
  t.ok(existsSync(file('a.txt')))
  await server.restart({ CRASH_AT: '' })
  t.equal((await server.get(`/sessions/${sessionId}`)).status, 404)
  await eventually(() => !existsSync(join(server.dataDir, 'workspaces', sessionId)) && !existsSync(join(server.dataDir, 'staging', sessionId)))
  t.equal((await server.get<{ items: Session[] }>('/sessions')).json.items.length, 0)
})

test('an Idempotency-Key holds over a crash: asked again, it is the same session and the same run', async (t) => {
  const server = await startServer(t, { entry: crashMain, env: { CRASH_AT: 'after_commit' } })
  const create = () => server.post<Session>('/sessions', { title: 'once' }, { headers: { 'idempotency-key': 'k1' } })
  await t.rejects(create())
  await server.exit()
  await server.restart({ CRASH_AT: 'accepted' })
  const session = await create()
  t.equal(session.status, 201)
  t.equal((await server.get<{ items: Session[] }>('/sessions')).json.items.length, 1)

  const say = (content: string) => server.post<Run & { code?: string }>(`/sessions/${session.json.id}/messages`, { content }, { headers: { 'idempotency-key': 'k2', prefer: 'respond-async' } })
  await t.rejects(say('hello'))
  await server.exit()
  await server.restart({ CRASH_AT: '' })
  const first = await say('hello')
  t.equal(first.status, 202)
  t.match((await say('hello')).json, { id: first.json.id })
  t.match(await say('something else'), { status: 422, json: { code: 'idempotency_key_reused' } })
  t.equal((await server.get<{ items: Run[] }>(`/sessions/${session.json.id}/runs`)).json.items.length, 1)
})
