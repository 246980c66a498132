import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import * as limits from '../../src/limits.ts'
import type { EventOf, SessionEvent, SessionEventType } from '../../src/protocol/events.ts'
import { startModelServer, type ModelServer, type Reply } from '../support/model-server/model-server.ts'
import { caller, startAgent } from '../support/agent.ts'

/** Takes six characters of JSON for one of text. */
const control = '\u0001'

test('bounds of what a session is told and keeps', async (t) => {
  const model: ModelServer = await startModelServer(t)

  async function setUp (t: Test, replies: readonly Reply[]) {
    await model.reset()
    await model.script(replies)
    const agent = await startAgent(t, model.baseUrl)
    const { session } = await agent.agent.createSession({}, caller, null)
    const logged = async <T extends SessionEventType>(type: T) => (await agent.events(session.id)).filter((event: SessionEvent): event is EventOf<T> => event.type === type)
    return { ...agent, sessionId: session.id, file: (name: string) => join(agent.dataDir, 'workspaces', session.id, name), logged }
  }

  const told = async (index: number): Promise<string> => String((await model.requests())[index]?.body?.messages.at(-1)?.content)

  await t.test('eventBytesMax: an answer that no event can hold ends the run once, with an error, and the session goes on', async (t) => {
    const { say, sessionId, logged } = await setUp(t, [{ stream_gen: { text: control, times: 100_000, deltas: 12 } }, { text: 'short' }])
    t.match(await say(sessionId, 'go'), { status: 'failed', finishReason: 'error', error: { code: 'internal', detail: /larger than the log takes/ } })
    t.match(await say(sessionId, 'go on'), { status: 'completed', text: 'short' })
    t.equal((await logged('run_end')).length, 2)
    t.strictSame((await logged('run_start')).map(({ resumed }) => resumed), [false, false])
    t.equal((await model.requests()).length, 2, 'it was not tried again')
  })

  await t.test('modelAnswerBytesMax: a model that does not stop is cut there, and the run says so', async (t) => {
    const { say, sessionId, logged } = await setUp(t, [{ stream_gen: { text: 'ab', times: 50_000, deltas: 30 } }])
    t.match(await say(sessionId, 'go'), { status: 'failed', error: { code: 'model_output_limit' } })
    t.equal(Buffer.byteLength((await logged('assistant_message'))[0]?.text ?? ''), limits.modelAnswerBytesMax)
  })

  await t.test('modelArgumentsLengthMax: a call with longer arguments is not made', async (t) => {
    const content = 'x'.repeat(limits.modelArgumentsLengthMax)
    const { say, sessionId, logged } = await setUp(t, [{ tool_calls: [{ id: 'w', name: 'write_file', arguments: { path: 'a', content } }] }, { text: 'smaller, then' }])
    const run = await say(sessionId, 'go')
    t.match(run, { approvals: [] }, 'nobody is asked about it')
    t.same((await logged('tool_call_start')), [])
    t.ok((await logged('assistant_message')).every((message) => JSON.stringify(message).length < limits.modelArgumentsLengthMax + 10_000))
    t.match(run, { status: 'completed', text: 'smaller, then' })
    t.match(await logged('tool_call_end'), [{ ok: false, error: { code: 'invalid_arguments' } }])
    t.match(await told(1), /invalid_arguments/)
  })

  await t.test('readBytesMax: a result holds no more, and says how to go on', async (t) => {
    const { say, sessionId, file, logged } = await setUp(t, [{ tool_calls: [{ id: 'r', name: 'read_file', arguments: { path: 'big' } }] }, { text: 'ok' }])
    await writeFile(file('big'), `${'x'.repeat(999)}\n`.repeat(400))
    await say(sessionId, 'go')
    const [end] = await logged('tool_call_end')
    t.match(end, { ok: true, truncated: true })
    t.ok(Buffer.byteLength(await told(1)) <= limits.readBytesMax)
    t.ok(Buffer.byteLength(await told(1)) > limits.readBytesMax * 0.9)
    t.match((await told(1)).slice(-500), /offset/)
  })

  await t.test('writeBytesMax: more than a file takes in one write is refused before anybody is asked', async (t) => {
    const content = '\u{20AC}'.repeat(limits.writeBytesMax / 3 + 1) // few characters, many bytes
    const { say, sessionId, logged } = await setUp(t, [{ tool_calls: [{ id: 'w', name: 'write_file', arguments: { path: 'a', content } }] }, { text: 'ok' }])
    t.match(await say(sessionId, 'go'), { status: 'completed' })
    t.match(await logged('tool_call_end'), [{ ok: false, error: { code: 'too_large' } }])
  })

  await t.test('shownLengthMax: the preview in an event is cut there and says so; the approval has it whole', async (t) => {
    const content = Array.from({ length: 2_000 }, (_, n) => `line ${n}\n`).join('')
    const { agent, say, sessionId, pending, waitFor, logged } = await setUp(t, [{ tool_calls: [{ id: 'w', name: 'write_file', arguments: { path: 'a', content } }] }, { text: 'ok' }])
    const run = await say(sessionId, 'go')
    const [asked] = await logged('approval_required')
    t.equal(asked?.preview.diff?.length, limits.shownLengthMax)
    t.equal(asked?.preview.truncated, true)
    const { preview, callId } = await agent.getApproval((await pending(sessionId))[0]?.callId ?? '', caller)
    t.match(preview, { truncated: false, diff: /^\+line 1999$/m })
    await agent.decideApproval(callId, { decision: 'approve' }, caller)
    await waitFor(run, 'end')
    const [end] = await logged('tool_call_end')
    t.equal(end?.diff?.length, limits.shownLengthMax)
    t.equal(end?.truncated, true)
  })
})
