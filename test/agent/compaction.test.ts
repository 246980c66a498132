import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import type { SessionEvent, EventOf } from '../../src/protocol/events.ts'
import type { Run } from '../../src/protocol/resources.ts'
import { caller, startAgent, type TestAgent } from '../support/agent.ts'
import { startModelServer, type ModelServer, type RecordedRequest } from '../support/model-server/model-server.ts'

interface Setup extends TestAgent { readonly model: ModelServer, readonly sessionId: string, readonly dir: string }

/** A session with a file of `fileSize` characters, at a model with a window of `contextWindow` tokens. */
async function setup (t: Test, options: { contextWindow?: number, fileSize?: number, dataDir?: string } = {}): Promise<Setup> {
  const model = await startModelServer(t)
  const settings = options.contextWindow === undefined ? {} : { 'custom/test': { contextWindow: options.contextWindow, maxOutputTokens: 500 } }
  const agent = await startAgent(t, model.baseUrl, { modelsConfig: { settings } })
  const { session } = await agent.agent.createSession({}, caller, null)
  const dir = join(agent.dataDir, 'workspaces', session.id)
  await writeFile(join(dir, 'a.txt'), 'alpha beta '.repeat((options.fileSize ?? 8_000) / 11))
  return { ...agent, model, sessionId: session.id, dir }
}

/** No two are the same call: that would be a loop. */
const read = (id: string) => ({ tool_calls: [{ id, name: 'read_file', arguments: { path: 'a.txt', limit: 1_000 + Number(id.slice(1)) } }] })
const overflow = { raw: { status: 400, chunks: [JSON.stringify({ error: { code: 'context_length_exceeded', message: 'maximum context length is 8192 tokens' } })] } }
const ofType = <T extends SessionEvent['type']>(events: readonly SessionEvent[], type: T): Array<EventOf<T>> => events.filter((event): event is EventOf<T> => event.type === type)

/** Every call has its result right behind its message, and every result its call. */
function paired (t: Test, { body }: RecordedRequest): void {
  const messages = body?.messages ?? []
  for (const [position, message] of messages.entries()) {
    const ids = message.tool_calls?.map(({ id }) => id) ?? []
    t.strictSame(messages.slice(position + 1, position + 1 + ids.length).map(({ tool_call_id: id }) => id), ids)
  }
  t.equal(messages.filter(({ role }) => role === 'tool').length, messages.flatMap(({ tool_calls: calls }) => calls ?? []).length)
  t.strictSame(messages.slice(0, 2).map(({ role }) => role), ['system', 'user'])
}

const isPrefix = (a: RecordedRequest | undefined, b: RecordedRequest | undefined): boolean => a !== undefined && b?.raw.startsWith(a.raw.slice(0, -2)) === true

test('before the window is full, the results of older steps become notes; the log keeps them', async (t) => {
  const { model, say, sessionId, events } = await setup(t, { contextWindow: 12_000 })
  await model.script([...['1', '2', '3', '4', '5', '6'].map((id) => read(`c${id}`)), { text: 'done' }])
  t.match(await say(sessionId, 'read it six times'), { status: 'completed', text: 'done' })
  const log = await events(sessionId)
  const [compaction] = ofType(log, 'compaction')
  t.match(compaction, { reason: 'window', summary: null })
  t.ok((compaction?.replacedResults.length ?? 0) > 0)
  const prompt = log[log.findIndex(({ type }) => type === 'compaction') + 1]
  t.match(prompt, { type: 'prompt_set', reason: 'compaction' })
  t.ok(ofType(log, 'tool_call_end').every(({ content }) => (content?.length ?? 0) > 7_000), 'the log has them whole')
  const requests = await model.requests()
  t.equal(requests.length, 7, 'no model was asked for it')
  for (const request of requests) {
    paired(t, request)
    t.ok(request.raw.length / 4 < 12_000, 'each fits')
  }
  t.equal(requests.filter((request, position) => position > 0 && !isPrefix(requests[position - 1], request)).length, ofType(log, 'compaction').length, 'between compactions the prefix stays')
})

test('when notes are not enough, the model summarises what is oldest, and the request that is being answered stays', async (t) => {
  const { model, say, sessionId, events } = await setup(t, { contextWindow: 7_000 })
  const long = 'x'.repeat(8_000)
  await model.script([{ text: `one ${long}` }, { text: `two ${long}` }, { text: 'THE SUMMARY', usage: { prompt_tokens: 100, completion_tokens: 20, cost: 0.01 } }, { text: 'three' }])
  await say(sessionId, `first ${long}`)
  await say(sessionId, 'second')
  const run = await say(sessionId, `third ${'y'.repeat(3_000)}`)
  t.match(run, { status: 'completed', text: 'three' })
  const log = await events(sessionId)
  const [compaction] = ofType(log, 'compaction')
  t.match(compaction?.summary, { text: /THE SUMMARY/, usage: { inputTokens: 100, outputTokens: 20, costUsd: 0.01 } })
  t.match(run.usage, { inputTokens: 110, outputTokens: 25, costUsd: 0.01 }, 'what the summary cost counts')
  const requests = await model.requests()
  t.match(requests[2]?.body?.messages, [{ role: 'system', content: /memory of an agent/ }, { role: 'user', content: /first x/ }])
  t.notOk('tools' in (requests[2]?.body ?? {}))
  const last = requests.at(-1)
  t.match(last?.body?.messages[1], { role: 'user', content: /THE SUMMARY/ })
  t.match(last?.body?.messages.at(-1), { role: 'user', content: /third y/ })
  t.notMatch(last?.raw, /first x/)
  paired(t, last as RecordedRequest) // there was one
})

