import tap, { test } from 'tap'
import type { ModelMessage } from '../../src/model/model.ts'
import { callModel, modelOf, requestOf } from '../model/call-model.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { step } from './conversation.ts'
import { keys, providerModels } from './provider-models.ts'

const server = await startModelServer(tap)
const system: ModelMessage = { role: 'system', content: 'Be careful.' }
const user = (content: string): ModelMessage => ({ role: 'user', content })

test('the request keeps nothing at the provider and asks for its reasoning in encrypted form', async (t) => {
  await server.reset()
  await server.script([{ text: 'ok' }])
  const { responses } = providerModels(t, server.baseUrl)
  const { answer } = await callModel(responses, requestOf([system, user('hi')]))
  t.match(answer, { text: 'ok', calls: [], finishReason: 'stop', model: 'openai-responses/gpt', echo: null, usage: { inputTokens: 10, outputTokens: 5 } })
  const [request] = await server.requests()
  t.match(request, { method: 'POST', url: '/v1/responses', headers: { authorization: `Bearer ${keys.responses}` } })
  t.match(request?.body, {
    model: 'gpt', stream: true, store: false, include: ['reasoning.encrypted_content'], instructions: 'Be careful.', input: [{ role: 'user', content: [{ type: 'input_text', text: 'hi' }] }]
  })
  t.match(request?.body?.tools?.[0], { type: 'function', name: 'read_file', parameters: { type: 'object' }, strict: false })
})

test('reasoning goes back before its call, and the result by the call id', async (t) => {
  await server.reset()
  await server.script([{ reasoning: 'look', signature: 'ENCRYPTED', text: 'I look.', tool_calls: [{ name: 'f', arguments: { x: 1 } }, { name: 'g', arguments: {} }] }, { text: 'done' }, { text: 'next' }])
  const { models, responses, anthropic, chat } = providerModels(t, server.baseUrl)
  const messages = [system, user('go'), ...step((await callModel(responses, requestOf([system, user('go')]))).answer, ['one', 'two'])]
  messages.push(...step((await callModel(responses, requestOf(messages))).answer), user('more'))
  await callModel(responses, requestOf(messages))
  const [first, second, third] = await server.requests()
  t.match(second?.body?.['input'], [
    { role: 'user' },
    { type: 'reasoning', id: 'rs_1', encrypted_content: 'ENCRYPTED', summary: [{ text: 'look' }] },
    { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
    { type: 'function_call', id: 'fc_1_0', call_id: 'call_1_0', name: 'f', arguments: '{"x":1}' },
    { type: 'function_call', id: 'fc_1_1', call_id: 'call_1_1', name: 'g' },
    { type: 'function_call_output', call_id: 'call_1_0', output: 'one' },
    { type: 'function_call_output', call_id: 'call_1_1', output: 'two' }
  ])
  t.ok(second?.raw.startsWith(first?.raw.slice(0, -2) ?? '-') === true && third?.raw.startsWith(second.raw.slice(0, -2)) === true, 'each request is a prefix of the next')

  await server.reset()
  await server.script([{ text: '1' }, { text: '2' }, { text: '3' }])
  for (const model of [modelOf(models, 'openai-responses/other'), anthropic, chat]) await callModel(model, requestOf(messages))
  for (const { raw } of await server.requests()) t.notMatch(raw, /ENCRYPTED|"rs_1"|fc_1_0/)
})

test('settings are said in the words of this API', async (t) => {
  await server.reset()
  await server.script([{ text: 'ok' }])
  const { responses } = providerModels(t, server.baseUrl, { settings: { 'openai-responses/gpt': { maxOutputTokens: 500, temperature: 0.5, reasoningEffort: 'low', extraBody: { include: [], service_tier: 'flex' }, headers: { 'X-Team': 'a' } } } })
  await callModel(responses, requestOf([user('hi')]))
  const [request] = await server.requests()
  t.match(request?.body, { max_output_tokens: 500, temperature: 0.5, reasoning: { effort: 'low', summary: 'auto' }, service_tier: 'flex' })
  t.strictSame(request?.body?.['include'], [])
  t.equal(request?.headers['x-team'], 'a')
})
