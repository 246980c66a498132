import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { caller, eventually, startAgent, type TestAgent } from '../support/agent.ts'
import type { Rule } from '../../src/protocol/common.ts'
import { rulesMax } from '../../src/limits.ts'
import type { Run } from '../../src/protocol/resources.ts'
import { startModelServer, type ModelServer } from '../support/model-server/model-server.ts'

interface Setup extends TestAgent { model: ModelServer, sessionId: string, file (name: string): string }

async function setup (t: Test, options: Parameters<typeof startAgent>[2] = {}, create = {}): Promise<Setup> {
  const model = await startModelServer(t)
  const agent = await startAgent(t, model.baseUrl, options)
  const { session } = await agent.agent.createSession(create, caller, null)
  return { ...agent, model, sessionId: session.id, file: (name) => join(agent.dataDir, 'workspaces', session.id, name) }
}

const call = (id: string, name: string, args: object) => ({ id, name, arguments: args })
const exists = async (path: string): Promise<boolean> => await access(path).then(() => true, () => false)

test('text alone: one model call, one answer', async (t) => {
  const { model, say, sessionId, events } = await setup(t)
  await model.script([{ stream: ['Hel', 'lo'] }])
  const run = await say(sessionId, 'hi')
  t.match(run, { status: 'completed', finishReason: 'stop', text: 'Hello', steps: 1, error: null })
  t.same((await events(sessionId)).map(({ type }) => type), ['session_start', 'user_message', 'run_start', 'prompt_set', 'assistant_message', 'run_end'])
})

test('safe calls of one step run side by side and their results keep the order of the calls', async (t) => {
  const { model, say, sessionId, events, file } = await setup(t)
  await writeFile(file('a.txt'), 'alpha')
  await model.script([
    { tool_calls: [call('c1', 'read_file', { path: 'missing.txt' }), call('c2', 'read_file', { path: 'a.txt' })] },
    { text: 'done' }
  ])
  t.match(await say(sessionId, 'read both'), { status: 'completed', text: 'done', steps: 2 })
  const [, second] = await model.requests()
  const results = second?.body?.messages.filter(({ role }) => role === 'tool') ?? []
  t.equal(results.length, 2)
  t.match(JSON.parse(String(results[0]?.content)), { code: 'not_found', canRetry: true })
  t.match(String(results[1]?.content), /alpha/)
  t.same((await events(sessionId)).filter(({ type }) => type === 'tool_call_end').length, 2)
})

test('a write waits for its approval, holding nothing, and is done when it is given', async (t) => {
  const { agent, model, say, sessionId, pending, waitFor, file } = await setup(t)
  await model.script([{ tool_calls: [call('c1', 'write_file', { path: 'hello.txt', content: 'Hello\n' })] }, { text: 'written' }])
  const run = await say(sessionId, 'write it')
  t.equal(run.status, 'awaiting_approval')
  t.equal(run.approvals.length, 1)
  t.notOk(await exists(file('hello.txt')))
  await eventually(() => agent.activeRuns() === 0 && agent.liveSessions() === 0)

  const [approval] = await pending(sessionId)
  t.match(approval, { tool: 'write_file', round: 1, status: 'pending', arguments: { path: 'hello.txt', content: 'Hello\n' } })
  t.match(approval?.preview.diff, /\+Hello/)
  const decided = await agent.decideApproval(approval?.callId ?? '', { decision: 'approve' }, caller)
  t.match(decided, { status: 'approved', by: { kind: 'key', name: 'test' } })
  t.match(await waitFor(run, 'end'), { status: 'completed', text: 'written', approvals: [] })
  t.equal(await readFile(file('hello.txt'), 'utf8'), 'Hello\n')
})

test('a denial reaches the model with its reason, and nothing is done', async (t) => {
  const { agent, model, say, sessionId, pending, waitFor, file } = await setup(t)
  await model.script([{ tool_calls: [call('c1', 'write_file', { path: 'x.txt', content: 'x' })] }, { text: 'understood' }])
  const run = await say(sessionId, 'write it')
  const [approval] = await pending(sessionId)
  await agent.decideApproval(approval?.callId ?? '', { decision: 'deny', reason: 'use make clean instead' }, caller)
  t.match(await waitFor(run, 'end'), { status: 'completed', text: 'understood' })
  const told = JSON.parse(String((await model.requests())[1]?.body?.messages.at(-1)?.content))
  t.match(told, { code: 'denied', canRetry: false, error: /use make clean instead/ })
  t.notOk(await exists(file('x.txt')))
})

