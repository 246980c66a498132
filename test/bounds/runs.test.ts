import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import * as limits from '../../src/limits.ts'
import type { EventOf, SessionEvent, SessionEventType } from '../../src/protocol/events.ts'
import type { Reply } from '../support/model-server/model-server.ts'
import { startModelServer, type ModelServer } from '../support/model-server/model-server.ts'
import { caller, eventually, startAgent, type TestAgent, type TestAgentOptions } from '../support/agent.ts'

interface Setup extends TestAgent {
  readonly sessionId: string
  readonly file: (name: string) => string
  logged<T extends SessionEventType> (type: T): Promise<Array<EventOf<T>>>
}

let model: ModelServer
test('bounds of a run', async (t) => {
  model = await startModelServer(t)

  async function setUp (t: Test, replies: readonly Reply[], options: TestAgentOptions = {}): Promise<Setup> {
    await model.reset()
    await model.script(replies)
    const agent = await startAgent(t, model.baseUrl, options)
    const { session } = await agent.agent.createSession({}, caller, null)
    const logged = async <T extends SessionEventType>(type: T) => (await agent.events(session.id)).filter((event: SessionEvent): event is EventOf<T> => event.type === type)
    return { ...agent, sessionId: session.id, file: (name) => join(agent.dataDir, 'workspaces', session.id, name), logged }
  }

  const list: Reply = { tool_calls: [{ name: 'list_dir', arguments: {} }] }
  const write = (path: string, content: string): Reply => ({ tool_calls: [{ id: 'w', name: 'write_file', arguments: { path, content } }] })

  await t.test('runTimeoutMs: a run that works too long fails with run_timeout, what was shown is kept, and the next message goes on', async (t) => {
    const { say, sessionId, logged } = await setUp(t, [{ stream: ['begun', ' and never ended'], gate_after: 1 }, { text: 'later' }])
    t.match(await say(sessionId, 'go', { limits: { runTimeoutMs: 1_000 } }), { status: 'failed', finishReason: 'error', error: { code: 'run_timeout', canRetry: true } })
    t.match(await logged('assistant_message'), [{ text: 'begun', incomplete: true }])
    await model.release()
    t.match(await say(sessionId, 'go on'), { status: 'completed', text: 'later' })
  })

  await t.test('runTimeoutMs: time in which it waits for a person does not count', async (t) => {
    const { agent, say, sessionId, pending, waitFor } = await setUp(t, [write('a.txt', 'x'), { text: 'done' }])
    const run = await say(sessionId, 'go', { limits: { runTimeoutMs: 2_000 } })
    t.equal(run.status, 'awaiting_approval')
    await new Promise((resolve) => setTimeout(resolve, 2_200))
    await agent.decideApproval((await pending(sessionId))[0]?.callId ?? '', { decision: 'approve' }, caller)
    t.match(await waitFor(run, 'end'), { status: 'completed', text: 'done' })
  })

  await t.test('maxStepsMax, runTimeoutMsMax, approvalTimeoutMsMax: the ceilings of the server: neither a session nor a message may ask for more', async (t) => {
    const { agent, sessionId } = await setUp(t, [])
    for (const [name, most] of [['maxSteps', limits.maxStepsMax], ['runTimeoutMs', limits.runTimeoutMsMax], ['approvalTimeoutMs', limits.approvalTimeoutMsMax]] as const) {
      const refusal = { code: 'invalid_request', details: { errors: [{ pointer: `/limits/${name}` }] } }
      const over = { limits: { [name]: most + 1 } }
      await t.rejects(agent.createSession(over, caller, null), refusal)
      await t.rejects(agent.updateSession(sessionId, over, caller), refusal)
      await t.rejects(agent.postMessage(sessionId, { content: 'go', ...over }, caller, null), refusal)
      t.equal((await agent.updateSession(sessionId, { limits: { [name]: most } }, caller)).limits[name], most)
    }
  })

  await t.test('maxSteps: one model call too many is not made', async (t) => {
    const { say, sessionId } = await setUp(t, [list, list, list])
    t.match(await say(sessionId, 'go', { limits: { maxSteps: 1 } }), { status: 'completed', finishReason: 'max_steps', steps: 1 })
    t.equal((await model.requests()).length, 1)
  })

  await t.test('maxTokens: a run that has used its tokens asks the model no more', async (t) => {
    const { say, sessionId } = await setUp(t, [{ ...list, usage: { prompt_tokens: 90, completion_tokens: 10 } }, list])
    t.match(await say(sessionId, 'go', { limits: { maxTokens: 100 } }), { status: 'completed', finishReason: 'budget', steps: 1 })
    t.equal((await model.requests()).length, 1)
  })

  await t.test('queuedRunsMax: so many wait behind the active run; one more is 429 and leaves no trace', async (t) => {
    const { agent, sessionId, logged, waitFor } = await setUp(t, [{ text: 'first', gate: true }])
    await model.fallback({ text: 'next' })
    const post = async () => (await agent.postMessage(sessionId, { content: 'go', onBusy: 'queue' }, caller, null)).run
    await post()
    const queued = []
    for (let n = 0; n < limits.queuedRunsMax; n++) queued.push(await post())
    for (const onBusy of ['queue', 'interrupt'] as const) {
      await t.rejects(agent.postMessage(sessionId, { content: 'go', onBusy }, caller, null), { code: 'too_many_queued', status: 429 })
    }
    t.equal((await logged('user_message')).length, limits.queuedRunsMax + 1)
    await model.waitForRequests(1)
    await model.release()
    const last = queued.at(-1)
    if (last !== undefined) t.match(await waitFor(last, 'end'), { status: 'completed', text: 'next' })
  })

  await t.test('callsPerStepMax: the calls of one message beyond it are not run, and the model is told of each', async (t) => {
    const { say, sessionId, logged } = await setUp(t, [
      { tool_calls: Array.from({ length: limits.callsPerStepMax + 2 }, (_, n) => ({ id: `c${n}`, name: 'list_dir', arguments: {} })) }, { text: 'done' }
    ])
    t.match(await say(sessionId, 'go'), { status: 'completed', text: 'done' })
    const ends = await logged('tool_call_end')
    t.equal(ends.filter(({ ok }) => ok).length, limits.callsPerStepMax)
    t.same(ends.flatMap(({ error }) => error?.code ?? []), ['not_run', 'not_run'])
    t.equal((await model.requests())[1]?.body?.messages.filter(({ role }) => role === 'tool').length, limits.callsPerStepMax + 2)
  })

  await t.test('modelCallsMax: an answer with more calls is cut there', async (t) => {
    const { say, sessionId, logged } = await setUp(t, [{ tool_calls: Array.from({ length: limits.modelCallsMax + 1 }, (_, n) => ({ id: `c${n}`, name: 'no_such', arguments: {} })) }, { text: 'done' }])
    await say(sessionId, 'go')
    t.equal((await logged('assistant_message'))[0]?.calls.length, limits.modelCallsMax)
  })

  await t.test('approvalRoundsMax: a file that changes under each approval is asked about so often, then the call fails', async (t) => {
    const { agent, say, sessionId, pending, waitFor, file, logged } = await setUp(t, [
      { tool_calls: [{ id: 'e', name: 'edit_file', arguments: { path: 'a.txt', edits: [{ oldText: 'x', newText: 'y' }] } }] }, { text: 'gave up' }
    ])
    await writeFile(file('a.txt'), 'x\n')
    const run = await say(sessionId, 'edit')
    for (let round = 1; round <= limits.approvalRoundsMax; round++) {
      await eventually(async () => (await pending(sessionId))[0]?.round === round)
      const [approval] = await pending(sessionId)
      await writeFile(file('a.txt'), `x\n${'more\n'.repeat(round)}`)
      await agent.decideApproval(approval?.callId ?? '', { decision: 'approve', digest: approval?.digest ?? '' }, caller)
    }
    t.match(await waitFor(run, 'end'), { status: 'completed', text: 'gave up' })
    t.match(await logged('tool_call_end'), [{ ok: false, error: { code: 'changed' } }])
    t.equal((await logged('approval_required')).length, limits.approvalRoundsMax)
  })

  await t.test('logBytesMax: a run whose log is full ends with log_full before it asks the model again, and what is open can be settled', async (t) => {
    const { agent, say, sessionId, pending, waitFor } = await setUp(t, [write('a.txt', 'x'.repeat(60_000)), { text: 'never asked for' }], { logBytesMax: 50_000 })
    const run = await say(sessionId, 'go')
    const callId = (await pending(sessionId))[0]?.callId ?? ''
    await t.rejects(agent.decideApproval(callId, { arguments: { path: 'a.txt', content: 'y' } }, caller), { code: 'log_full', status: 507 })
    await t.rejects(agent.updateSession(sessionId, { title: 'x' }, caller), { code: 'log_full', status: 507 })
    await agent.decideApproval(callId, { decision: 'approve' }, caller)
    t.match(await waitFor(run, 'end'), { status: 'failed', error: { code: 'log_full' } })
    t.equal((await model.requests()).length, 1)
    await t.rejects(agent.postMessage(sessionId, { content: 'go' }, caller, null), { code: 'log_full', status: 507 })
  })
})
