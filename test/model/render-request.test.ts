import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'tap'
import type { Echo, ModelMessage, ModelRequest } from '../../src/model/model.ts'
import { traitsOf, type ProviderId, type ProviderOverrides } from '../../src/model/providers.ts'
import { requestParams } from '../../src/model/settings.ts'
import { renderRequest, type Target } from '../../src/model/render-request.ts'
import type { ChatMessage, ChatRequest } from '../support/model-server/model-server.ts'
import { requestOf } from './call-model.ts'

const hosts: Partial<Record<ProviderId, string>> = { openrouter: 'https://openrouter.ai/api/v1', openai: 'https://api.openai.com/v1' }

function target (provider: ProviderId, options: { model?: string, host?: string, overrides?: ProviderOverrides } = {}): Target {
  const baseUrl = new URL(options.host ?? hosts[provider] ?? 'http://127.0.0.1:1/v1')
  const traits = traitsOf(provider, undefined, baseUrl, options.overrides)
  return { provider, model: options.model ?? 'm', traits, params: requestParams({}, traits) }
}

function render (messages: readonly ModelMessage[], to: Target): ChatRequest {
  // The text was made from an object of this shape.
  return JSON.parse(renderRequest(requestOf(messages), to)) as ChatRequest
}

function wireIds (messages: readonly ChatMessage[]): string[] {
  return messages.flatMap(({ tool_calls: calls, tool_call_id: id }) => [...calls?.map(({ id }) => id) ?? [], ...id === undefined ? [] : [id]])
}

function turn (callId: string, echo: Echo | null = null, reasoning = ''): ModelMessage[] {
  return [
    { role: 'assistant', text: '', reasoning, calls: [{ callId, tool: 'f', arguments: { x: 1 } }], echo },
    { role: 'tool', callId, content: 'result', ok: true }
  ]
}

test('model, parameters and tools come first, messages last', async (t) => {
  const text = renderRequest(requestOf(), target('openai', { model: 'gpt' }))
  t.strictSame(Object.keys(JSON.parse(text)), ['model', 'stream', 'stream_options', 'tools', 'messages'])
  t.ok(text.endsWith(',"messages":[{"role":"user","content":"go"}]}'))
})

test('without tools no list of them is sent', async (t) => {
  const request: ModelRequest = { messages: [{ role: 'user', content: 'go' }], tools: [] }
  t.strictSame(JSON.parse(renderRequest(request, target('llamacpp'))), {
    model: 'm', stream: true, stream_options: { include_usage: true }, messages: [{ role: 'user', content: 'go' }]
  })
})

test('each provider gets its own parameters', async (t) => {
  t.match(render([], target('openrouter')), { usage: { include: true } })
  t.match(render([], target('llamacpp')), { parallel_tool_calls: true })
  t.notOk('parallel_tool_calls' in render([], target('custom')))
  t.notOk('stream_options' in render([], target('custom', { host: 'https://api.mistral.ai/v1' })))
  t.notOk('stream_options' in render([], target('custom', { overrides: { streamOptions: false } })))
})

const text = fc.string({ unit: 'binary', maxLength: 20 })
const echo: fc.Arbitrary<Echo | null> = fc.option(fc.record({
  provider: fc.constantFrom('custom', 'openrouter', 'openai'),
  callIds: fc.array(fc.constantFrom('', 'a', 'b', 'functions.f:0', 'AbCdEf123'), { maxLength: 3 }),
  data: fc.constantFrom({ model: 'm' }, { model: 'm', reasoningDetails: [{ type: 'reasoning.text', text: 'hm' }], callExtras: [null, { google: { thought_signature: 's' } }] })
}))
const step = fc.record({ text, reasoning: text, calls: fc.array(fc.record({ tool: text, arguments: fc.dictionary(text, fc.jsonValue()) }), { maxLength: 3 }), echo, user: text })

test('the request of a longer conversation begins with that of the shorter one, byte for byte', async () => {
  const targets = [
    target('openrouter'), target('openai'), target('llamacpp'), target('custom', { host: 'https://api.mistral.ai/v1' }),
    target('custom', { host: 'https://api.deepseek.com' }), target('custom', { host: 'https://generativelanguage.googleapis.com/v1beta/openai' })
  ]
  fc.assert(fc.property(fc.array(step, { maxLength: 6 }), fc.constantFrom(...targets), (steps, to) => {
    const messages: ModelMessage[] = [{ role: 'system', content: 'You are …' }]
    let before = renderRequest(requestOf(messages), to)
    let count = 0
    for (const { user, text, reasoning, calls, echo } of steps) {
      const made = calls.map((call) => ({ ...call, callId: `call_${count++}` }))
      const next: ModelMessage[] = [
        { role: 'user', content: user },
        { role: 'assistant', text, reasoning, calls: made, echo },
        ...made.map(({ callId }): ModelMessage => ({ role: 'tool', callId, content: user, ok: true }))
      ]
      for (const message of next) {
        messages.push(message)
        const after = renderRequest(requestOf(messages), to)
        assert.ok(after.startsWith(before.slice(0, -2)), 'a prefix')
        before = after
      }
    }
    const sent: ChatMessage[] = JSON.parse(before).messages
    const called = sent.flatMap(({ tool_calls: calls }) => calls?.map(({ id }) => id) ?? [])
    const answered = sent.flatMap(({ tool_call_id: id }) => id ?? [])
    assert.deepEqual(answered, called, 'each call has its result')
    assert.equal(new Set(called).size, called.length, 'no id twice')
    for (const message of sent) for (const call of message.tool_calls ?? []) assert.match(call.function.name, /^[\w-]{1,64}$/)
  }), { numRuns: 100 })
})