test('two writes of one step, decided in the other order: only the approved one is done', async (t) => {
  const { agent, model, say, sessionId, pending, waitFor, file } = await setup(t)
  await model.script([{
    tool_calls: [1, 2, 3].map((n) => call(`c${n}`, 'write_file', { path: `${n}.txt`, content: String(n) }))
  }, { text: 'ok' }])
  const run = await say(sessionId, 'write three')
  const [first, second, third] = await pending(sessionId)
  await agent.decideApproval(second?.callId ?? '', { decision: 'approve' }, caller)
  t.equal((await agent.getRun(sessionId, run.id, caller)).run.status, 'awaiting_approval', 'nothing overtakes the first')
  t.notOk(await exists(file('2.txt')))
  await agent.decideApproval(third?.callId ?? '', { decision: 'deny' }, caller)
  await agent.decideApproval(first?.callId ?? '', { decision: 'deny' }, caller)
  await waitFor(run, 'end')
  t.same(await Promise.all(['1.txt', '2.txt', '3.txt'].map((name) => exists(file(name)))), [false, true, false])
  t.equal((await model.requests()).length, 2, 'the model is asked once, when all three are settled')
  t.equal((await model.requests())[1]?.body?.messages.filter(({ role }) => role === 'tool').length, 3)
})

test('calls in one message are planned on what the earlier ones will leave', async (t) => {
  const { agent, model, say, sessionId, pending, waitFor, file } = await setup(t)
  await model.script([{
    tool_calls: [
      call('c1', 'write_file', { path: 'n.txt', content: 'one\n' }),
      call('c2', 'edit_file', { path: 'n.txt', edits: [{ oldText: 'one', newText: 'two' }] }),
      call('c3', 'move_file', { from: 'n.txt', to: 'm.txt' })
    ]
  }, { text: 'ok' }])
  const run = await say(sessionId, 'go')
  const asked = await pending(sessionId)
  t.same(asked.map(({ tool }) => tool), ['write_file', 'edit_file'], 'what the move would move is not there yet')
  t.match(asked[1]?.preview.diff, /-one\n\+two/)
  for (const { callId } of asked) await agent.decideApproval(callId, { decision: 'approve' }, caller)
  await eventually(async () => (await pending(sessionId)).length > 0)
  for (const { callId, tool } of await pending(sessionId)) {
    t.equal(tool, 'move_file')
    await agent.decideApproval(callId, { decision: 'approve' }, caller)
  }
  t.match(await waitFor(run, 'end'), { status: 'completed' })
  t.equal(await readFile(file('m.txt'), 'utf8'), 'two\n')
})

test('what changed between the question and the start is asked again, and an old click does not approve it', async (t) => {
  const { agent, model, say, sessionId, pending, waitFor, file } = await setup(t)
  await writeFile(file('a.txt'), 'x=1\n')
  await model.script([{ tool_calls: [call('c1', 'edit_file', { path: 'a.txt', edits: [{ oldText: 'x=1', newText: 'x=2' }] })] }, { text: 'ok' }])
  const run = await say(sessionId, 'edit')
  const [round1] = await pending(sessionId)
  const callId = round1?.callId ?? ''
  await writeFile(file('a.txt'), 'y=0\nx=1\n')
  await agent.decideApproval(callId, { decision: 'approve' }, caller)
  await eventually(async () => (await pending(sessionId))[0]?.round === 2)
  const [round2] = await pending(sessionId)
  t.not(round2?.digest, round1?.digest)
  await t.rejects(agent.decideApproval(callId, { decision: 'approve' }, caller), { code: 'digest_required' })
  await t.rejects(agent.decideApproval(callId, { decision: 'approve', digest: round1?.digest ?? '' }, caller), { code: 'digest_mismatch' })
  await agent.decideApproval(callId, { decision: 'approve', digest: round2?.digest ?? '' }, caller)
  t.match(await waitFor(run, 'end'), { status: 'completed' })
  t.equal(await readFile(file('a.txt'), 'utf8'), 'y=0\nx=2\n')
})

