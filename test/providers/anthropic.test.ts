import tap, { test } from 'tap'
import type { ModelMessage } from '../../src/model/model.ts'
import { callModel, modelOf, requestOf } from '../model/call-model.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { marks, step, unmarked } from './conversation.ts'
import { keys, providerModels } from './provider-models.ts'
import { frames } from './wire-cases.ts'

const server = await startModelServer(tap)
const system: ModelMessage = { role: 'system', content: 'Be careful.' }
const user = (content: string): ModelMessage => ({ role: 'user', content })

test('the request has the key, the version, the form and the address that it should', async (t) => {
  await server.reset()
  await server.script([{ text: 'ok' }])
  const { anthropic } = providerModels(t, server.baseUrl)
  const { answer } = await callModel(anthropic, requestOf([system, user('hi')]))
  t.match(answer, { text: 'ok', calls: [], finishReason: 'stop', model: 'anthropic/claude', echo: null })
  const [request] = await server.requests()
  t.match(request, { method: 'POST', url: '/v1/messages', headers: { 'x-api-key': keys.anthropic, 'anthropic-version': '2023-06-01' } })
  t.equal(request?.headers['authorization'], undefined)
  t.match(request?.body, {
    model: 'claude',
    stream: true,
    max_tokens: 16_384,
    system: [{ type: 'text', text: 'Be careful.' }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]
  })
  t.match(request?.body?.tools?.[0], { name: 'read_file', input_schema: { type: 'object' } })
})

