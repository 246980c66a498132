import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { test, type Test } from 'tap'
import { defineTool } from '../../src/tools/define-tool.ts'
import { fileTools } from '../../src/tools/table.ts'
import { caller, eventually, startAgent } from '../support/agent.ts'
import { startModelServer } from '../support/model-server/model-server.ts'

const call = (id: string, name: string, args: object) => ({ id, name, arguments: args })

/** A safe tool that ends when it is let, or when it is stopped. */
function slowTool () {
  let begin = (): void => {}
  let letGo = (): void => {}
  const begun = new Promise<void>((resolve) => { begin = resolve })
  const let_ = new Promise<void>((resolve) => { letGo = resolve })
  const tool = defineTool({
    name: 'slow',
    description: 'Takes its time.',
    parameters: Type.Object({}),
    dangerous: false,
    prepare: async () => ({ paths: [] }),
    async execute (_args, _plan, { signal }) {
      begin()
      await Promise.race([let_, new Promise((resolve) => { signal.addEventListener('abort', resolve) })])
      signal.throwIfAborted()
      return { content: 'at last', diff: null, verified: null, truncated: false, seen: [] }
    }
  })
  return { tool, begun, letGo: () => { letGo() } }
}

async function setup (t: Test, settings: object = {}) {
  const model = await startModelServer(t)
  const slow = slowTool()
  const agent = await startAgent(t, model.baseUrl, { tools: [...fileTools, slow.tool] })
  const { session } = await agent.agent.createSession(settings, caller, null)
  await writeFile(join(agent.dataDir, 'workspaces', session.id, 'a.txt'), 'alpha')
  return { ...agent, ...slow, model, sessionId: session.id }
}

test('quickCallMs: a slow safe call shows its start early, and keeps no quick one waiting', async (t) => {
  const { agent, model, events, sessionId, letGo } = await setup(t)
  await model.script([{ tool_calls: [call('c1', 'slow', {}), call('c2', 'read_file', { path: 'a.txt' })] }, { text: 'done' }])
  await agent.postMessage(sessionId, { content: 'go' }, caller, null)
  await eventually(async () => (await events(sessionId)).some(({ type }) => type === 'tool_call_end'))
  const before = (await events(sessionId)).flatMap((event) => event.type === 'tool_call_start' || event.type === 'tool_call_end' ? [`${event.type} ${event.tool}`] : [])
  t.same(before, ['tool_call_start slow', 'tool_call_start read_file', 'tool_call_end read_file'])
  letGo()
  await eventually(async () => (await events(sessionId)).some(({ type }) => type === 'run_end'))
  t.match((await events(sessionId)).filter(({ type }) => type === 'tool_call_end').at(-1), { tool: 'slow', ok: true, content: 'at last' })
})

test('a safe call that is cancelled while it begins is awaited, and ends cancelled', async (t) => {
  const { agent, model, events, sessionId, begun } = await setup(t)
  await model.script([{ tool_calls: [call('c1', 'slow', {})] }])
  const { run } = await agent.postMessage(sessionId, { content: 'go' }, caller, null)
  await begun
  await agent.cancelRun(sessionId, run.id, null, caller)
  await eventually(async () => (await events(sessionId)).some(({ type }) => type === 'run_end'))
  t.match((await events(sessionId)).slice(-2), [{ type: 'tool_call_end', ok: false, error: { code: 'cancelled' } }, { type: 'run_end', status: 'cancelled' }])
  await eventually(() => agent.activeRuns() === 0)
})

test('safe calls that policy asks about end the run once, when the message says onApproval: fail', async (t) => {
  const { say, model, events, sessionId } = await setup(t, { policy: { mode: 'auto', rules: [{ tool: 'read_file', decision: 'ask' }] } })
  await model.script([{ tool_calls: [call('c1', 'read_file', { path: 'a.txt' }), call('c2', 'read_file', { path: 'a.txt' })] }])
  t.match(await say(sessionId, 'go', { onApproval: 'fail' }), { status: 'failed', error: { code: 'approval_required' } })
  t.equal((await events(sessionId)).filter(({ type }) => type === 'run_end').length, 1)
})