test('a file that the model knows and a person changes after the question is asked about again, not refused', async (t) => {
  const { agent, model, say, sessionId, pending, waitFor, file } = await setup(t)
  const write = (content: string) => ({ tool_calls: [call('w', 'write_file', { path: 'a.txt', content })] })
  await model.script([write('one'), { text: 'written' }, write('two'), { text: 'ok' }])
  const first = await say(sessionId, 'write')
  await agent.decideApproval((await pending(sessionId))[0]?.callId ?? '', { decision: 'approve' }, caller)
  await waitFor(first, 'end')
  const run = await say(sessionId, 'again')
  const callId = (await pending(sessionId))[0]?.callId ?? ''
  await writeFile(file('a.txt'), 'by a person')
  await agent.decideApproval(callId, { decision: 'approve' }, caller)
  await eventually(async () => (await pending(sessionId))[0]?.round === 2)
  const [round2] = await pending(sessionId)
  t.match(round2?.preview.diff, /-by a person.*\+two/s)
  await agent.decideApproval(callId, { decision: 'approve', digest: round2?.digest ?? '' }, caller)
  t.match(await waitFor(run, 'end'), { status: 'completed', text: 'ok' })
  t.equal(await readFile(file('a.txt'), 'utf8'), 'two')
})

test('changed arguments make a round of their own, and the model is told what ran', async (t) => {
  const { agent, model, say, sessionId, pending, waitFor, file } = await setup(t)
  await model.script([{ tool_calls: [call('c1', 'write_file', { path: 'a.txt', content: 'mine' })] }, { text: 'ok' }])
  const run = await say(sessionId, 'write')
  const callId = (await pending(sessionId))[0]?.callId ?? ''
  await t.rejects(agent.decideApproval(callId, { arguments: { path: '../out.txt', content: 'x' } }, caller), { code: 'invalid_arguments' })
  const edited = await agent.decideApproval(callId, { arguments: { path: 'a.txt', content: 'yours' } }, caller)
  t.match(edited, { status: 'pending', round: 2, arguments: { content: 'yours' } })
  await agent.decideApproval(callId, { decision: 'approve', digest: edited.digest }, caller)
  await waitFor(run, 'end')
  t.equal(await readFile(file('a.txt'), 'utf8'), 'yours')
  t.match(String((await model.requests())[1]?.body?.messages.at(-1)?.content), /changed the arguments.*yours/s)
})

test('onApproval: deny tells the model at once; fail ends the run', async (t) => {
  const { model, say, sessionId } = await setup(t)
  const write = { tool_calls: [call('c1', 'write_file', { path: 'a.txt', content: 'x' })] }
  await model.script([write, { text: 'without it' }, write])
  t.match(await say(sessionId, 'one', { onApproval: 'deny' }), { status: 'completed', text: 'without it' })
  t.match(await say(sessionId, 'two', { onApproval: 'fail' }), { status: 'failed', error: { code: 'approval_required' } })
})

test('an unknown tool and useless arguments are told to the model and poison nothing', async (t) => {
  const { model, say, sessionId } = await setup(t)
  await model.script([
    { tool_calls: [call('c1', 'no_such_tool', {}), call('c2', 'read_file', { path: 5 }), { id: 'c3', name: 'read_file', arguments: '{"path": "unterminated' }] },
    { text: 'sorry' }, { text: 'second' }
  ])
  t.match(await say(sessionId, 'go'), { status: 'completed', text: 'sorry' })
  t.match(await say(sessionId, 'again'), { status: 'completed', text: 'second' })
  const [, second, third] = await model.requests()
  const told = second?.body?.messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.parse(String(content)).code)
  t.same(told, ['unknown_tool', 'invalid_arguments', 'invalid_arguments'])
  for (const request of [second, third]) {
    for (const message of request?.body?.messages ?? []) for (const made of message.tool_calls ?? []) t.type(JSON.parse(made.function.arguments), 'object')
  }
})

test('maxSteps bounds a run without an error, and another message goes on', async (t) => {
  const { model, say, sessionId } = await setup(t)
  const list = { tool_calls: [call('c', 'list_dir', {})] }
  await model.script([list, list, { text: 'went on' }])
  t.match(await say(sessionId, 'go', { limits: { maxSteps: 2 } }), { status: 'completed', finishReason: 'max_steps', steps: 2, error: null })
  t.match(await say(sessionId, 'go on'), { status: 'completed', text: 'went on' })
  await t.rejects(say(sessionId, 'more', { limits: { maxSteps: 100_000 } }), { code: 'invalid_request' })
})