test('a model gets its own call ids back, as long as they are new in the request', async (t) => {
  const own = (...callIds: string[]): Echo => ({ provider: 'custom', callIds, data: { model: 'm' } })
  const messages = [...turn('call_1', own('functions.f:0')), ...turn('call_2', own('functions.f:0')), ...turn('call_3', own('')), ...turn('call_4', own('z'))]
  t.strictSame(wireIds(render(messages, target('custom')).messages), [
    'functions.f:0', 'functions.f:0', 'call_2', 'call_2', 'call_3', 'call_3', 'z', 'z'
  ])
  t.strictSame(wireIds(render(messages, target('openai')).messages), ['call_1', 'call_1', 'call_2', 'call_2', 'call_3', 'call_3', 'call_4', 'call_4'], 'another provider never sees them')
})

test('Mistral gets ids of nine letters and digits, the same each time', async (t) => {
  const mistral = target('custom', { host: 'https://api.mistral.ai/v1' })
  const messages = [...turn('call_1'), ...turn('call_2', { provider: 'custom', callIds: ['Zb3dEf7h9'], data: { model: 'm' } })]
  const ids = wireIds(render(messages, mistral).messages)
  for (const id of ids) t.match(id, /^[A-Za-z0-9]{9}$/)
  t.equal(ids[0], ids[1])
  t.equal(ids[2], 'Zb3dEf7h9')
  t.strictSame(wireIds(render(messages, mistral).messages), ids)
})

test('our ids that are too long for a provider are shortened', async (t) => {
  const [id] = wireIds(render(turn(`call_${'0'.repeat(60)}`), target('openai')).messages)
  t.ok(id !== undefined && id.length <= 40)
})

test('DeepSeek gets its reasoning back with calls, and an empty one for those of others', async (t) => {
  const deepseek = target('custom', { host: 'https://api.deepseek.com' })
  const own: Echo = { provider: 'custom', callIds: ['c1'], data: { model: 'm' } }
  const plain: ModelMessage = { role: 'assistant', text: 'done', reasoning: 'because', calls: [], echo: null }
  const [mine, , foreign, , last] = render([...turn('call_1', own, 'need the file'), ...turn('call_2', { ...own, provider: 'openai' }, 'theirs'), plain], deepseek).messages
  t.equal(mine?.['reasoning_content'], 'need the file')
  t.equal(foreign?.['reasoning_content'], '')
  t.notOk(last !== undefined && 'reasoning_content' in last, 'turns without calls go without')
})

test('reasoning is sent back where the operator wants it, and nowhere else', async (t) => {
  const own: Echo = { provider: 'custom', callIds: ['c1'], data: { model: 'm' } }
  const sent = (overrides: ProviderOverrides): ChatMessage | undefined => render(turn('call_1', own, 'hm'), target('custom', { overrides })).messages[0]
  t.match(sent({ reasoningEcho: 'reasoning_content' }), { reasoning_content: 'hm' })
  t.match(sent({ reasoningEcho: 'reasoning' }), { reasoning: 'hm' })
  t.strictSame(Object.keys(sent({}) ?? {}), ['role', 'content', 'tool_calls'])
})

test('signatures and details go back to the model that made them, unchanged', async (t) => {
  const details = [{ type: 'reasoning.encrypted', data: 'xyz', id: 'r1', format: 'f', index: 0 }]
  const extra = { google: { thought_signature: 'sig' } }
  const own: Echo = { provider: 'openrouter', callIds: ['c1'], data: { model: 'm', reasoningDetails: details, callExtras: [extra] } }
  const [mine] = render(turn('call_1', own), target('openrouter')).messages
  t.strictSame(mine?.['reasoning_details'], details)
  t.strictSame(mine?.tool_calls?.[0]?.['extra_content'], extra)
  for (const other of [target('openai'), target('openrouter', { model: 'n' })]) {
    const [foreign] = render(turn('call_1', own), other).messages
    t.notOk(JSON.stringify(foreign).includes('xyz') || JSON.stringify(foreign).includes('sig'))
  }
})

test('Gemini is told to skip the signature of a foreign step', async (t) => {
  const gemini = target('custom', { host: 'https://generativelanguage.googleapis.com/v1beta/openai' })
  const [foreign] = render(turn('call_1'), gemini).messages
  t.strictSame(foreign?.tool_calls?.[0]?.['extra_content'], { google: { thought_signature: 'skip_thought_signature_validator' } })
})

test('an assistant message with neither text nor calls is left out', async (t) => {
  const empty: ModelMessage = { role: 'assistant', text: '', reasoning: 'hm', calls: [], echo: null }
  t.strictSame(render([{ role: 'user', content: 'a' }, empty, { role: 'user', content: 'b' }], target('openai')).messages.map(({ content }) => content), ['a', 'b'])
})

test('half characters are made whole, and names that no provider takes are made fit', async (t) => {
  const messages: ModelMessage[] = [
    { role: 'user', content: 'a\ud83d' },
    { role: 'assistant', text: '', reasoning: '', calls: [{ callId: 'call_1', tool: 'read file!', arguments: {} }, { callId: 'call_2', tool: '', arguments: {} }], echo: null }
  ]
  const [user, assistant] = render(messages, target('openai')).messages
  t.equal(user?.content, 'a\ufffd')
  t.strictSame(assistant?.tool_calls?.map((call) => call.function), [{ name: 'read_file_', arguments: '{}' }, { name: 'unknown', arguments: '{}' }])
})
