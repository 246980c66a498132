import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'tap'
import { caller, startAgent } from '../support/agent.ts'
import { startModelServer } from '../support/model-server/model-server.ts'

test('AGENTS.md stands in the prompt of the first run as it was then, and a later one changes nothing', async (t) => {
  const model = await startModelServer(t)
  const { agent, events, say, dataDir } = await startAgent(t, model.baseUrl)
  const { session } = await agent.createSession({}, caller, null)
  const agentsFile = join(dataDir, 'workspaces', session.id, 'AGENTS.md')
  await writeFile(agentsFile, 'Use tabs.')
  await model.script([{ text: 'one' }, { text: 'two' }])
  t.match(await say(session.id, 'go'), { status: 'completed', text: 'one' })
  await writeFile(agentsFile, 'Use spaces.')
  t.match(await say(session.id, 'go on'), { status: 'completed', text: 'two' })
  const prompts = (await events(session.id)).filter(({ type }) => type === 'prompt_set')
  t.equal(prompts.length, 1)
  t.match(prompts[0], { reason: 'first_run', system: /# AGENTS\.md of the workspace\nUse tabs\.$/ })
})

test('a session whose workspace is gone can still talk, and its tools say so', async (t) => {
  const model = await startModelServer(t)
  const { agent, events, say, dataDir } = await startAgent(t, model.baseUrl)
  const { session } = await agent.createSession({}, caller, null)
  await rm(join(dataDir, 'workspaces', session.id), { recursive: true })
  await model.script([{ tool_calls: [{ id: 'c1', name: 'list_dir', arguments: {} }] }, { text: 'It is gone.' }])
  t.match(await say(session.id, 'go'), { status: 'completed', text: 'It is gone.' })
  t.match((await events(session.id)).find(({ type }) => type === 'tool_call_end'), { ok: false, error: { code: 'not_found' } })
})
