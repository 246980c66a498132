import tap, { test } from 'tap'
import { startModelServer, type Reply } from '../support/model-server/model-server.ts'
import { callModel, customModels, joined, requestOf } from './call-model.ts'

const server = await startModelServer(tap)

test('the scripted model gives its replies in order, and says when there are none left', async (t) => {
  await server.reset()
  const { model } = customModels(t, server.baseUrl)
  const replies: Reply[] = [
    { text: 'one' },
    { stream: ['t', 'wo'] },
    { stream_gen: { text: 'x', times: 3, deltas: 2 } },
    { reasoning: 'hm', text: 'I read', tool_calls: [{ id: 'c{n}', name: 'read_file', arguments: { path: 'a' } }], usage: { prompt_tokens: 1, completion_tokens: 2 } },
    { tool_calls: [{ id: 'r{n}', name: 'f', arguments: '{}' }], repeat: 2 }
  ]
  await server.script(replies)
  const answers = []
  for (let call = 0; call < 6; call++) answers.push((await callModel(model)).answer)
  t.match(answers, [
    { text: 'one', finishReason: 'stop' },
    { text: 'two' },
    { text: 'xxxxxx' },
    { text: 'I read', reasoning: 'hm', calls: [{ tool: 'read_file', arguments: { path: 'a' } }], echo: { callIds: ['c1'] }, usage: { inputTokens: 1, outputTokens: 2 } },
    { echo: { callIds: ['r1'] } },
    { echo: { callIds: ['r2'] } }
  ])
  t.match((await callModel(model)).error?.message, /script of the test's model server is exhausted/)
  await server.fallback({ text: 'always' })
  t.equal((await callModel(model)).answer?.text, 'always')
  t.equal((await callModel(model)).answer?.text, 'always')
  t.equal((await server.requests()).length, 9)
  await server.reset()
  t.strictSame(await server.requests(), [])
})

test('gates hold a reply before it starts or in its middle', async (t) => {
  await server.reset()
  const { model } = customModels(t, server.baseUrl)
  await server.script([{ gate: true, text: 'late' }, { stream: ['a', 'b', 'c'], gate_after: 2 }])
  const late = callModel(model)
  await server.waitForRequests(1)
  await server.release()
  t.equal((await late).answer?.text, 'late')
  const stream = model.stream(requestOf(), new AbortController().signal)
  let text = ''
  while (text.length < 2) {
    const next = await stream.next()
    if (next.done === true) throw new Error('it did not wait')
    text += joined(next.value, 'text')
  }
  t.equal(text, 'ab')
  await server.release()
  let next = await stream.next()
  while (next.done !== true) next = await stream.next()
  t.equal(next.value.text, 'abc')
})

test('a release that comes before its gate is kept', async (t) => {
  await server.reset()
  const { model } = customModels(t, server.baseUrl)
  await server.script([{ gate: true, text: 'at once' }])
  await server.release()
  t.equal((await callModel(model)).answer?.text, 'at once')
})

test('replies can be kept for the requests of one test, and whole answers be asked for', async (t) => {
  await server.reset()
  const { model } = customModels(t, server.baseUrl)
  await server.script([{ text: 'for "b"' }], { when: 'say "b"' })
  await server.script([{ text: 'for all' }])
  t.equal((await callModel(model, requestOf([{ role: 'user', content: 'please say "b" now' }]))).answer?.text, 'for "b"')
  const response = await fetch(`${server.baseUrl}/chat/completions`, { method: 'POST', body: JSON.stringify({ model: 'x', messages: [{ role: 'user', content: 'a' }] }) })
  t.match(await response.json(), { choices: [{ message: { content: 'for all' }, finish_reason: 'stop' }] })
})
