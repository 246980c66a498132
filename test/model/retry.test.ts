import tap, { test } from 'tap'
import { failure } from '../../src/model/failure.ts'
import type { ModelPart } from '../../src/model/model.ts'
import { readRetryAfterMs, retryDelayMs } from '../../src/model/retry.ts'
import { startModelServer, type RawReply } from '../support/model-server/model-server.ts'
import { callModel, customModels } from './call-model.ts'
import { delta } from './quirks.ts'

const server = await startModelServer(tap)

function retries (parts: readonly ModelPart[]): Array<Extract<ModelPart, { type: 'retry' }>> {
  return parts.filter((part) => part.type === 'retry')
}

function refusal (status: number, body: string, headers: Record<string, string> = {}): { raw: RawReply } {
  return { raw: { status, headers: { 'content-type': 'application/json', ...headers }, chunks: [body] } }
}

test('an overloaded server is asked again, and each retry is told', async (t) => {
  await server.reset()
  await server.script([refusal(503, 'busy'), refusal(500, '{"error":{"message":"oops"}}'), { text: 'ok' }])
  const { model } = customModels(t, server.baseUrl, { maxRetries: 3 })
  const { answer, parts } = await callModel(model)
  t.equal(answer?.text, 'ok')
  t.match(retries(parts), [
    { attempt: 1, code: 'model_overloaded', dropped: false, detail: /busy/ },
    { attempt: 2, code: 'model_overloaded', dropped: false, detail: /oops/ }
  ])
  const requests = await server.requests()
  t.equal(requests.length, 3)
  t.equal(new Set(requests.map(({ raw }) => raw)).size, 1, 'the same request each time')
})

test('modelRetriesDefault: after the last retry the call fails with what the server said', async (t) => {
  await server.reset()
  await server.fallback(refusal(503, '{"error":{"message":"still busy"}}'))
  const { model } = customModels(t, server.baseUrl, { maxRetries: 2 })
  const { error } = await callModel(model)
  t.equal(error?.code, 'model_overloaded')
  t.match(error?.message, /^custom\/scripted: .*still busy/)
  t.equal((await server.requests()).length, 3)
})

test('what cannot succeed is not tried again', async (t) => {
  await server.reset()
  const { model } = customModels(t, server.baseUrl, { maxRetries: 3 })
  const final = [
    [400, 'model_bad_request'], [401, 'model_auth'], [402, 'model_quota'], [403, 'model_auth'], [404, 'model_not_found'], [413, 'model_bad_request'], [422, 'model_bad_request']
  ] as const
  for (const [status, code] of final) {
    await server.reset()
    await server.script([refusal(status, '{"error":{"message":"no"}}', { 'retry-after': '0' }), { text: 'never' }])
    const { error } = await callModel(model)
    t.equal(error?.code, code, String(status))
    t.equal((await server.requests()).length, 1)
  }
  await server.reset()
  await server.script([refusal(429, '{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}'), { text: 'never' }])
  t.equal((await callModel(model)).error?.code, 'model_quota')
  await server.reset()
  await server.script([refusal(503, 'no', { 'x-should-retry': 'false' }), { text: 'never' }])
  t.equal((await callModel(model)).error?.code, 'model_overloaded')
  t.equal((await server.requests()).length, 1)
})

test('Retry-After is kept, as seconds, as a date and in milliseconds', async (t) => {
  await server.reset()
  const { model } = customModels(t, server.baseUrl, { maxRetries: 1, maxRetryWaitMs: 3_000 })
  const inTwoSeconds = new Date(Math.ceil(Date.now() / 1000) * 1000 + 1_000).toUTCString()
  for (const [headers, least] of [[{ 'retry-after': '1' }, 1_000], [{ 'retry-after': inTwoSeconds }, 900], [{ 'retry-after-ms': '120' }, 120]] as const) {
    await server.reset()
    await server.script([refusal(429, '{"error":{"message":"slow down"}}', { ...headers }), { text: 'ok' }])
    const { answer, parts } = await callModel(model)
    t.equal(answer?.text, 'ok')
    t.match(retries(parts), [{ code: 'model_rate_limited' }])
    const [first, second] = await server.requests()
    const waited = (second?.at ?? 0) - (first?.at ?? 0)
    if (!('retry-after' in headers) || headers['retry-after'] === '1') t.ok(waited >= least && waited < least + 3_000, `waited ${waited} ms`)
    else t.ok(Date.now() >= Date.parse(inTwoSeconds), 'not before the date')
  }
})

test('modelRetryWaitMsMax: a wait longer than the limit fails at once', async (t) => {
  await server.reset()
  await server.script([refusal(429, '{"error":{"message":"tomorrow"}}', { 'retry-after': '3600' })])
  const { model } = customModels(t, server.baseUrl, { maxRetries: 3 })
  const { error, ms } = await callModel(model)
  t.equal(error?.code, 'model_rate_limited')
  t.ok(ms < 3_000, `took ${ms} ms`)
})