test('a model that answers 500 ends the run with a structured error, and the session lives on', async (t) => {
  const { model, say, sessionId } = await setup(t)
  await model.script([{ raw: { status: 500, chunks: ['broken'] } }, { raw: { status: 500, chunks: ['broken'] } }, { text: 'back' }])
  t.match(await say(sessionId, 'one'), { status: 'failed', finishReason: 'error', error: { code: 'model_overloaded', canRetry: true } })
  t.match(await say(sessionId, 'two'), { status: 'completed', text: 'back' })
  const roles = (await model.requests()).at(-1)?.body?.messages.map(({ role }) => role)
  t.same(roles, ['system', 'user', 'assistant', 'user'], 'roles alternate, also over a turn without an answer')
})

test('a model that is cut in mid-stream is called once more; then what had arrived is kept', async (t) => {
  const { model, say, sessionId, events } = await setup(t)
  const cut = { raw: { chunks: ['data: {"choices":[{"index":0,"delta":{"content":"part"},"finish_reason":null}]}\n\n'], end: 'reset' as const } }
  await model.script([cut, cut])
  t.match(await say(sessionId, 'go'), { status: 'failed', text: 'part' })
  t.match((await events(sessionId)).find(({ type }) => type === 'assistant_message'), { text: 'part', incomplete: true })
})

test('a second message is refused while a run is active, queued, or put in its place', async (t) => {
  const { agent, model, say, sessionId, waitFor, events } = await setup(t)
  await model.script([{ text: 'never', gate: true }, { text: 'third' }, { text: 'second' }])
  const { run: first } = await agent.postMessage(sessionId, { content: 'one' }, caller, null)
  await model.waitForRequests(1)
  await t.rejects(agent.postMessage(sessionId, { content: 'two' }, caller, null), { code: 'run_active' })
  const { run: second } = await agent.postMessage(sessionId, { content: 'two', onBusy: 'queue' }, caller, null)
  t.equal(second.status, 'queued')
  const third = await say(sessionId, 'three', { onBusy: 'interrupt' })
  t.match(await waitFor(first, 'end'), { status: 'cancelled' })
  t.match(await waitFor(second, 'end'), { status: 'completed' })
  t.match(await waitFor(third, 'end'), { status: 'completed' })
  t.equal((await events(sessionId)).filter(({ type }) => type === 'run_end').length, 3)
})

test('cancel is quick in every state that awaits nothing, and twice is once', async (t) => {
  const { agent, model, say, sessionId, events } = await setup(t)
  const cancel = async (runId: string): Promise<number> => {
    const startedAt = Date.now()
    const [one, two] = await Promise.all([agent.cancelRun(sessionId, runId, 'enough', caller), agent.cancelRun(sessionId, null, null, caller)])
    t.match([one, two], [{ status: 'cancelled' }, { status: 'cancelled' }])
    return Date.now() - startedAt
  }
  // The quickest of three: other processes of a busy machine are not what is measured.
  const rounds = 3
  const quickest = { silent: Infinity, streaming: Infinity, waiting: Infinity }
  let waiting: Run | null = null
  for (let round = 0; round < rounds; round++) {
    await model.reset()
    await model.script([{ text: 'never', gate: true }, { stream: ['some ', 'text'], gate_after: 1 }, { tool_calls: [call('c', 'write_file', { path: 'a', content: '' })] }])
    const { run: silent } = await agent.postMessage(sessionId, { content: 'one' }, caller, null)
    await model.waitForRequests(1)
    quickest.silent = Math.min(quickest.silent, await cancel(silent.id))
    const { run: streaming } = await agent.postMessage(sessionId, { content: 'two' }, caller, null)
    await model.waitForRequests(2)
    await eventually(async () => (await snapshotOf(agent, sessionId)).includes('some'))
    quickest.streaming = Math.min(quickest.streaming, await cancel(streaming.id))
    waiting = await say(sessionId, 'three')
    t.equal(waiting.status, 'awaiting_approval')
    quickest.waiting = Math.min(quickest.waiting, await cancel(waiting.id))
  }
  for (const [state, ms] of Object.entries(quickest)) t.ok(ms < 100, `${state}: ${ms} ms`)
  const log = await events(sessionId)
  t.equal(log.filter(({ type }) => type === 'cancel_requested').length, 3 * rounds)
  t.match(log.find((event) => event.type === 'assistant_message' && event.incomplete), { text: 'some ' }, 'what was shown is kept')
  t.match(await agent.cancelRun(sessionId, waiting?.id ?? '', null, caller), { status: 'cancelled' }, 'after the end it is what it is')
  await t.rejects(agent.cancelRun(sessionId, null, null, caller), { code: 'no_active_run' })
})