test('a request that does not fit is made smaller and repeated, and the session lives on', async (t) => {
  const { model, say, sessionId, events } = await setup(t)
  await model.script([read('c1'), read('c2'), read('c3'), overflow, { text: 'done' }, { text: 'again' }])
  t.match(await say(sessionId, 'go'), { status: 'completed', text: 'done' })
  t.match(await say(sessionId, 'more'), { status: 'completed', text: 'again' })
  const requests = await model.requests()
  const [refused, repeated, next] = requests.slice(3)
  t.ok((repeated?.raw.length ?? 0) < (refused?.raw.length ?? 0) * 0.7)
  t.ok(isPrefix(repeated, next), 'from then on the prefix stays')
  t.match(ofType(await events(sessionId), 'compaction'), [{ reason: 'overflow' }])
})

test('overflowCompactionsMax: a model that finds everything too long is asked a few times, with less each time; then the run fails and the session does not', async (t) => {
  const { model, say, sessionId, events } = await setup(t)
  await model.script([read('c1'), read('c2'), { text: 'ready' }])
  await say(sessionId, 'fill it')
  await model.reset()
  await model.fallback(overflow)
  t.match(await say(sessionId, 'and now'), { status: 'failed', error: { code: 'context_overflow', canRetry: false } })
  const requests = await model.requests()
  t.ok(requests.length > 1 && requests.length <= 4, `${requests.length} attempts`)
  for (const [position, request] of requests.entries()) {
    if (position > 0) t.ok(request.raw.length < (requests[position - 1]?.raw.length ?? 0), 'each is smaller than the one before')
    paired(t, request)
  }
  await model.reset()
  await model.script([{ text: 'fine' }])
  t.match(await say(sessionId, 'hello again'), { status: 'completed', text: 'fine' })
  await events(sessionId)
})

test('a first message that does not fit fails after one attempt: there is nothing to take away', async (t) => {
  const { model, say, sessionId } = await setup(t)
  await model.fallback(overflow)
  t.match(await say(sessionId, 'go'), { status: 'failed', error: { code: 'context_overflow' } })
  t.equal((await model.requests()).length, 1)
})

test('results of the current step that do not fit become notes too', async (t) => {
  const { model, say, sessionId } = await setup(t, { fileSize: 100_000 })
  await model.script([read('c1'), overflow, { text: 'too long to read at once' }])
  t.match(await say(sessionId, 'go'), { status: 'completed' })
  const requests = await model.requests()
  t.match(requests[2]?.body?.messages.at(-1), { role: 'tool', content: /was taken out to make room/ })
  paired(t, requests[2] as RecordedRequest) // there was one
})

test('a summary that cannot be had from the model is made without it', async (t) => {
  const { model, say, sessionId, events } = await setup(t, { contextWindow: 7_000 })
  const long = 'x'.repeat(8_000)
  await model.script([{ text: `one ${long}` }, { text: `two ${long}` }, { raw: { status: 401, chunks: ['{}'] } }, { text: 'three' }])
  await say(sessionId, `the first wish ${long}`)
  await say(sessionId, 'second')
  t.match(await say(sessionId, `third ${'y'.repeat(3_000)}`), { status: 'completed', text: 'three' })
  t.match(ofType(await events(sessionId), 'compaction')[0]?.summary?.text, /The person: the first wish/)
})

test('a server that dies while the summary is made makes it again, and a restart folds the same conversation', async (t) => {
  const model = await startModelServer(t)
  const options = { dataDir: t.testdir(), modelsConfig: { settings: { 'custom/test': { contextWindow: 7_000, maxOutputTokens: 500 } } } }
  const long = 'x'.repeat(8_000)
  const first = await startAgent(t, model.baseUrl, options)
  const { session } = await first.agent.createSession({}, caller, null)
  await model.script([{ text: `one ${long}` }, { text: `two ${long}` }, { text: 'never', gate: true }])
  await first.say(session.id, `first ${long}`)
  await first.say(session.id, 'second')
  const { run } = await first.agent.postMessage(session.id, { content: `third ${'y'.repeat(3_000)}` }, caller, null)
  await model.waitForRequests(3)
  await first.close()

  await model.reset()
  await model.script([{ text: 'THE SUMMARY' }, { text: 'three' }, { text: 'four' }])
  const second = await startAgent(t, model.baseUrl, options)
  const settled: Run = await second.waitFor(run, 'end')
  t.match(settled, { status: 'completed', text: 'three' })
  const log = await second.events(session.id)
  t.equal(ofType(log, 'compaction').length, 1)
  await second.close()

  const third = await startAgent(t, model.baseUrl, options)
  await third.say(session.id, 'fourth')
  const requests = await model.requests()
  t.ok(isPrefix(requests[1], requests[2]), 'over a restart too')
})
