import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import type { Policy } from '../../src/protocol/common.ts'
import type { EventOf, SessionEvent } from '../../src/protocol/events.ts'
import type { Approval, Run, Session } from '../../src/protocol/resources.ts'
import { instructBytesMax } from '../../src/limits.ts'
import { caller, eventually, startAgent, type TestAgent } from '../support/agent.ts'
import { startModelServer, type ModelServer, type RecordedRequest, type Reply } from '../support/model-server/model-server.ts'
import { startServer } from '../support/server.ts'
import { crashMain } from '../restart/setup.ts'

const page = '# the secret title\nfirst line\nsecond line\n'
const instruction = 'make the title English'
const call: Reply = { tool_calls: [{ id: 'c1', name: 'edit_file', arguments: { path: 'a.md', instruction } }], usage: { prompt_tokens: 10, completion_tokens: 1 } }
const edits = (oldText: string, newText: string): Reply => ({
  text: JSON.stringify({ edits: [{ oldText, newText }] }), usage: { prompt_tokens: 100, completion_tokens: 20, cost: 0.5 }
})
const done: Reply = { text: 'done', usage: { prompt_tokens: 1_000, completion_tokens: 2 } }

interface Setup extends TestAgent { readonly model: ModelServer, readonly sessionId: string, readonly path: string }

async function setup (t: Test, replies: readonly Reply[], policy?: Policy): Promise<Setup> {
  const model = await startModelServer(t)
  await model.script(replies)
  const agent = await startAgent(t, model.baseUrl)
  const { session } = await agent.agent.createSession(policy === undefined ? {} : { policy }, caller, null)
  const path = join(agent.dataDir, 'workspaces', session.id, 'a.md')
  await writeFile(path, page)
  return { ...agent, model, sessionId: session.id, path }
}

const isSide = ({ body }: RecordedRequest): boolean => body !== null && !('tools' in body)
const ofType = <T extends SessionEvent['type']>(events: readonly SessionEvent[], type: T): Array<EventOf<T>> => events.filter((event): event is EventOf<T> => event.type === type)

async function sideCalls (model: ModelServer): Promise<RecordedRequest[]> { return (await model.requests()).filter(isSide) }

/** What the conversation's requests carried of the file: nothing. */
async function neverCarried (t: Test, model: ModelServer): Promise<void> {
  const conversation = (await model.requests()).filter((request) => !isSide(request))
  t.ok(conversation.length > 0)
  for (const { raw } of conversation) t.notMatch(raw, /secret title|first line/)
}

