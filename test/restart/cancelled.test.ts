import { test } from 'tap'
import { caller, eventually, startAgent } from '../support/agent.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { startPlanModel, planText } from '../support/plan-model.ts'
import { fileTools } from '../../src/tools/table.ts'

test('a queued run that is cancelled adds nothing to the turn that is under way', async (t) => {
  const model = await startPlanModel(50)
  t.teardown(async () => { await model.close() })
  const { agent, events, waitFor } = await startAgent(t, model.baseUrl)
  const { session } = await agent.createSession({}, caller, null)
  const post = async (token: string) => (await agent.postMessage(session.id, {
    content: planText({ talk: session.id, token, steps: [[{ tool: 'list_dir', arguments: {} }]] }), onBusy: 'queue'
  }, caller, null)).run
  const first = await post('first')
  const second = await post('second')
  await eventually(() => model.requests() > 0)
  t.match(await agent.cancelRun(session.id, second.id, null, caller), { status: 'cancelled' })
  t.match(await waitFor(first, 'end'), { status: 'completed', text: 'done first' })
  t.same(model.faults, [], 'the roles take turns')
  t.equal((await events(session.id)).filter(({ type }) => type === 'run_end').length, 2)
})

test('restartDelayMs: a run that is cancelled while the server gets over an error of its own ends as cancelled', async (t) => {
  const model = await startModelServer(t)
  await model.script([{ tool_calls: [{ id: 'c1', name: 'list_dir', arguments: {} }] }])
  const prepared: string[] = []
  const tools = fileTools.map((tool) => ({
    ...tool,
    prepare: async () => {
      prepared.push(tool.name)
      throw new Error('an error that no tool should have')
    }
  }))
  const { agent, events } = await startAgent(t, model.baseUrl, { tools })
  const { session } = await agent.createSession({}, caller, null)
  await agent.postMessage(session.id, { content: 'list' }, caller, null)
  await eventually(() => prepared.length > 0)
  t.match(await agent.cancelRun(session.id, null, null, caller), { status: 'cancelled', finishReason: 'cancelled' })
  await events(session.id) // checks the law
})
