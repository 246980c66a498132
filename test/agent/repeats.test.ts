import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { repeatNote } from '../../src/agent/repeats.ts'
import { caller, startAgent } from '../support/agent.ts'
import { startModelServer, type Reply } from '../support/model-server/model-server.ts'

const read = (id: string, path: string) => ({ id, name: 'read_file', arguments: { path } })

async function converse (t: Test, replies: readonly Reply[]) {
  const model = await startModelServer(t)
  const agent = await startAgent(t, model.baseUrl)
  const { session } = await agent.agent.createSession({}, caller, null)
  await writeFile(join(agent.dataDir, 'workspaces', session.id, 'a.txt'), 'alpha')
  await model.script(replies)
  const run = await agent.say(session.id, 'go')
  const ends = (await agent.events(session.id)).flatMap((event) => event.type === 'tool_call_end' ? [event.content ?? event.error?.error ?? ''] : [])
  return { ...agent, sessionId: session.id, model, run, noted: ends.map((text) => text.endsWith(repeatNote)), ends }
}

test('repeatedCallsWarn, repeatedCallsMax: the third same call with the same result is told so, the fifth is the last', async (t) => {
  const { run, noted, ends, say, model, sessionId } = await converse(t, [{ tool_calls: [read('c{n}', 'a.txt')], repeat: 50 }])
  t.match(run, { status: 'failed', finishReason: 'loop_detected', steps: 5, error: { code: 'loop_detected', canRetry: false, detail: /5 times in a row/ } })
  t.same(noted, [false, false, true, true, true])
  t.equal(ends[4]?.split(repeatNote).length, 2, 'noted once')
  const told = (await model.requests())[3]?.body?.messages.at(-1)?.content ?? ''
  t.ok(told.endsWith(repeatNote), 'the model reads what the log has')
  await model.reset()
  await model.script([{ text: 'sorry' }])
  t.match(await say(sessionId, 'again'), { status: 'completed', text: 'sorry' })
})

test('a call that fails in the same way is a repetition too, in whatever order its arguments are written', async (t) => {
  const write = (n: number, args: string) => ({ tool_calls: [{ id: `c${n}`, name: 'read_file', arguments: args }] })
  const { run, noted } = await converse(t, [1, 2, 3, 4, 5].map((n) => write(n, n % 2 === 0 ? '{"path":"no.txt","offset":1}' : '{"offset":1,"path":"no.txt"}')))
  t.match(run, { finishReason: 'loop_detected' })
  t.same(noted, [false, false, true, true, true])
})

test('something else in between begins the count anew', async (t) => {
  const same = [1, 2, 3, 4].map((n) => ({ tool_calls: [read(`c${n}`, 'a.txt')] }))
  const { run, noted } = await converse(t, [...same, { tool_calls: [read('x', 'no.txt')] }, ...same, { text: 'done' }])
  t.match(run, { status: 'completed', steps: 10 })
  t.same(noted, [false, false, true, true, false, false, false, true, true])
})

test('two calls that come together again and again are a loop; one beside new ones is noted, and no loop', async (t) => {
  const both = await converse(t, [{ tool_calls: [read('a{n}', 'a.txt'), read('b{n}', 'no.txt')], repeat: 50 }])
  t.match(both.run, { finishReason: 'loop_detected', steps: 5 })
  const beside = await converse(t, [...[1, 2, 3, 4, 5, 6].map((n) => ({ tool_calls: [read(`a${n}`, 'a.txt'), read(`b${n}`, `${n}.txt`)] })), { text: 'done' }])
  t.match(beside.run, { status: 'completed', steps: 7 })
  t.same(beside.noted.filter((noted) => noted).length, 4)
})