async function snapshotOf (agent: TestAgent['agent'], sessionId: string): Promise<string> {
  const feed = await agent.openFeed(sessionId, caller)
  const { snapshot, leave } = feed.join({ onPublished: () => {}, onClosed: () => {} })
  leave()
  feed.close()
  return snapshot.json
}

test('an approval expires by itself, and late is late', async (t) => {
  const { agent, model, say, sessionId, pending, waitFor } = await setup(t, {}, { limits: { approvalTimeoutMs: 150 } })
  await model.script([{ tool_calls: [call('c', 'write_file', { path: 'a', content: '' })] }, { text: 'went on' }])
  const run = await say(sessionId, 'go')
  const callId = (await pending(sessionId))[0]?.callId ?? ''
  t.match(await waitFor(run, 'end'), { status: 'completed', text: 'went on' })
  await t.rejects(agent.decideApproval(callId, { decision: 'approve' }, caller), { code: 'approval_expired' })
  t.match(JSON.parse(String((await model.requests())[1]?.body?.messages.at(-1)?.content)), { code: 'approval_expired', error: /timed out/ })
})

test('deciding twice: the same again is the same, the opposite is refused, and one decision is in the log', async (t) => {
  const { agent, model, say, sessionId, pending, waitFor, events } = await setup(t)
  await model.script([{ tool_calls: [call('c', 'write_file', { path: 'a', content: '1' })] }, { text: 'ok' }])
  const run = await say(sessionId, 'go')
  const callId = (await pending(sessionId))[0]?.callId ?? ''
  const both = await Promise.all([1, 2].map(() => agent.decideApproval(callId, { decision: 'approve' }, caller)))
  t.match(both, [{ status: 'approved' }, { status: 'approved' }])
  await t.rejects(agent.decideApproval(callId, { decision: 'deny' }, caller), { code: 'already_decided' })
  await waitFor(run, 'end')
  t.equal((await events(sessionId)).filter(({ type }) => type === 'approval_resolved').length, 1)
  t.equal((await events(sessionId)).filter(({ type }) => type === 'tool_call_start').length, 1)
})

test('remember: the rule covers the call that waits beside it, and nothing wider', async (t) => {
  const { agent, model, say, sessionId, pending, waitFor, file } = await setup(t)
  await writeFile(file('a.txt'), '1\n2\n')
  const edit = (id: string, from: string, path = 'a.txt') => call(id, 'edit_file', { path, edits: [{ oldText: from, newText: `${from}!` }] })
  await writeFile(file('b.txt'), '3\n')
  await model.script([{ tool_calls: [edit('c1', '1'), edit('c2', '2'), edit('c3', '3', 'b.txt')] }, { text: 'ok' }])
  const run = await say(sessionId, 'go')
  const [first, , third] = await pending(sessionId)
  await agent.decideApproval(first?.callId ?? '', { decision: 'approve', remember: 'session' }, caller)
  await eventually(async () => (await readFile(file('a.txt'), 'utf8')) === '1!\n2!\n')
  t.same((await pending(sessionId)).map(({ callId }) => callId), [third?.callId])
  t.same((await agent.getSession(sessionId, caller)).policy.rules, [{ tool: 'edit_file', path: 'a.txt', decision: 'allow' }])
  await agent.decideApproval(third?.callId ?? '', { decision: 'deny' }, caller)
  t.match(await waitFor(run, 'end'), { status: 'completed' })
})

test('remember: a rule that is there is not added again, and at the bound it is refused while the call waits on', async (t) => {
  const { agent, model, say, sessionId, pending, waitFor, events } = await setup(t)
  const write = (id: string, path: string) => call(id, 'write_file', { path, content: '1' })
  const rule = { decision: 'allow', path: 'a', tool: 'write_file' } as const // in another order than it is made in
  const others = Array.from({ length: rulesMax - 2 }, (_, index): Rule => ({ tool: 'write_file', path: `other-${index}`, decision: 'deny' }))
  await agent.updateSession(sessionId, { policy: { rules: [...others, rule, { tool: 'write_file', path: '?', decision: 'ask' }] } }, caller)
  await model.script([{ tool_calls: [write('c1', 'a'), write('c2', 'b')] }, { text: 'ok' }])
  const run = await say(sessionId, 'go')
  const [first, second] = await pending(sessionId)
  t.match(await agent.decideApproval(first?.callId ?? '', { decision: 'approve', remember: 'session' }, caller), { status: 'approved' })
  t.equal((await agent.getSession(sessionId, caller)).policy.rules.length, rulesMax)
  t.equal((await events(sessionId)).filter(({ type }) => type === 'session_update').length, 1, 'nothing was added')
  await t.rejects(agent.decideApproval(second?.callId ?? '', { decision: 'approve', remember: 'session' }, caller), {
    code: 'invalid_request', message: /200 rules and can have no more/, details: { errors: [{ pointer: '/remember' }] }
  })
  t.same((await pending(sessionId)).map(({ callId }) => callId), [second?.callId], 'it waits on')
  await agent.decideApproval(second?.callId ?? '', { decision: 'approve' }, caller)
  t.match(await waitFor(run, 'end'), { status: 'completed' })
})

