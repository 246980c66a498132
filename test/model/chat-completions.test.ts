import { createServer } from 'node:http'
import { once } from 'node:events'
import tap, { test } from 'tap'
import { modelAnswerBytesMax, modelArgumentsLengthMax, modelCallsMax } from '../../src/limits.ts'
import type { ModelMessage } from '../../src/model/model.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { callModel, customModels, joined, modelOf, requestOf } from './call-model.ts'
import { delta, frame } from './quirks.ts'

const server = await startModelServer(tap)

const key = 'sk-test-SECRET123'

test('the request has the key, the form and the address that it should', async (t) => {
  await server.reset()
  await server.script([{ text: 'ok' }])
  const { models } = customModels(t, `${server.baseUrl}/`, { custom: { apiKey: key, baseUrl: `${server.baseUrl}/` } })
  const { answer } = await callModel(modelOf(models, 'custom/some/model:free'))
  t.match(answer, { text: 'ok', reasoning: '', calls: [], finishReason: 'stop', usage: { inputTokens: 10, outputTokens: 5 }, echo: null })
  const [request] = await server.requests()
  t.match(request, { method: 'POST', url: '/v1/chat/completions', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } })
  t.match(request?.body, { model: 'some/model:free', stream: true, stream_options: { include_usage: true } })
})

test('a key that a provider echoes appears nowhere', async (t) => {
  await server.reset()
  const { model } = customModels(t, server.baseUrl, { maxRetries: 1, custom: { apiKey: key } })
  const said = `Incorrect API key provided: ${key}. Authorization: Bearer ${key}`
  for (const raw of [
    { status: 401, chunks: [JSON.stringify({ error: { message: said } })] },
    { status: 503, chunks: [said] },
    { status: 400, headers: { 'content-type': 'text/html' }, chunks: [`<title>${said}</title>`] },
    { chunks: [frame({ error: { message: said } })] },
    { chunks: [`data: ${said}\n\n`] },
    { status: 400, chunks: [JSON.stringify({ error: { message: `${'x'.repeat(2_030)}${key}` } })] }
  ]) {
    await server.reset()
    await server.fallback({ raw })
    const { error, parts } = await callModel(model)
    t.ok(error)
    const everything = `${error?.message} ${error?.stack} ${JSON.stringify(error)} ${String(error?.cause)} ${JSON.stringify(parts)}`
    t.notMatch(everything, /SECRET|sk-test/)
  }
  await server.reset()
  await server.script([{ raw: { status: 401, chunks: [JSON.stringify({ error: { message: said } })] } }])
  const { error } = await callModel(model)
  t.equal(error?.code, 'model_auth')
  t.match(error?.suggestion, /API key/)
})

test('a redirect is an error, and nothing is sent to where it leads', async (t) => {
  const elsewhere = await startModelServer(t)
  await server.reset()
  await server.script([{ raw: { status: 307, headers: { location: `${elsewhere.baseUrl}/chat/completions` }, chunks: [] } }])
  const { model } = customModels(t, server.baseUrl, { maxRetries: 2, custom: { apiKey: key } })
  const { error } = await callModel(model)
  t.equal(error?.code, 'model_not_an_api')
  t.match(error?.message, /redirect/)
  t.equal((await elsewhere.requests()).length, 0)
})

