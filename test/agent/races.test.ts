import { test } from 'tap'
import { caller, eventually, startAgent } from '../support/agent.ts'
import { startModelServer } from '../support/model-server/model-server.ts'

test('an answer that comes after its run was ended by another append is nobody else\'s answer', async (t) => {
  const model = await startModelServer(t)
  let offset = 0
  const { agent, events, waitFor } = await startAgent(t, model.baseUrl, { now: () => new Date(Date.now() + offset).toISOString() })
  const { session } = await agent.createSession({ limits: { runTimeoutMs: 60_000 } }, caller, null)
  await model.script([{ text: 'answer to the first', gate: true }, { text: 'answer to the second', gate: true }])
  const { run: first } = await agent.postMessage(session.id, { content: 'one' }, caller, null)
  const { run: second } = await agent.postMessage(session.id, { content: 'two', onBusy: 'queue' }, caller, null)
  await model.waitForRequests(1)
  offset = 120_000 // the clock passes the first run's time, and somebody's PATCH is the first to see it
  await agent.updateSession(session.id, { title: 'x' }, caller)
  await eventually(async () => (await agent.getRun(session.id, first.id, caller)).run.status === 'failed')
  await model.release()
  await model.waitForRequests(2)
  await model.release()
  t.match(await waitFor(second, 'end'), { status: 'completed', text: 'answer to the second', steps: 1 })
  t.match((await agent.getRun(session.id, first.id, caller)).run, { status: 'failed', error: { code: 'run_timeout' } })
  await events(session.id)
})

test('cancelling a queued run does not disturb the run that is at work', async (t) => {
  const model = await startModelServer(t)
  const { agent, events, waitFor } = await startAgent(t, model.baseUrl)
  const { session } = await agent.createSession({}, caller, null)
  await model.script([{ stream: ['half ', 'and half'], gate_after: 1 }])
  const { run: first } = await agent.postMessage(session.id, { content: 'one' }, caller, null)
  const { run: second } = await agent.postMessage(session.id, { content: 'two', onBusy: 'queue' }, caller, null)
  await model.waitForRequests(1)
  t.match(await agent.cancelRun(session.id, second.id, null, caller), { status: 'cancelled' })
  await model.release()
  t.match(await waitFor(first, 'end'), { status: 'completed', text: 'half and half', steps: 1 })
  t.equal((await model.requests()).length, 1, 'the model was not asked again')
  t.notOk((await events(session.id)).some((event) => event.type === 'assistant_message' && event.incomplete))
})