test('deleting a session settles all that hangs on it, and removes its files', async (t) => {
  const { agent, model, say, sessionId, file } = await setup(t)
  await model.script([{ tool_calls: [call('c', 'write_file', { path: 'a', content: '1' })] }])
  await writeFile(file('kept.txt'), 'x')
  await say(sessionId, 'go')
  await agent.deleteSession(sessionId, caller)
  await t.rejects(agent.getSession(sessionId, caller), { code: 'session_not_found' })
  t.same((await agent.listApprovals({ status: 'pending', sessionId: null, cursor: null, limit: 50 }, caller)).items, [])
  await eventually(async () => !await exists(file('')))
})

test('an idempotency key brings back the same session and the same run', async (t) => {
  const { agent, model, sessionId, events } = await setup(t)
  await model.script([{ text: 'r' }])
  const key = { key: 'k-1', fingerprint: 'f'.repeat(64) }
  const runs = await Promise.all([1, 2, 3].map(() => agent.postMessage(sessionId, { content: 'pay' }, caller, key)))
  t.equal(new Set(runs.map(({ run }) => run.id)).size, 1)
  await t.rejects(agent.postMessage(sessionId, { content: 'other' }, caller, { ...key, fingerprint: '0'.repeat(64) }), { code: 'idempotency_key_reused' })
  t.equal((await events(sessionId)).filter(({ type }) => type === 'user_message').length, 1)
  const made = await Promise.all([1, 2].map(() => agent.createSession({}, caller, key)))
  t.equal(made[0]?.session.id, made[1]?.session.id)
})

test('an external id names one session of a team; another team has its own', async (t) => {
  const { agent } = await setup(t)
  const other = { name: 'red/bot', keyId: null, scopes: caller.scopes }
  const made = await Promise.all([1, 2].map(() => agent.createSession({ externalId: 'pr-1' }, caller, null)))
  t.same(made.map(({ created }) => created).sort(), [false, true])
  t.equal(made[0]?.session.id, made[1]?.session.id)
  const theirs = await agent.createSession({ externalId: 'pr-1' }, other, null)
  t.ok(theirs.created)
  await t.rejects(agent.getSession(theirs.session.id, caller), { code: 'session_not_found' })
  t.same((await agent.listSessions({ cursor: null, limit: 50, status: null, metadata: {} }, other)).items.map(({ id }) => id), [theirs.session.id])
})

test('a key with the scope run alone gets the run it starts, and one with approve alone the approval it decides', async (t) => {
  const { agent, model, pending } = await setup(t)
  const [runner, approver] = (['run', 'approve'] as const).map((scope) => ({ name: scope, keyId: scope, scopes: new Set([scope]) }))
  if (runner === undefined || approver === undefined) throw new Error('two callers')
  await model.script([{ tool_calls: [call('c', 'write_file', { path: 'a', content: '1' })] }, { text: 'ok' }])
  const { session } = await agent.createSession({ externalId: 'x' }, runner, null)
  t.equal((await agent.createSession({ externalId: 'x' }, runner, null)).session.id, session.id)
  const { run } = await agent.postMessage(session.id, { content: 'go' }, runner, null)
  t.match(await agent.waitForRun(session.id, run.id, 'pause', runner, AbortSignal.timeout(5_000)), { status: 'awaiting_approval' })
  const callId = (await pending(session.id))[0]?.callId ?? ''
  await t.rejects(agent.decideApproval(callId, { decision: 'approve' }, runner), { code: 'scope_missing' })
  t.match(await agent.decideApproval(callId, { decision: 'approve' }, approver), { status: 'approved' })
  await t.rejects(agent.getRun(session.id, run.id, runner), { code: 'scope_missing' })
  t.match(await agent.waitForRun(session.id, run.id, 'end', runner, AbortSignal.timeout(5_000)), { status: 'completed' })
})