test('broken arguments are told as they came, and go back as an empty object', async (t) => {
  await server.reset()
  await server.script([
    { tool_calls: [{ id: 'c1', name: 'f', arguments: '{"path": "unterminated' }, { id: 'c2', name: 'f', arguments: '[1]' }, { id: 'c3', name: 'f', arguments: '{"a":1}' }] },
    { tool_calls: [{ id: 'c4', name: 'f', arguments: '{"path":"a.txt","content":"# Guide\\n\\n## 1. Ins' }], finish_reason: 'length' },
    { text: 'sorry' }
  ])
  const { model } = customModels(t, server.baseUrl)
  const { answer } = await callModel(model)
  t.strictSame(answer?.calls, [
    { tool: 'f', arguments: {}, invalidArguments: { reason: 'invalid_json', text: '{"path": "unterminated' } },
    { tool: 'f', arguments: {}, invalidArguments: { reason: 'not_an_object', text: '[1]' } },
    { tool: 'f', arguments: { a: 1 } }
  ])
  const cut = await callModel(model)
  t.match(cut.answer, { finishReason: 'length', calls: [{ arguments: {}, invalidArguments: { reason: 'truncated', text: /^{"path":"a.txt".*Ins$/s } }] })
  const history: ModelMessage[] = [
    { role: 'user', content: 'go' },
    { role: 'assistant', text: '', reasoning: '', calls: [{ callId: 'call_1', tool: 'f', arguments: {} }], echo: null },
    { role: 'tool', callId: 'call_1', content: '{"error":"no JSON"}', ok: false }
  ]
  await callModel(model, requestOf(history))
  const [, , third] = await server.requests()
  t.equal(third?.body?.messages[1]?.tool_calls?.[0]?.function.arguments, '{}')
})

test('what a provider wants back comes with the answer', async (t) => {
  await server.reset()
  const call = { index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' }, extra_content: { google: { thought_signature: 'sig' } } }
  await server.fallback({
    raw: {
      chunks: [
        delta({ reasoning_details: [{ type: 'reasoning.text', text: 'He', index: 0 }] }),
        delta({ reasoning_details: [{ type: 'reasoning.text', text: 'llo', index: 0, signature: null }] }),
        delta({ reasoning_details: [{ type: 'reasoning.text', signature: 's1', index: 0 }, { type: 'reasoning.encrypted', data: 'abc', index: 1 }] }),
        delta({ tool_calls: [call] }), delta({}, 'tool_calls'), 'data: [DONE]\n\n'
      ]
    }
  })
  const { models } = customModels(t, server.baseUrl, {
    providers: { openrouter: { apiKey: 'k', baseUrl: server.baseUrl }, custom: { baseUrl: server.baseUrl } }
  })
  const { answer } = await callModel(modelOf(models, 'openrouter/x/y'))
  t.equal(answer?.reasoning, 'Hello')
  t.strictSame(answer?.echo, {
    provider: 'openrouter',
    callIds: ['c1'],
    data: {
      model: 'x/y',
      reasoningDetails: [{ type: 'reasoning.text', text: 'Hello', index: 0, signature: 's1' }, { type: 'reasoning.encrypted', data: 'abc', index: 1 }],
      callExtras: [{ google: { thought_signature: 'sig' } }]
    }
  })
  const plain = await callModel(modelOf(models, 'custom/x'))
  t.notOk(plain.answer?.echo?.data['reasoningDetails'], 'only where they are wanted')
})

test('parts of one network read come together, neighbours joined', async (t) => {
  await server.reset()
  const chunks = [[delta({ reasoning: 'a' }), delta({ reasoning: 'b' }), delta({ content: 'c' }), delta({ content: 'd' }), delta({ content: 'e' }, 'stop'), 'data: [DONE]\n\n'].join('')]
  await server.script([{ raw: { chunks } }])
  const { model } = customModels(t, server.baseUrl)
  const { parts, batches } = await callModel(model)
  t.strictSame(parts, [{ type: 'reasoning', text: 'ab' }, { type: 'text', text: 'cde' }])
  t.equal(batches, 1)
})

test('a call is previewed as it comes', async (t) => {
  await server.reset()
  const piece = (fn: object): string => delta({ tool_calls: [{ index: 0, id: 'c', function: fn }] })
  await server.script([{ raw: { chunks: [piece({ name: 'f' }), piece({ arguments: '{"x":' }), piece({ arguments: '1}' }), delta({}, 'tool_calls')] }, delayMs: 30 }])
  const { model } = customModels(t, server.baseUrl)
  const { parts } = await callModel(model)
  t.strictSame(parts, ['', '{"x":', '1}'].map((text) => ({ type: 'call', index: 0, tool: 'f', text })))
})

test('sseEventBytesMax, modelAnswerBytesMax: an answer without end is cut at the bound, as if by an output limit', async (t) => {
  await server.reset()
  const { model } = customModels(t, server.baseUrl)
  await server.script([{ stream_gen: { text: 'é'.repeat(50_000), times: 1, deltas: 1_000 } }])
  const { answer, parts } = await callModel(model)
  t.equal(answer?.finishReason, 'length')
  t.ok(Buffer.byteLength(answer?.text ?? '') <= modelAnswerBytesMax + 200_000)
  t.equal(joined(parts, 'text'), answer?.text)
  await server.script([{ tool_calls: [{ name: 'f', arguments: `{"x":"${'y'.repeat(modelArgumentsLengthMax)}"}` }] }])
  const long = await callModel(model)
  t.match(long.answer, { finishReason: 'length', calls: [{ tool: 'f', invalidArguments: { reason: 'truncated' } }] })
  await server.script([{ tool_calls: Array.from({ length: modelCallsMax + 10 }, () => ({ name: 'f', arguments: {} })) }])
  const many = await callModel(model)
  t.equal(many.answer?.calls.length, modelCallsMax)
  await server.script([{ raw: { chunks: Array.from({ length: 50 }, (_, i) => i === 0 ? 'data: ' : 'x'.repeat(100_000)) } }])
  t.equal((await callModel(model)).error?.code, 'model_output_limit')
})

test('modelDrainMs: a server that goes on after the answer does not hold the call', async (t) => {
  await server.reset()
  await server.script([{ raw: { chunks: [delta({ content: 'x' }), delta({}, 'stop'), 'data: [DONE]\n\n'], end: 'hang' } }, { text: 'next' }])
  const { model } = customModels(t, server.baseUrl)
  const { answer, ms } = await callModel(model)
  t.equal(answer?.text, 'x')
  t.ok(ms < 3_000)
  t.equal((await callModel(model)).answer?.text, 'next')
})

test('after a finish reason neither silence nor a reset spoils the answer', async (t) => {
  await server.reset()
  const { model } = customModels(t, server.baseUrl, { idleTimeoutMs: 150 })
  for (const end of ['hang', 'reset'] as const) {
    await server.script([{ raw: { chunks: [delta({ content: 'x' }), delta({}, 'stop')], end } }])
    t.match((await callModel(model)).answer, { text: 'x', finishReason: 'stop' })
  }
})

test('a connection serves one call after the other', async (t) => {
  let connections = 0
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(delta({ content: 'x' }) + delta({}, 'stop') + 'data: [DONE]\n\n')
      setTimeout(() => { response.end() }, 20)
    })
  }).on('connection', () => { connections++ })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close() })
  const address = server.address()
  const { model } = customModels(t, `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`)
  for (let call = 0; call < 3; call++) {
    t.equal((await callModel(model)).answer?.text, 'x')
    await new Promise((resolve) => { setTimeout(resolve, 80) })
  }
  t.equal(connections, 1)
})

