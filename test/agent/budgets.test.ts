import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'tap'
import type { ModelsConfig } from '../../src/model/models.ts'
import { caller, startAgent } from '../support/agent.ts'
import { startModelServer } from '../support/model-server/model-server.ts'

const usage = { prompt_tokens: 900, completion_tokens: 100 }
const call = { tool_calls: [{ name: 'list_dir', arguments: {} }], usage }
const priced: Partial<ModelsConfig> = { settings: { 'custom/test': { price: { input: 1_000, output: 10_000 } } } } // 1.90 a call

test('a run that has used its tokens ends cleanly after the step, and the next message goes on', async (t) => {
  const model = await startModelServer(t)
  const { agent, say, events } = await startAgent(t, model.baseUrl)
  const { session } = await agent.createSession({ limits: { maxTokens: 1_500 } }, caller, null)
  await model.script([call, call, call, { text: 'done', usage }])
  const run = await say(session.id, 'go')
  t.match(run, { status: 'completed', finishReason: 'budget', error: null, steps: 2, usage: { inputTokens: 1_800, outputTokens: 200, costUsd: null } })
  const log = await events(session.id)
  t.equal(log.filter(({ type }) => type === 'tool_call_end').length, 2, 'the step was finished')
  t.match(await say(session.id, 'go on', { limits: { maxTokens: 10_000 } }), { status: 'completed', finishReason: 'stop', text: 'done' })
  const last = (await model.requests()).at(-1)
  t.ok((last?.body?.messages.length ?? 0) > 6, 'on the same conversation')
})

test('a budget in money counts what the price table makes of the tokens', async (t) => {
  const model = await startModelServer(t)
  const { agent, say } = await startAgent(t, model.baseUrl, { modelsConfig: priced })
  const { session } = await agent.createSession({}, caller, null)
  await model.script([call, call, { text: 'done', usage }])
  t.match(await say(session.id, 'go', { limits: { maxCostUsd: 2 } }), { finishReason: 'budget', steps: 2, usage: { costUsd: 3.8 } })
  t.match(await say(session.id, 'go on', { limits: { maxCostUsd: 2 } }), { finishReason: 'stop', usage: { costUsd: 1.9 } })
  t.match((await agent.getSession(session.id, caller)).usage, { costUsd: 5.699999999999999, inputTokens: 2_700 })
})

test('a session budget holds over all its runs: reached, a run ends before it asks the model, until it is raised', async (t) => {
  const model = await startModelServer(t)
  const { agent, say } = await startAgent(t, model.baseUrl, { modelsConfig: priced })
  const { session } = await agent.createSession({ limits: { maxSessionTokens: 2_500, maxSessionCostUsd: 100 } }, caller, null)
  await model.fallback({ text: 'ok', usage })
  for (let i = 0; i < 3; i++) t.match(await say(session.id, 'go'), { finishReason: 'stop' })
  t.match(await say(session.id, 'go'), { status: 'completed', finishReason: 'budget', steps: 0, text: null })
  t.equal((await model.requests()).length, 3)
  await agent.updateSession(session.id, { limits: { maxSessionTokens: 10_000, maxSessionCostUsd: 5 } }, caller)
  t.match(await say(session.id, 'go'), { finishReason: 'budget' }, 'the money is gone too')
  await agent.updateSession(session.id, { limits: { maxSessionCostUsd: null } }, caller)
  t.match(await say(session.id, 'go'), { finishReason: 'stop', text: 'ok' })
})

test('usage is what each provider counts, in one form, per message, run and session', async (t) => {
  const model = await startModelServer(t)
  const { agent, say, events, dataDir } = await startAgent(t, model.baseUrl, {
    modelsConfig: {
      providers: {
        custom: { baseUrl: model.baseUrl },
        anthropic: { baseUrl: model.baseUrl, apiKey: 'k' },
        'openai-responses': { baseUrl: model.baseUrl, apiKey: 'k' }
      },
      settings: { 'anthropic/claude': { price: { input: 1_000, output: 0, cachedInput: 100 } } }
    }
  })
  const { session } = await agent.createSession({}, caller, null)
  await writeFile(join(dataDir, 'workspaces', session.id, 'a.txt'), 'x')
  await model.script([
    { text: '1', usage: { prompt_tokens: 100, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 60 } } },
    { text: '2', usage: { input_tokens: 40, cache_read_input_tokens: 100, cache_creation_input_tokens: 10 } },
    { text: '3', usage: { input_tokens: 200, output_tokens: 20, input_tokens_details: { cached_tokens: 150 }, output_tokens_details: { reasoning_tokens: 5 } } }
  ])
  await say(session.id, 'one', { model: 'custom/test' })
  await say(session.id, 'two', { model: 'anthropic/claude' })
  await say(session.id, 'three', { model: 'openai-responses/gpt' })
  t.match((await events(session.id)).flatMap((event) => event.type === 'assistant_message' ? [{ model: event.model, usage: event.usage }] : []), [
    { model: 'custom/test', usage: { inputTokens: 100, outputTokens: 10, cachedInputTokens: 60, cacheWriteTokens: null, costUsd: null } },
    { model: 'anthropic/claude', usage: { inputTokens: 150, outputTokens: 5, cachedInputTokens: 100, cacheWriteTokens: 10, costUsd: 0.06 } },
    { model: 'openai-responses/gpt', usage: { inputTokens: 200, outputTokens: 20, cachedInputTokens: 150, reasoningTokens: 5, costUsd: null } }
  ])
  const { usage } = await agent.getSession(session.id, caller)
  t.strictSame(usage, { inputTokens: 450, outputTokens: 35, cachedInputTokens: 310, cacheWriteTokens: 10, reasoningTokens: 5, costUsd: 0.06 })
})