test('an answer that breaks off is dropped and asked once more', async (t) => {
  await server.reset()
  await server.script([{ raw: { chunks: [delta({ content: 'The cause is ' })], end: 'reset' } }, { text: 'The cause is a race condition.' }])
  const { model } = customModels(t, server.baseUrl, { maxRetries: 3 })
  const { answer, parts } = await callModel(model)
  t.equal(answer?.text, 'The cause is a race condition.')
  t.match(retries(parts), [{ attempt: 1, code: 'model_incomplete', dropped: true }])
})

test('the second time it breaks off the call fails, with what had come', async (t) => {
  await server.reset()
  await server.script([
    { raw: { chunks: [delta({ content: 'one' })], end: 'reset' } },
    { raw: { chunks: [delta({ reasoning: 'why' }), delta({ content: 'two' })] } },
    { text: 'never' }
  ])
  const { model } = customModels(t, server.baseUrl, { maxRetries: 3 })
  const { error } = await callModel(model)
  t.equal(error?.code, 'model_incomplete')
  t.strictSame(error?.partial, { text: 'two', reasoning: 'why' })
  t.equal((await server.requests()).length, 2)
})

test('without retries there is no second try of any kind', async (t) => {
  await server.reset()
  const { model } = customModels(t, server.baseUrl, { maxRetries: 0 })
  for (const reply of [{ raw: { chunks: [delta({ content: 'one' })], end: 'reset' as const } }, refusal(503, 'busy'), { raw: { chunks: [] } }]) {
    await server.reset()
    await server.script([reply])
    const { error, parts } = await callModel(model)
    t.ok(error)
    t.strictSame(retries(parts), [])
    t.equal((await server.requests()).length, 1)
  }
})

test('an empty answer is asked for once more, not again and again', async (t) => {
  await server.reset()
  const empty = { raw: { chunks: [delta({ reasoning_content: 'hmm' }), delta({}, 'stop'), 'data: [DONE]\n\n'] } }
  const { model } = customModels(t, server.baseUrl, { maxRetries: 3 })
  await server.script([empty, { text: 'there' }])
  t.equal((await callModel(model)).answer?.text, 'there')
  await server.reset()
  await server.script([empty, empty, { text: 'never' }])
  t.equal((await callModel(model)).error?.code, 'model_empty')
})

test('a server that is not there is a connection error, tried again', async (t) => {
  const gone = await startModelServer(t)
  const { model } = customModels(t, gone.baseUrl, { maxRetries: 1 })
  await gone.close()
  const { error, parts } = await callModel(model)
  t.equal(error?.code, 'model_connection')
  t.match(error?.message, /nothing listens there/)
  t.equal(retries(parts).length, 1)
})

test('an abort during the wait ends it at once with the reason', async (t) => {
  await server.reset()
  await server.script([refusal(429, 'slow', { 'retry-after': '30' }), { text: 'never' }])
  const { model } = customModels(t, server.baseUrl, { maxRetries: 1, maxRetryWaitMs: 60_000, totalTimeoutMs: 60_000 })
  const stop = new AbortController()
  const reason = new Error('enough')
  setTimeout(() => { stop.abort(reason) }, 200)
  const started = performance.now()
  await t.rejects(callModel(model, undefined, stop.signal), reason)
  t.ok(performance.now() - started < 5_000)
})

test('modelRetryBaseMs: waits double with full jitter up to the limit', async (t) => {
  const limits = { maxRetries: 9, retryBaseMs: 100, maxRetryWaitMs: 1_000 }
  const failed = failure('model_overloaded', '', true)
  const wait = (attempts: number, random: number): number | null => retryDelayMs(failed, { attempts, begun: false, repeated: false, emptyBefore: 0 }, limits, random)
  t.strictSame([1, 2, 3, 4, 5, 9].map((attempts) => wait(attempts, 0.999999)), [100, 200, 400, 800, 1_000, 1_000])
  t.equal(wait(5, 0), 0)
  t.equal(wait(10, 0.5), null)
})

test('Retry-After that makes no sense is as good as none', async (t) => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  t.equal(readRetryAfterMs({ 'retry-after': 'soon' }, now), null)
  t.equal(readRetryAfterMs({ 'retry-after': '-5' }, now), null)
  t.equal(readRetryAfterMs({ 'retry-after': '' }, now), null)
  t.equal(readRetryAfterMs({ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, now), 30_000)
  t.equal(readRetryAfterMs({ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, now), 0)
  t.equal(readRetryAfterMs({ 'retry-after': '2', 'retry-after-ms': '1500' }, now), 1_500)
})
