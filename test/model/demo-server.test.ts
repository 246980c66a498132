import { test } from 'tap'
import { startDemoServer } from '../../src/model/demo/server.ts'
import { startDemoModelServer } from '../support/model-server/model-server.ts'
import { customModels, modelOf, callModel } from './call-model.ts'
import { Conversation } from './demo-conversation.ts'

test('the demo model, served as a process of its own, works through the chat-completions dialect', async (t) => {
  const server = await startDemoModelServer(t)
  const { models } = customModels(t, server.baseUrl)
  const talk = new Conversation(modelOf(models, 'custom/demo'), ({ tool }) => tool === 'read_file' ? 'buy milk' : { error: 'No.', code: 'denied' })
  const texts = await talk.say('think hard, then read notes.txt, then write x.txt with "é"')
  t.strictSame(talk.calls, [{ tool: 'read_file', arguments: { path: 'notes.txt' } }, { tool: 'write_file', arguments: { path: 'x.txt', content: 'é' } }])
  t.match(texts[1], /buy milk/)
  t.match(texts[2], /not allowed to write x\.txt/)
  t.ok(talk.messages.some((message) => message.role === 'assistant' && message.reasoning !== ''))
  const calls = talk.messages.flatMap((message) => message.role === 'assistant' && message.echo !== null ? message.echo.callIds : [])
  t.equal(new Set(calls).size, 2, 'its ids differ from step to step')
  const { answer } = await callModel(modelOf(models, 'custom/demo'), { messages: [{ role: 'user', content: 'hello' }], tools: [] })
  t.ok((answer?.usage.outputTokens ?? 0) > 0)
})

async function server (t: { teardown (end: () => Promise<void>): void }): Promise<string> {
  const { baseUrl, close } = await startDemoServer({ port: 0, host: '127.0.0.1', wordDelayMs: 0 })
  t.teardown(close)
  return baseUrl
}

async function post (baseUrl: string, body: unknown): Promise<{ status: number, body: unknown }> {
  const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })
  return { status: response.status, body: await response.json() }
}

test('it lists its model', async (t) => {
  const baseUrl = await server(t)
  t.match(await (await fetch(`${baseUrl}/models`)).json(), { object: 'list', data: [{ id: 'demo', object: 'model' }] })
})

test('it answers whole when no stream is wanted, with calls', async (t) => {
  const baseUrl = await server(t)
  const tools = [{ type: 'function', function: { name: 'read_file', parameters: {} } }]
  const messages = [{ role: 'developer', content: 'x' }, { role: 'user', content: [{ type: 'text', text: 'read a.txt' }] }]
  t.match(await post(baseUrl, { model: 'demo', messages, tools }), {
    status: 200,
    body: {
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: /read a\.txt/, tool_calls: [{ id: /^call_/, type: 'function', function: { name: 'read_file', arguments: '{"path":"a.txt"}' } }] }, finish_reason: 'tool_calls' }],
      usage: { total_tokens: Number }
    }
  })
})

test('its stream carries usage only when that is asked for', async (t) => {
  const baseUrl = await server(t)
  for (const options of [{}, { stream_options: { include_usage: true } }]) {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST', body: JSON.stringify({ model: 'demo', stream: true, messages: [{ role: 'user', content: 'hello' }], ...options })
    })
    const text = await response.text()
    t.match(response.headers.get('content-type'), /^text\/event-stream/)
    t.ok(text.endsWith('data: [DONE]\n\n'))
    t.equal(text.includes('"usage"'), 'stream_options' in options)
  }
})

test('its errors have the shape that clients know', async (t) => {
  const baseUrl = await server(t)
  const messages = [{ role: 'user', content: 'hello' }]
  const refused: Array<[body: unknown, status: number, code: string]> = [
    ['no JSON', 400, 'invalid_request'],
    [{ model: 'demo' }, 400, 'invalid_request'],
    [{ messages }, 400, 'invalid_request'],
    [{ model: 'demo', messages: [{ role: 'nobody', content: 'x' }] }, 400, 'invalid_request'],
    [{ model: 'demo', messages: [{ role: 'user', content: 5 }] }, 400, 'invalid_request'],
    [{ model: 'demo', messages: [{ role: 'tool', content: 'x' }] }, 400, 'invalid_request'],
    [{ model: 'demo', messages, tools: 'x' }, 400, 'invalid_request'],
    [{ model: 'gpt', messages }, 404, 'model_not_found']
  ]
  for (const [body, status, code] of refused) {
    t.match(await post(baseUrl, body), { status, body: { error: { message: String, type: 'invalid_request_error', param: null, code } } })
  }
  t.equal((await fetch(`${baseUrl}/chat/completions`)).status, 405)
  t.equal((await fetch(`${baseUrl}/nothing`)).status, 404)
  t.equal((await post(baseUrl, JSON.stringify({ model: 'demo', messages: 'x'.repeat(9 * 1024 * 1024) })).catch(() => ({ status: 413 }))).status, 413)
})
