import { test } from 'tap'
import type { Run, RunAnswer, Session } from '../../src/protocol/resources.ts'
import { startClient, writing } from './client.ts'

const unnamedKeys = ['unnamed-key-of-the-one', 'unnamed-key-of-the-other']
const keys = `one:one-key-one-key-one-key,two:two-key-two-key-two-key,${unnamedKeys.join(',')}`
const otherKey = 'two-key-two-key-two-key'

test('messages that meet, and requests that are sent again', async (t) => {
  const client = await startClient(t, { env: { API_KEYS: keys } })
  const { server, model } = client

  await t.test('a second message is refused while a run is active, and leaves no trace', async (t) => {
    const sessionId = await client.session([{ text: 'first', gate: true }])
    const run = await client.start(sessionId, 'one')
    t.match(await client.send(sessionId, 'two'), { status: 409, json: { code: 'run_active', runId: run.id, canRetry: true } })
    await model.waitForRequests(1)
    await model.release()
    t.match(await client.run(run, 10), { text: 'first' })
    t.equal((await client.logged(sessionId, 'user_message')).length, 1)
  })

  await t.test('onBusy: queue runs it after the first, in order', async (t) => {
    const sessionId = await client.session([{ text: 'first', gate: true }, { text: 'second' }, { text: 'third' }])
    const first = await client.start(sessionId, 'one')
    await model.waitForRequests(1)
    const second = await client.start(sessionId, 'two', { onBusy: 'queue' })
    const third = await client.start(sessionId, 'three', { onBusy: 'queue' })
    t.match([second, third], [{ status: 'queued', startedAt: null }, { status: 'queued' }])
    await model.release()
    t.strictSame([await client.run(first, 10), await client.run(second, 10), await client.run(third, 10)].map(({ text }) => text), ['first', 'second', 'third'])
    const last = (await model.requests())[2]?.body?.messages.filter(({ role }) => role !== 'system').map(({ role }) => role)
    t.strictSame(last, ['user', 'assistant', 'user', 'assistant', 'user'])
    await client.log(sessionId)
  })

  await t.test('onBusy: interrupt cancels what runs, also a question, and runs next', async (t) => {
    const sessionId = await client.session([writing('a.txt'), { text: 'instead' }])
    const { json: first } = await client.send<Run>(sessionId, 'write')
    t.equal(first.status, 'awaiting_approval')
    t.match(await client.send(sessionId, 'no, stop', { body: { onBusy: 'interrupt' } }), { status: 200, json: { text: 'instead' } })
    t.match(await client.run(first), { status: 'cancelled', approvals: [] })
    t.match(await client.decide(first.approvals[0]?.callId ?? '', 'approve'), { status: 409, json: { code: 'approval_cancelled' } })
    await client.log(sessionId)
  })

  await t.test('one key, one run: in whatever form it is asked for, and after a restart', async (t) => {
    const sessionId = await client.session([{ text: 'paid' }])
    const headers = { 'idempotency-key': '"k-1"' }
    const first = await client.send<RunAnswer>(sessionId, 'pay', { headers })
    t.match(first, { status: 200, json: { text: 'paid' } })
    t.match(await client.send(sessionId, 'pay', { headers: { ...headers, accept: 'text/plain' } }), { status: 200, text: /^paid$/ })
    t.match(await client.send(sessionId, 'pay', { headers: { 'idempotency-key': 'k-1' } }), { json: { run: { id: first.json.run.id } } }, 'bare is the same key')
    const stream = await client.streamed(sessionId, 'pay', { headers })
    t.match((await stream.rest()).at(-1), { event: 'run_end', data: { runId: first.json.run.id } })
    await server.restart()
    t.match(await client.send(sessionId, 'pay', { headers }), { json: { run: { id: first.json.run.id } } })
    t.equal((await client.logged(sessionId, 'user_message')).length, 1)
    t.equal((await model.requests()).length, 1)
  })

  await t.test('the same key with another body is refused; for another caller or route it is another key', async (t) => {
    const sessionId = await client.session([{ text: 'a' }, { text: 'b' }, { text: 'c' }])
    const headers = { 'idempotency-key': 'k-1' }
    t.match(await client.send(sessionId, 'pay', { headers }), { status: 200 }, 'the session of the test before had it too')
    t.match(await client.send(sessionId, 'pay more', { headers }), { status: 422, json: { code: 'idempotency_key_reused' } })
    t.match(await server.post(`/sessions/${sessionId}/messages`, { content: 'pay' }, { headers, key: otherKey }), { status: 200, json: { text: 'b' } })
    t.match(await client.send(sessionId, 'x', { headers: { 'idempotency-key': '"open' } }), { status: 400, json: { code: 'invalid_request' } })
    await client.log(sessionId)
  })

  await t.test('two keys without a name are two callers', async (t) => {
    const sessionId = await client.session([{ text: 'a' }, { text: 'b' }])
    const headers = { 'idempotency-key': 'k-unnamed' }
    const [mine, theirs] = unnamedKeys
    const send = async (key: string | undefined, body: object) => await server.post<RunAnswer>(`/sessions/${sessionId}/messages`, body, { headers, key: key ?? null })
    t.match(await send(mine, { content: 'pay' }), { status: 200, json: { text: 'a' } })
    t.match(await send(theirs, { content: 'pay' }), { status: 200, json: { text: 'b' } })
    t.match(await send(mine, { content: 'pay' }), { status: 200, json: { text: 'a' } })
    t.match((await client.logged(sessionId, 'user_message')).map(({ by }) => by), [{ kind: 'key' }, { kind: 'key' }])
    t.notMatch(JSON.stringify(await client.log(sessionId)), /keyId/)
  })

  await t.test('a request that was refused is not remembered', async (t) => {
    const sessionId = await client.session([{ text: 'slow', gate: true }, { text: 'now' }])
    const run = await client.start(sessionId, 'one')
    const headers = { 'idempotency-key': 'k-2' }
    t.equal((await client.send(sessionId, 'two', { headers })).status, 409)
    await model.waitForRequests(1)
    await model.release()
    await client.run(run, 10)
    t.match(await client.send(sessionId, 'two', { headers }), { status: 200, json: { text: 'now' } })
  })

  await t.test('twenty at once with one key start one run', async (t) => {
    const sessionId = await client.session([{ text: 'once' }])
    const answers = await Promise.all(Array.from({ length: 20 }, async () => await client.send<RunAnswer>(sessionId, 'pay', { headers: { 'idempotency-key': 'k-3' } })))
    t.strictSame([...new Set(answers.map(({ status, json }) => `${status} ${json.run.id}`))].length, 1)
    t.equal((await model.requests()).length, 1)
  })

  await t.test('sessions: a key makes one session, an external id names one for its team', async (t) => {
    const create = async (body: object, options: object = {}) => await server.post<Session>('/sessions', body, options)
    const headers = { 'idempotency-key': 's-1' }
    const first = await create({ title: 'a' }, { headers })
    t.match(first, { status: 201, headers: { location: `/sessions/${first.json.id}` } })
    t.equal((await create({ title: 'a' }, { headers })).json.id, first.json.id)
    t.match(await create({ title: 'b' }, { headers }), { status: 422, json: { code: 'idempotency_key_reused' } })

    const named = await create({ externalId: 'ticket-7', title: 'seven' })
    t.equal(named.status, 201)
    t.match(await create({ externalId: 'ticket-7', title: 'another' }), { status: 200, json: { id: named.json.id, title: 'seven' } })
    const raced = await Promise.all(Array.from({ length: 10 }, async () => await create({ externalId: 'ticket-8' })))
    t.strictSame(raced.map(({ status }) => status).sort(), [...Array(9).fill(200), 201])
    t.equal(new Set(raced.map(({ json }) => json.id)).size, 1)
  })
})