test('modelReadAheadBytes: a model that is faster than its reader has to wait', async (t) => {
  const comment = `: ${'x'.repeat(64 * 1024)}\n\n`
  let left = 1_000
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(delta({ content: 'first' }))
    const more = (): void => {
      while (left > 0) {
        left--
        if (!response.write(comment)) {
          response.once('drain', more)
          return
        }
      }
      response.end(delta({ content: ', last' }, 'stop') + 'data: [DONE]\n\n')
    }
    setImmediate(more)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close() })
  const address = server.address()
  const { model } = customModels(t, `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`, { idleTimeoutMs: 150 })
  const stream = model.stream(requestOf(), new AbortController().signal)
  let next = await stream.next()
  await new Promise((resolve) => { setTimeout(resolve, 400) })
  t.ok(left > 500, `${left} of 1000 pieces still wait`)
  while (next.done !== true) next = await stream.next()
  t.equal(next.value.text, 'first, last')
})

test('many calls at once are kept apart', async (t) => {
  await server.reset()
  const { model } = customModels(t, server.baseUrl)
  const names = Array.from({ length: 40 }, (_, i) => `q${i}q`)
  for (const name of names) await server.script([{ stream: [name, name, name], delayMs: 1 }], { when: name })
  const answers = await Promise.all(names.map((name) => callModel(model, requestOf([{ role: 'user', content: name }]))))
  t.strictSame(answers.map(({ answer }) => answer?.text), names.map((name) => name.repeat(3)))
})
