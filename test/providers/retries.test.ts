import tap, { test } from 'tap'
import { callModel } from '../model/call-model.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { providerModels, keys } from './provider-models.ts'
import { frames } from './wire-cases.ts'

const server = await startModelServer(tap)
const half = {
  anthropic: frames({ type: 'message_start', message: {} }, { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'half' } }),
  responses: frames({ type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm' } }, { type: 'response.output_text.delta', output_index: 0, delta: 'half' })
} as const

for (const dialect of ['anthropic', 'responses'] as const) {
  test(`${dialect}: refused for a while, asked again when it is told to, in seconds or by a date`, async (t) => {
    await server.reset()
    const body = JSON.stringify({ type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } })
    const date = new Date(Date.now() + 1_500)
    await server.script([{ raw: { status: 429, headers: { 'retry-after': '1' }, chunks: [body] } }, { raw: { status: 529, headers: { 'retry-after': date.toUTCString() }, chunks: [body] } }, { text: 'ok' }])
    const { answer, parts } = await callModel(providerModels(t, server.baseUrl, { maxRetries: 2, maxRetryWaitMs: 5_000 })[dialect])
    t.equal(answer?.text, 'ok')
    t.match(parts.filter((part) => part.type === 'retry'), [{ attempt: 1, code: 'model_rate_limited', dropped: false }, { attempt: 2, dropped: false }])
    const [first, second] = await server.requests()
    t.ok((second?.at ?? 0) - (first?.at ?? 0) >= 1_000, 'not before the time')
  })

  test(`${dialect}: cut in mid-answer it is dropped and asked once more, and only once`, async (t) => {
    await server.reset()
    await server.script([{ raw: { chunks: [half[dialect]], end: 'reset' } }, { text: 'whole' }, { raw: { chunks: [half[dialect]], end: 'reset' } }, { raw: { chunks: [half[dialect]], end: 'reset' } }, { text: 'never' }])
    const { [dialect]: model } = providerModels(t, server.baseUrl, { maxRetries: 5 })
    const { answer, parts } = await callModel(model)
    t.equal(answer?.text, 'whole')
    t.match(parts.map((part) => part.type), ['text', 'retry', 'text'])
    t.match(parts[1], { dropped: true, code: 'model_incomplete' })
    const again = await callModel(model)
    t.match(again.error, { code: 'model_incomplete', partial: { text: 'half' } })
    t.equal((await server.requests()).length, 4)
  })

  test(`${dialect}: silence in mid-answer is noticed`, async (t) => {
    await server.reset()
    await server.script([{ raw: { chunks: [half[dialect]], end: 'hang' } }])
    const { error } = await callModel(providerModels(t, server.baseUrl, { idleTimeoutMs: 200 })[dialect])
    t.match(error, { code: 'model_idle_timeout', partial: { text: 'half' } })
  })

  test(`${dialect}: what cannot succeed is asked once, and no key is told`, async (t) => {
    for (const [status, type, code] of [[400, 'invalid_request_error', 'model_bad_request'], [401, 'authentication_error', 'model_auth'], [404, 'not_found_error', 'model_not_found']] as const) {
      await server.reset()
      await server.fallback({ raw: { status, headers: { 'retry-after': '0' }, chunks: [JSON.stringify({ error: { type, message: `bad ${keys[dialect]}` } })] } })
      const { error } = await callModel(providerModels(t, server.baseUrl, { maxRetries: 3 })[dialect])
      t.equal(error?.code, code)
      t.notMatch(String(error?.message), new RegExp(keys[dialect]))
      t.equal((await server.requests()).length, 1)
    }
  })
}