test('thinking goes back before its call, signed; all results of a step are one user message, failures marked', async (t) => {
  await server.reset()
  await server.script([
    { reasoning: 'look at both', signature: 'SIGNED', text: 'I look.', tool_calls: [{ name: 'read_file', arguments: { path: 'a' } }, { name: 'read_file', arguments: { path: 'b' } }] },
    { text: 'done' }
  ])
  const { anthropic } = providerModels(t, server.baseUrl)
  const first = await callModel(anthropic, requestOf([system, user('go')]))
  await callModel(anthropic, requestOf([system, user('go'), ...step(first.answer, ['alpha', new Error('{"code":"not_found"}')])]))
  const [, second] = await server.requests()
  t.match(second?.body?.messages, [
    { role: 'user', content: [{ text: 'go' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'look at both', signature: 'SIGNED' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'toolu_1_0', name: 'read_file', input: { path: 'a' } },
        { type: 'tool_use', id: 'toolu_1_1', name: 'read_file', input: { path: 'b' } }
      ]
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1_0', content: 'alpha' }, { type: 'tool_result', tool_use_id: 'toolu_1_1', content: '{"code":"not_found"}', is_error: true }] }
  ])
  t.notOk('is_error' in (Object(second?.body?.messages[2]?.content?.[0]) as object))
})

test('the cache ends at the tools, the system prompt, and the last two turns of the user: four marks, each prefix found again', async (t) => {
  await server.reset()
  await server.script([...Array.from({ length: 4 }, (_, i) => ({ tool_calls: Array.from({ length: 12 }, (_, n) => ({ name: 'f', arguments: { i, n } })) })), { text: 'done' }, { text: 'again' }])
  const { anthropic } = providerModels(t, server.baseUrl)
  const messages: ModelMessage[] = [system, user('go')]
  for (let i = 0; i < 5; i++) messages.push(...step((await callModel(anthropic, requestOf(messages))).answer))
  messages.push(user('more'))
  await callModel(anthropic, requestOf(messages))
  const requests = await server.requests()
  t.equal(requests.length, 6)
  for (const [position, { raw, body }] of requests.entries()) {
    const places = marks(body)
    t.ok(places.length <= 4, `${places.length} marks`)
    const turns = body?.messages ?? []
    const last = `/messages/${turns.length - 1}/content/${(turns.at(-1)?.content?.length ?? 0) - 1}`
    t.ok(places.includes(last), 'the end is marked')
    t.ok(places.some((place) => place.startsWith('/tools/')) && places.includes('/system/0'))
    if (position === 0) continue
    const before = requests[position - 1]
    const end = marks(before?.body).at(-1) ?? ''
    t.ok(places.includes(end), 'where the request before ended is marked again: its prefix is found however long the turn was')
    t.ok(unmarked(raw).startsWith(unmarked(before?.raw ?? '').slice(0, -2)), 'but for the marks the request before is a prefix')
  }
})

test('a turn that the provider paused is gone on with, as one answer', async (t) => {
  await server.reset()
  await server.script([
    { raw: { chunks: [frames({ type: 'message_start', message: { usage: { input_tokens: 10, output_tokens: 1 } } }, { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'First. ' } }, { type: 'content_block_start', index: 1, content_block: { type: 'server_tool_use', id: 'srv', name: 'web', input: {} } }, { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"q":1}' } }, { type: 'message_delta', delta: { stop_reason: 'pause_turn' }, usage: { output_tokens: 4 } }, { type: 'message_stop' })] } },
    { text: 'Second.', usage: { input_tokens: 20 } }
  ])
  const { anthropic } = providerModels(t, server.baseUrl)
  const { answer, parts } = await callModel(anthropic, requestOf([user('go')]))
  t.match(answer, { text: 'First. Second.', finishReason: 'stop', usage: { inputTokens: 30, outputTokens: 9 } })
  t.equal(parts.map((part) => part.type === 'text' ? part.text : '').join(''), 'First. Second.')
  const [, second] = await server.requests()
  t.match(second?.body?.messages.at(-1), { role: 'assistant', content: [{ type: 'text', text: 'First. ' }, { type: 'server_tool_use', id: 'srv', input: { q: 1 } }] })
})

test('modelGoOnMax: a provider that pauses for ever is not asked for ever', async (t) => {
  await server.reset()
  await server.fallback({ text: 'x', finish_reason: 'pause_turn' })
  const { anthropic } = providerModels(t, server.baseUrl)
  t.equal((await callModel(anthropic, requestOf([user('go')]))).answer?.text, 'xxxxxx')
  t.equal((await server.requests()).length, 6)
})

test('signatures stay with the model that made them', async (t) => {
  await server.reset()
  await server.script([{ reasoning: 'hm', signature: 'SIGNED', tool_calls: [{ name: 'f', arguments: {} }] }, { text: '1' }, { text: '2' }, { text: '3' }, { text: '4' }])
  const { models, anthropic, responses, chat } = providerModels(t, server.baseUrl)
  const messages = [user('go'), ...step((await callModel(anthropic, requestOf([user('go')]))).answer)]
  for (const model of [modelOf(models, 'anthropic/other'), responses, chat, anthropic]) await callModel(model, requestOf(messages))
  const [, other, foreign, plain, back] = await server.requests()
  for (const request of [other, foreign, plain]) t.notMatch(request?.raw, /SIGNED/)
  t.match(back?.raw, /SIGNED/)
  t.match(other?.body?.messages[1], { content: [{ type: 'tool_use', id: 'toolu_1_0' }] })
})

test('with a thinking budget, a turn that another model began is gone on with without thinking', async (t) => {
  await server.reset()
  await server.script([{ tool_calls: [{ name: 'f', arguments: {} }] }, { text: '1' }, { text: '2' }])
  const { anthropic, chat } = providerModels(t, server.baseUrl, { settings: { 'anthropic/claude': { thinkingBudgetTokens: 2_000 } } })
  const messages = [user('go'), ...step((await callModel(chat, requestOf([user('go')]))).answer)]
  await callModel(anthropic, requestOf(messages))
  await callModel(anthropic, requestOf([...messages, { role: 'assistant', text: 'ok', reasoning: '', calls: [], echo: null }, user('next')]))
  const [, during, after] = await server.requests()
  t.equal(during?.body?.['thinking'], undefined)
  t.match(after?.body, { thinking: { type: 'enabled', budget_tokens: 2_000 }, max_tokens: 18_384 })
})

test('text that the API refuses is not sent: empty, or nothing but white space', async (t) => {
  await server.reset()
  await server.script([{ text: 'ok' }])
  const { anthropic } = providerModels(t, server.baseUrl)
  await callModel(anthropic, {
    messages: [
      user('go'), { role: 'assistant', text: ' \n', reasoning: '', calls: [{ callId: 'call_a', tool: 'no such tool!', arguments: {} }], echo: null },
      { role: 'tool', callId: 'call_a', content: '', ok: true }, { role: 'assistant', text: '', reasoning: 'only thought', calls: [], echo: null }, user('more \ud800')
    ],
    tools: []
  })
  const [request] = await server.requests()
  t.match(request?.body?.messages, [
    { role: 'user' },
    { role: 'assistant', content: [{ type: 'tool_use', name: 'no_such_tool_' }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_a' }, { type: 'text', text: 'more \ufffd' }] }
  ])
  t.equal(request?.body?.messages.length, 3)
  t.notOk('tools' in (request?.body ?? {}) || 'system' in (request?.body ?? {}))
})
