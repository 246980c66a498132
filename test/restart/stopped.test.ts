import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'tap'
import { Type } from '@sinclair/typebox'
import { ToolFailure } from '../../src/errors.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import type { Tool } from '../../src/tools/tool.ts'
import { startAgent, caller, eventually, type TestAgent } from '../support/agent.ts'
import { startModelServer, type Reply } from '../support/model-server/model-server.ts'
import { startServer } from '../support/server.ts'
import { setUp, types } from './setup.ts'

test('SIGTERM with open streams and a run: it ends with 0 in time, the streams say when to come back, and the run goes on after the start (e-16)', async (t) => {
  const { server, post, sessionId, settled, events } = await setUp(t, { paceMs: 200, env: { SHUTDOWN_TIMEOUT_MS: '5000' } })
  const stream = await server.stream(`/sessions/${sessionId}/events`)
  const streams = [`/sessions/${sessionId}/events`, '/events'].map((path) => server.get(path, { headers: { accept: 'text/event-stream' } }))
  const run = await post([])
  await stream.until('text_delta')
  const began = performance.now()
  t.same(await server.kill('SIGTERM'), { code: 0, signal: null })
  t.ok(performance.now() - began < 5_000)
  await stream.rest()
  for (const { text } of await Promise.all(streams)) t.match(text, /\n\nretry: \d+\n\n$/, 'the last that it says')
  t.equal(server.stderr(), '', 'no error was logged')

  await server.restart()
  t.match(await settled(run), { status: 'completed' })
  t.same(types(await events()), ['session_start', 'user_message', 'run_start', 'prompt_set', 'run_start', 'assistant_message', 'run_end'])
})

test('a stop between the start of a call and its effect loses neither: the next start does it', async (t) => {
  const model = await startModelServer(t)
  await model.script([{ tool_calls: [{ id: 'c1', name: 'write_file', arguments: { path: 'a.txt', content: 'a' } }] }, { text: 'written' }])
  let stopped: Promise<void> = Promise.resolve()
  const first = await startAgent(t, model.baseUrl, { checkpoint: (point) => { if (point === 'started') stopped = first.agent.stop(1_000) } })
  const { session } = await first.agent.createSession({}, caller, null)
  const run = await first.say(session.id, 'write it')
  const [approval] = await first.pending(session.id)
  await first.agent.decideApproval(approval?.callId ?? '', { decision: 'approve' }, caller)
  await eventually(async () => types(await first.events(session.id)).includes('tool_call_start'))
  await stopped
  await first.close()
  const second = await startAgent(t, model.baseUrl, { dataDir: first.dataDir })
  t.match(await second.waitFor(run, 'end'), { status: 'completed', text: 'written' })
  t.equal(await readFile(join(first.dataDir, 'workspaces', session.id, 'a.txt'), 'utf8'), 'a')
  t.match((await second.events(session.id)).filter(({ type }) => type === 'tool_call_end'), [{ ok: true }])
})

test('a call that runs when the server is told to stop has time to end, and is stopped when that is over', async (t) => {
  const model = await startModelServer(t)
  const run = (id: string): Reply => ({ tool_calls: [{ id, name: 'work', arguments: {} }] })
  await model.script([run('c1'), run('c2'), { text: 'gone on' }])
  const { tool, started, end } = workTool()
  const options = { tools: [tool] }
  const first = await startAgent(t, model.baseUrl, options)
  const { session } = await first.agent.createSession({}, caller, null)
  const { run: begun } = await first.agent.postMessage(session.id, { content: 'work' }, caller, null)
  const signal = await started()
  const stopped = first.agent.stop(30_000)
  t.notOk(signal.aborted, 'it goes on')
  end()
  await stopped
  const ends = async (agent: TestAgent) => (await agent.events(session.id)).filter(({ type }) => type === 'tool_call_end')
  t.match(await ends(first), [{ ok: true, content: 'ended by itself' }])
  await first.close()

  const second = await startAgent(t, model.baseUrl, { ...options, dataDir: first.dataDir })
  const again = await started()
  await second.agent.stop(500)
  t.ok(again.aborted, 'it was stopped')
  t.match((await ends(second))[1], { ok: false, error: { code: 'interrupted', error: /The server was stopped while this call ran/ } })
  await second.close()

  const third = await startAgent(t, model.baseUrl, { ...options, dataDir: first.dataDir })
  t.match(await third.waitFor(begun, 'end'), { status: 'completed', text: 'gone on' })
})

/** A tool that works until it is told to end, or stopped. */
function workTool () {
  const begun: AbortSignal[] = []
  let finish = (): void => {}
  const tool: Tool = defineTool({
    name: 'work',
    description: 'Works.',
    parameters: Type.Object({}),
    dangerous: false,
    async prepare () { return { paths: [], preview: { summary: 'Work' } } },
    async execute (_args, _plan, { signal }) {
      begun.push(signal)
      await new Promise<void>((resolve, reject) => {
        finish = resolve
        signal.addEventListener('abort', () => { reject(new ToolFailure('cancelled', 'It was stopped.')) })
      })
      return { content: 'ended by itself', diff: null, verified: null, truncated: false, seen: [] }
    }
  })
  return {
    tool,
    end: () => { finish() },
    started: async () => {
      await eventually(async () => begun.length > 0)
      return begun.shift() ?? AbortSignal.abort()
    }
  }
}

test('a second server on the same data directory is refused, and told by whom; the first does not notice', async (t) => {
  const first = await startServer(t)
  await t.rejects(startServer(t, { dataDir: first.dataDir }), {
    message: new RegExp(`exit code 1\\).*\nThe server did not start: The data directory ${first.dataDir} is in use by another server \\(pid ${first.pid}\\)\\. Stop it, or give this one[^\n]*\n$`, 's')
  })
  t.equal((await first.get('/sessions')).status, 200)
})

test('a clock that jumps back moves no event: seqs go on, times are UTC, and durations are not negative (e-18)', async (t) => {
  const model = await startModelServer(t)
  let jump = 0
  const { agent, say, events } = await startAgent(t, model.baseUrl, { now: () => new Date(Date.now() - jump).toISOString() })
  const { session } = await agent.createSession({}, caller, null)
  await model.script([{ stream: ['a', 'b', 'c'] }, { stream: ['d'] }])
  await say(session.id, 'before')
  jump = 3600_000
  t.match(await say(session.id, 'after'), { status: 'completed', text: 'd' })
  const log = await events(session.id)
  t.same(log.map(({ seq }) => seq), log.map((_event, index) => index + 1))
  for (const { at } of log) t.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  t.ok((log.at(-1)?.at ?? '') < (log[0]?.at ?? ''), 'the clock did jump')
  for (const event of log) if ('durationMs' in event) t.ok(event.durationMs >= 0)
})
