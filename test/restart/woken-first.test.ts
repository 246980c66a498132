import { test } from 'tap'
import type { Agent } from '../../src/agent/create-agent.ts'
import { caller, startAgent } from '../support/agent.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { types } from './setup.ts'

test('a session that a request changes before the start has come to it is resumed all the same', async (t) => {
  const model = await startModelServer(t)

  async function leftAtWork () {
    await model.reset()
    await model.script([{ text: 'lost', gate: true }, { text: 'done' }])
    const first = await startAgent(t, model.baseUrl)
    const { session } = await first.agent.createSession({}, caller, null)
    const { run } = await first.agent.postMessage(session.id, { content: 'go' }, caller, null)
    await model.waitForRequests(1)
    await first.close()
    const beforeStart = async (agent: Agent) => {
      await agent.files.write(session.id, 'a.txt', bytes(), { match: null, noneMatch: null }, caller)
      await new Promise((resolve) => setTimeout(resolve, 50)) // time to do what must not be done
    }
    return { run, options: { dataDir: first.dataDir, beforeStart } }
  }

  await t.test('the log says so, and nothing of the run comes before it', async (t) => {
    const { run, options } = await leftAtWork()
    const second = await startAgent(t, model.baseUrl, options)
    t.match(await second.waitFor(run, 'end'), { status: 'completed', text: 'done' })
    t.same(types(await second.events(run.sessionId)), ['session_start', 'user_message', 'run_start', 'prompt_set', 'files_changed', 'run_start', 'assistant_message', 'run_end'])
  })

  await t.test('where runs are not to be resumed it ends, and the model is not asked', async (t) => {
    const { run, options } = await leftAtWork()
    const second = await startAgent(t, model.baseUrl, { ...options, resumeRuns: false })
    t.match(await second.waitFor(run, 'end'), { status: 'failed', error: { code: 'interrupted' } })
    t.equal((await model.requests()).length, 1)
  })
})

async function * bytes (): AsyncGenerator<Uint8Array> { yield Buffer.from('a') }
