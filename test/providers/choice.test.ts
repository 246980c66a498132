import tap, { test } from 'tap'
import { withCost } from '../../src/model/price.ts'
import { requestParams, type ModelSettings } from '../../src/model/settings.ts'
import { traitsOf } from '../../src/model/providers.ts'
import { unknownUsage } from '../../src/protocol/common.ts'
import { callModel, modelOf, requestOf } from '../model/call-model.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { providerModels } from './provider-models.ts'
import { frames } from './wire-cases.ts'

const server = await startModelServer(tap)
const refused = (status: number, message = 'no') => ({ raw: { status, chunks: [JSON.stringify({ error: { message } })] } })

test('a model that fails for good before its answer is followed by the next of its list, and the answer says who gave it', async (t) => {
  await server.reset()
  await server.script([refused(401), refused(404), { text: 'from the third' }])
  const { anthropic } = providerModels(t, server.baseUrl, { settings: { 'anthropic/claude': { fallback: ['openai-responses/gpt', 'custom/scripted'] } } })
  const { answer, parts } = await callModel(anthropic)
  t.match(answer, { text: 'from the third', model: 'custom/scripted' })
  t.match(parts.filter((part) => part.type === 'retry'), [
    { attempt: 1, code: 'model_auth', detail: /Now openai-responses\/gpt is asked/ }, { attempt: 2, code: 'model_not_found', detail: /Now custom\/scripted is asked/ }
  ])
  t.strictSame((await server.requests()).map(({ url }) => url), ['/v1/messages', '/v1/responses', '/v1/chat/completions'])
})

test('when all fail, the error is that of the model that was asked for', async (t) => {
  await server.reset()
  await server.script([refused(401), refused(404)])
  const { anthropic } = providerModels(t, server.baseUrl, { fallback: ['custom/scripted'] })
  t.match((await callModel(anthropic)).error, { code: 'model_auth', message: /^anthropic\/claude: / })
})

test('a model has its own retries before the next is asked', async (t) => {
  await server.reset()
  await server.script([refused(503), refused(503), { text: 'ok' }])
  const { anthropic } = providerModels(t, server.baseUrl, { maxRetries: 1, fallback: ['custom/scripted'] })
  t.match((await callModel(anthropic)).answer, { text: 'ok', model: 'custom/scripted' })
  t.strictSame((await server.requests()).map(({ url }) => url), ['/v1/messages', '/v1/messages', '/v1/chat/completions'])
})

test('nobody else is asked after the answer began, nor for a conversation that is too long', async (t) => {
  await server.reset()
  const begun = frames({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'half' } })
  await server.script([{ raw: { chunks: [begun] } }, refused(400, 'prompt is too long: 5 tokens > 4 maximum')])
  const { anthropic } = providerModels(t, server.baseUrl, { fallback: ['custom/scripted'] })
  t.match((await callModel(anthropic)).error, { code: 'model_incomplete', partial: { text: 'half' } })
  t.equal((await callModel(anthropic)).error?.code, 'context_overflow')
  t.equal((await server.requests()).length, 2)
})

test('what is known of the models can be asked', async (t) => {
  const { models } = providerModels(t, server.baseUrl, { names: ['custom/a', 'openrouter/none'], fallback: ['custom/b'], settings: { 'custom/a': { contextWindow: 8192, price: { input: 1, output: 2 }, fallback: [] } } })
  t.strictSame(models.names, ['anthropic/claude', 'custom/a', 'custom/b', 'demo'])
  t.strictSame(models.facts('custom/a'), { contextWindow: 8192, maxOutputTokens: null, price: { input: 1, output: 2 }, fallback: [] })
  t.strictSame(models.facts('anthropic/claude').fallback, ['custom/b'])
  t.strictSame(models.facts('demo').fallback, [])
  t.equal(modelOf(models, 'custom/a').contextWindow, 8192)
  t.throws(() => providerModels(t, server.baseUrl, { fallback: ['openrouter/x'] }), { message: /openrouter\/x.*needs an API key/ })
})

test('settings are said in the words of each API', async (t) => {
  const settings: ModelSettings = { maxOutputTokens: 100, temperature: 1, reasoningEffort: 'high', extraBody: { seed: 7, temperature: 0 } }
  const of = (name: string, settings: ModelSettings) => requestParams(settings, traitsOf(name, undefined, new URL('http://127.0.0.1/v1')))
  t.strictSame(of('custom', settings), { temperature: 0, max_tokens: 100, reasoning_effort: 'high', seed: 7 })
  t.strictSame(of('openai', { maxOutputTokens: 100 }), { max_completion_tokens: 100 })
  t.match(of('openrouter', settings), { reasoning: { effort: 'high' }, usage: { include: true } })
  t.strictSame(of('anthropic', { reasoningEffort: 'high' }), { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } })
  t.strictSame(of('anthropic', { thinkingBudgetTokens: 2000 }), { thinking: { type: 'enabled', budget_tokens: 2000 } })
  t.strictSame(of('anthropic', { reasoningEffort: 'none' }), {})
  t.strictSame(of('openai-responses', settings), { temperature: 0, max_output_tokens: 100, reasoning: { effort: 'high', summary: 'auto' }, seed: 7 })
})

test('reasoning goes back in the field that the server wants, or not at all', async (t) => {
  for (const [reasoningEcho, expected] of [['reasoning_content', 'need the file'], ['off', undefined]] as const) {
    await server.reset()
    await server.script([{ reasoning: 'need the file', tool_calls: [{ id: 'c1', name: 'list_dir', arguments: {} }] }, { text: 'done' }])
    const { chat } = providerModels(t, server.baseUrl, { settings: { 'custom/scripted': { reasoningEcho } } })
    const { answer } = await callModel(chat)
    if (answer === null) throw new Error('no answer')
    await callModel(chat, requestOf([{ role: 'user', content: 'go' }, { role: 'assistant', text: '', reasoning: answer.reasoning, calls: answer.calls.map((call) => ({ ...call, callId: 'call_x' })), echo: answer.echo }, { role: 'tool', callId: 'call_x', content: 'x', ok: true }]))
    const message = (await server.requests())[1]?.body?.messages[1]
    t.equal(message?.['reasoning_content'], expected)
    t.equal('reasoning_content' in (message ?? {}), expected !== undefined)
  }
})

test('a price makes a cost out of what was used, where the provider names none', async (t) => {
  const price = { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 }
  const used = { ...unknownUsage, inputTokens: 1_000_000, outputTokens: 100_000, cachedInputTokens: 800_000, cacheWriteTokens: 100_000 }
  t.equal(withCost(used, price).costUsd, 0.3 + 0.24 + 0.375 + 1.5)
  t.equal(withCost({ ...used, cachedInputTokens: null, cacheWriteTokens: null }, { input: 3, output: 15 }).costUsd, 4.5)
  t.equal(withCost({ ...used, cachedInputTokens: 2_000_000 }, price).costUsd, 0.3 + 1.5, 'no more is cached than was sent')
  t.equal(withCost({ ...used, costUsd: 0.01 }, price).costUsd, 0.01)
  t.equal(withCost(used, null).costUsd, null)
  t.equal(withCost({ ...used, outputTokens: null }, price).costUsd, null)
})