test('an instruction becomes exact edits: their diff is asked about, they are made, and the conversation never carries the file', async (t) => {
  const { say, sessionId, agent, pending, waitFor, events, model, path } = await setup(t, [call, edits('# the secret title', '# The Title'), done])
  const run = await say(sessionId, 'go')
  const [approval] = await pending(sessionId)
  t.match(approval, { round: 1, arguments: { path: 'a.md', instruction }, preview: { summary: 'Edit a.md (1 edit, by instruction)', diff: '-# the secret title\n+# The Title\n' } })
  t.equal(await readFile(path, 'utf8'), page, 'nothing is changed yet')
  await agent.decideApproval(approval?.callId ?? '', { decision: 'approve' }, caller)
  const settled = await waitFor(run, 'end')
  t.match(settled, { status: 'completed', text: 'done' })
  t.equal(await readFile(path, 'utf8'), '# The Title\nfirst line\nsecond line\n')
  const [side, ...more] = await sideCalls(model)
  t.strictSame(more, [], 'one side call')
  t.match(side?.body?.messages, [{ role: 'system', content: /exact edits/ }, { role: 'user', content: page }])
  t.match(side?.body?.messages[1]?.content, instruction)
  await neverCarried(t, model)
  t.match(settled.usage, { inputTokens: 1_110, outputTokens: 23, costUsd: 0.5 }, 'what the side call cost counts in the run')
  t.match((await agent.getSession(sessionId, caller)).usage, settled.usage)
  const log = await events(sessionId)
  t.match(ofType(log, 'approval_required'), [{ usage: { inputTokens: 100 } }])
  t.match(ofType(log, 'tool_call_end'), [{ ok: true, verified: true, diff: /\+# The Title/ }])
  t.notMatch(JSON.stringify(log.filter(({ type }) => type === 'approval_required' || type === 'tool_call_start')), /oldText/, 'the edits are kept beside the events')
})

test('where policy allows it the model is asked once, too, and its cost is told with the start', async (t) => {
  const { say, sessionId, events, model, path } = await setup(t, [call, edits('first', '1st'), done], { mode: 'auto', rules: [] })
  t.match(await say(sessionId, 'go'), { status: 'completed', text: 'done', usage: { inputTokens: 1_110 } })
  t.match(await readFile(path, 'utf8'), '1st line')
  t.equal((await sideCalls(model)).length, 1)
  t.match(ofType(await events(sessionId), 'tool_call_start'), [{ usage: { inputTokens: 100 } }])
})

test('answers in fences or with words around them are understood', async (t) => {
  const fenced = { text: `Here it is {as asked}:\n\`\`\`json\n${JSON.stringify({ edits: [{ oldText: 'first', newText: '1st' }], note: 'x' })}\n\`\`\`` }
  const { say, sessionId, path } = await setup(t, [call, fenced, done], { mode: 'auto', rules: [] })
  t.match(await say(sessionId, 'go'), { status: 'completed', text: 'done' })
  t.match(await readFile(path, 'utf8'), '1st line')
})

test('a file that changed between question and approval is asked about anew, with edits made for it as it is', async (t) => {
  const { say, sessionId, agent, pending, waitFor, events, model, path } = await setup(t, [call, edits('first', '1st'), edits('third', '3rd'), done])
  const run = await say(sessionId, 'go')
  const [first] = await pending(sessionId)
  await writeFile(path, 'first and third\n')
  await agent.decideApproval(first?.callId ?? '', { decision: 'approve' }, caller)
  let second: Approval | undefined
  await eventually(async () => {
    second = (await pending(sessionId))[0]
    return second?.round === 2
  })
  t.match(second, { round: 2, preview: { diff: '-first and third\n+first and 3rd\n' } })
  t.not(second?.digest, first?.digest)
  await agent.decideApproval(first?.callId ?? '', { decision: 'approve', digest: second?.digest ?? '' }, caller)
  t.match(await waitFor(run, 'end'), { status: 'completed', usage: { inputTokens: 1_210 } })
  t.equal(await readFile(path, 'utf8'), 'first and 3rd\n')
  t.equal((await sideCalls(model)).length, 2)
  t.equal(ofType(await events(sessionId), 'tool_call_start')[0]?.digest, second?.digest)
})

test('after a restart the plan that waits is carried out as it was asked about; the model is not asked for it again', async (t) => {
  const before = await setup(t, [call, edits('first', '1st'), done])
  const { sessionId, model, path } = before
  const run = await before.say(sessionId, 'go')
  const [approval] = await before.pending(sessionId)
  await before.close()
  const { agent, waitFor, events } = await startAgent(t, model.baseUrl, { dataDir: before.dataDir })
  await agent.decideApproval(approval?.callId ?? '', { decision: 'approve', digest: approval?.digest ?? '' }, caller)
  t.match(await waitFor(run, 'end'), { status: 'completed', text: 'done', usage: { inputTokens: 1_110 } })
  t.match(await readFile(path, 'utf8'), '1st line')
  t.equal((await sideCalls(model)).length, 1)
  t.match((await events(sessionId)).filter(({ type }) => type === 'approval_required'), { length: 1 })
})

test('an instruction that a person changed is planned anew, once, and remembered with it', async (t) => {
  const { say, sessionId, agent, pending, waitFor, model, path } = await setup(t, [call, edits('first', '1st'), edits('second', '2nd'), done])
  const run = await say(sessionId, 'go')
  const [approval] = await pending(sessionId)
  await agent.decideApproval(approval?.callId ?? '', {
    decision: 'approve', digest: approval?.digest ?? '', remember: 'session', arguments: { path: 'a.md', instruction: 'number the second line' }
  }, caller)
  t.match(await waitFor(run, 'end'), { status: 'completed', usage: { inputTokens: 1_210 } })
  t.match(await readFile(path, 'utf8'), 'first line\n2nd line')
  t.equal((await sideCalls(model)).length, 2)
  t.match((await agent.getSession(sessionId, caller)).policy.rules, [{ tool: 'edit_file', path: 'a.md', decision: 'allow' }])
})

test('instructAttemptsMax: edits that do not fit are told to the model once; then the call fails and says nothing of the file', async (t) => {
  await t.test('the second answer fits', async (t) => {
    const { say, sessionId, model, path } = await setup(t, [call, edits('firstt', '1st'), edits('first', '1st'), done], { mode: 'auto', rules: [] })
    t.match(await say(sessionId, 'go'), { status: 'completed', usage: { inputTokens: 1_210 } })
    t.match(await readFile(path, 'utf8'), '1st line')
    const [, second] = await sideCalls(model)
    t.match(second?.body?.messages[1]?.content, /could not be used: "oldText" is not in "a\.md"/)
  })
  await t.test('the second does not fit either', async (t) => {
    const { say, sessionId, events, model, path } = await setup(t, [call, edits('the secret titel', 'x'), { text: 'I would rather not.' }, done], { mode: 'auto', rules: [] })
    t.match(await say(sessionId, 'go'), { status: 'completed', text: 'done', usage: { inputTokens: 1_120 } })
    t.match(ofType(await events(sessionId), 'tool_call_end'), [{ ok: false, error: { code: 'no_match', canRetry: true, suggestion: /exact edits/ }, usage: { inputTokens: 110 } }])
    t.equal(await readFile(path, 'utf8'), page)
    t.equal((await sideCalls(model)).length, 2)
    await neverCarried(t, model)
  })
})

test('instructBytesMax: a call that cannot be an edit by instruction is refused, and the model is not asked', async (t) => {
  const cases: ReadonlyArray<{ name: string, arguments: object, code: string, size?: number, policy?: Policy }> = [
    { name: 'both', arguments: { path: 'a.md', instruction, edits: [{ oldText: 'first', newText: '1st' }] }, code: 'invalid_arguments' },
    { name: 'neither', arguments: { path: 'a.md' }, code: 'invalid_arguments' },
    { name: 'a large file', arguments: { path: 'a.md', instruction }, code: 'too_large', size: instructBytesMax + 1 },
    { name: 'no file', arguments: { path: 'none.md', instruction }, code: 'not_found' },
    { name: 'a file that must not be changed', arguments: { path: 'a.md', instruction }, code: 'denied_by_policy', policy: { mode: 'readOnly', rules: [] } },
    { name: 'a file that must not be read', arguments: { path: 'a.md', instruction }, code: 'denied_by_policy', policy: { mode: 'auto', rules: [{ tool: 'read_file', path: '*.md', decision: 'deny' }] } }
  ]
  const { agent, dataDir, say, events, model } = await setup(t, [])
  for (const { name, arguments: args, code, size, policy } of cases) {
    await t.test(name, async (t) => {
      const { session } = await agent.createSession({ policy: policy ?? { mode: 'auto', rules: [] } }, caller, null)
      await writeFile(join(dataDir, 'workspaces', session.id, 'a.md'), size === undefined ? page : 'x'.repeat(size))
      await model.script([{ tool_calls: [{ id: 'c1', name: 'edit_file', arguments: args }] }, done])
      t.match(await say(session.id, 'go'), { status: 'completed', text: 'done' })
      t.match(ofType(await events(session.id), 'tool_call_end'), [{ ok: false, error: { code } }])
      t.strictSame(await sideCalls(model), [])
    })
  }
})

test('a model that fails at the side call fails the call, not the run', async (t) => {
  const { say, sessionId, events } = await setup(t, [call, { raw: { status: 400, chunks: ['{"error":{"message":"no"}}'] } }, done], { mode: 'auto', rules: [] })
  t.match(await say(sessionId, 'go'), { status: 'completed', text: 'done' })
  t.match(ofType(await events(sessionId), 'tool_call_end'), [{ ok: false, error: { code: 'internal', error: /model_bad_request/ } }])
})

test('a cancel stops the side call', async (t) => {
  const { sessionId, agent, waitFor, model, path } = await setup(t, [call, { ...edits('first', '1st'), gate: true }])
  const { run } = await agent.postMessage(sessionId, { content: 'go' }, caller, null)
  await model.waitForRequests(2)
  await agent.cancelRun(sessionId, run.id, null, caller)
  t.match(await waitFor(run, 'end'), { status: 'cancelled' })
  t.equal(await readFile(path, 'utf8'), page)
})

test('killed after the start, the server makes the edits that were approved, and the model is not asked again', async (t) => {
  for (const [crashAt, policy] of [['started', { mode: 'ask', rules: [] }], ['started', { mode: 'auto', rules: [] }], ['after_rename', { mode: 'ask', rules: [] }]] as const) {
    await t.test(`${crashAt}, ${policy.mode}`, async (t) => {
      const model = await startModelServer(t)
      await model.script([call, edits('first', '1st'), done])
      const server = await startServer(t, { entry: crashMain, model: model.baseUrl, env: { CRASH_AT: crashAt, LOG_LEVEL: 'error' } })
      const { id } = (await server.post<Session>('/sessions', { policy })).json
      const path = join(server.dataDir, 'workspaces', id, 'a.md')
      await writeFile(path, page)
      const run = (await server.post<Run>(`/sessions/${id}/messages`, { content: 'go' }, { headers: { prefer: 'respond-async' } })).json
      if (policy.mode === 'ask') {
        let waiting: Approval | undefined
        await eventually(async () => {
          waiting = (await server.get<{ items: Approval[] }>(`/approvals?sessionId=${id}&status=pending`)).json.items[0]
          return waiting !== undefined
        }, 10_000)
        void server.post(`/approvals/${waiting?.callId ?? ''}`, { decision: 'approve' }).catch(() => null)
      }
      t.equal((await server.exit()).signal, 'SIGKILL')
      await server.restart({ CRASH_AT: '' })
      let settled: Run | undefined
      await eventually(async () => {
        settled = (await server.get<Run>(`/sessions/${id}/runs/${run.id}`)).json
        return settled.status === 'completed'
      }, 10_000)
      t.match(settled, { text: 'done', usage: { inputTokens: 1_110 } })
      t.match(await readFile(path, 'utf8'), '# the secret title\n1st line')
      t.equal((await sideCalls(model)).length, 1)
      await neverCarried(t, model)
    })
  }
})

test('the demo model asks for an edit by instruction, and answers the question that comes of it', async (t) => {
  const { agent, say, dataDir } = await startAgent(t, null)
  for (const content of ['rewrite a.md so that first becomes "the 1st"', 'réécris a.md pour que first devienne « the 1st »']) {
    const { session } = await agent.createSession({ policy: { mode: 'auto', rules: [] } }, caller, null)
    const path = join(dataDir, 'workspaces', session.id, 'a.md')
    await writeFile(path, page)
    t.match(await say(session.id, content), { status: 'completed' })
    t.equal(await readFile(path, 'utf8'), '# the secret title\nthe 1st line\nsecond line\n')
  }
})
