import { createServer } from 'node:net'
import { once } from 'node:events'
import tap, { test } from 'tap'
import { unknownUsage } from '../../src/protocol/common.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { callModel, customModels } from './call-model.ts'
import { delta } from './quirks.ts'

const server = await startModelServer(tap)

test('modelConnectTimeoutMs: a connection that does not come about is given up', async (t) => {
  // Accepts, and never speaks TLS: for the caller there is no connection yet.
  const silent = createServer(() => {})
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.teardown(() => { silent.close() })
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const { model } = customModels(t, `https://127.0.0.1:${port}/v1`, { connectTimeoutMs: 300 })
  const { error, ms } = await callModel(model)
  t.equal(error?.code, 'model_connect_timeout')
  t.ok(ms < 4_500, `took ${ms} ms`)
})

test('modelFirstByteTimeoutMs: a model that does not begin is given up, with and without headers', async (t) => {
  await server.reset()
  const { model } = customModels(t, server.baseUrl, { firstByteTimeoutMs: 150, idleTimeoutMs: 60_000 })
  for (const reply of [{ gate: true, text: 'never' }, { raw: { chunks: [], end: 'hang' as const } }]) {
    await server.script([reply])
    const { error, ms } = await callModel(model)
    t.equal(error?.code, 'model_first_byte_timeout')
    t.ok(ms < 4_500, `took ${ms} ms`)
  }
  await server.release()
})

test('modelIdleTimeoutMs: a model that falls silent is given up, with what had come', async (t) => {
  await server.reset()
  await server.script([{ raw: { chunks: [delta({ content: 'Well' })], end: 'hang' } }])
  const { model } = customModels(t, server.baseUrl, { idleTimeoutMs: 150 })
  const { error } = await callModel(model)
  t.equal(error?.code, 'model_idle_timeout')
  t.equal(error?.partial.text, 'Well')
})

test('comments are signs of life', async (t) => {
  await server.reset()
  const ping = ': ping\n\n'
  await server.script([{ raw: { chunks: [ping, delta({ content: 'a' }), ping, ping, ping, ping, delta({ content: 'b' }, 'stop'), 'data: [DONE]\n\n'] }, delayMs: 120 }])
  const { model } = customModels(t, server.baseUrl, { firstByteTimeoutMs: 3_000, idleTimeoutMs: 550 })
  const { answer, ms } = await callModel(model)
  t.equal(answer?.text, 'ab')
  t.ok(ms > 550, 'longer than the idle time')
})

test('modelTotalTimeoutMs: the whole call has an end, however busy it is', async (t) => {
  await server.reset()
  await server.script([{ stream_gen: { text: 'x', times: 1, deltas: 500 }, delayMs: 20 }])
  const { model } = customModels(t, server.baseUrl, { totalTimeoutMs: 400, maxRetries: 3 })
  const { error, ms } = await callModel(model)
  t.equal(error?.code, 'model_total_timeout')
  t.match(error?.partial.text, /^x+$/)
  t.ok(ms >= 390 && ms < 5_000, `took ${ms} ms`)
})

test('retries and their waits count to the whole', async (t) => {
  await server.reset()
  await server.fallback({ raw: { status: 503, chunks: ['busy'] } })
  const { model } = customModels(t, server.baseUrl, { totalTimeoutMs: 300, maxRetries: 1_000 })
  const { error } = await callModel(model)
  t.equal(error?.code, 'model_total_timeout')
})

test('an abort ends a call at once, in each of its phases', async (t) => {
  await server.reset()
  const { model } = customModels(t, server.baseUrl)
  for (const reply of [{ gate: true, text: 'never' }, { raw: { chunks: [delta({ content: 'x' })], end: 'hang' as const } }]) {
    await server.script([reply])
    const stop = new AbortController()
    const reason = new Error('cancelled')
    setTimeout(() => { stop.abort(reason) }, 100)
    const started = performance.now()
    await t.rejects(callModel(model, undefined, stop.signal), reason)
    t.ok(performance.now() - started < 4_000)
  }
  await server.release()
  const before = (await server.requests()).length
  await t.rejects(callModel(model, undefined, AbortSignal.abort(new Error('before'))), { message: 'before' })
  t.equal((await server.requests()).length, before, 'nothing is sent')
})

test('a reader that stops half way frees the connection', async (t) => {
  await server.reset()
  await server.script([{ stream_gen: { text: 'x'.repeat(1000), times: 1, deltas: 2_000 } }, { text: 'next' }])
  const { model } = customModels(t, server.baseUrl)
  const stream = model.stream({ messages: [{ role: 'user', content: 'go' }], tools: [] }, new AbortController().signal)
  t.equal((await stream.next()).done, false)
  await stream.return({ text: '', reasoning: '', calls: [], finishReason: 'stop', usage: unknownUsage, echo: null, model: 'custom/x' })
  t.equal((await callModel(model)).answer?.text, 'next')
})

test('a reader slower than the idle time is no silence of the model, and nothing is lost', async (t) => {
  await server.reset()
  await server.script([{ stream_gen: { text: 'x'.repeat(1_000), times: 1, deltas: 1_500 } }])
  const { model } = customModels(t, server.baseUrl, { idleTimeoutMs: 150 })
  const stream = model.stream({ messages: [{ role: 'user', content: 'go' }], tools: [] }, new AbortController().signal)
  let next = await stream.next()
  await new Promise((resolve) => { setTimeout(resolve, 500) })
  while (next.done !== true) next = await stream.next()
  t.equal(next.value.text.length, 1_500_000)
})
