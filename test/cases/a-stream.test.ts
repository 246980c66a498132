import { test } from 'tap'
import { startModelServer } from '../support/model-server/model-server.ts'
import { startServer } from '../support/server.ts'
import { checkSentences, loadScenarios, type Checks } from './load-cases.ts'
import { playSteps } from './steps.ts'
import { World } from './world.ts'

const assistant = async (w: World) => (await w.messages(1)).find(({ role }) => role === 'assistant')

const checks: Checks<World> = {
  'a-33': [
    async (t, w) => { t.match(await assistant(w), { reasoning_content: 'need the file', tool_calls: [{ id: 'c1' }] }) },
    async (t, w) => {
      await w.server.restart({ MODEL_REASONING_ECHO: 'off' })
      const again = new World(w.server, w.model, w.scenario)
      await playSteps(again)
      t.match(await assistant(again), { tool_calls: [{ id: 'c1' }] })
      t.notHas(await assistant(again), { reasoning_content: /.*/ })
    }
  ]
}

test('answers of models that take more than one request to see', async (t) => {
  const model = await startModelServer(t)
  const server = await startServer(t, { model: model.baseUrl, env: { MODEL_REASONING_ECHO: 'reasoning_content' } })
  for (const scenario of loadScenarios('a-stream.jsonl')) {
    await t.test(`${scenario.id} ${scenario.title}`, async (t) => {
      const world = new World(server, model, scenario)
      await playSteps(world)
      await checkSentences(t, scenario, checks, world)
    })
  }
})
