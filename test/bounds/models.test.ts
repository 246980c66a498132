import { test } from 'tap'
import * as limits from '../../src/limits.ts'
import { DemoModel } from '../../src/model/demo/demo-model.ts'
import { startDemoServer } from '../../src/model/demo/server.ts'
import { presentable } from '../../src/model/secrets.ts'
import { messagesMaxTokens } from '../../src/model/settings.ts'
import { instruct } from '../../src/tools/instruct.ts'
import { Conversation } from '../model/demo-conversation.ts'
import { callModel, customModels } from '../model/call-model.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { ToolFailure } from '../../src/errors.ts'
import { toolSession } from '../tools/tool-session.ts'
import { loadConfig } from '../../src/config.ts'

test('demoWordsMax, demoWordDelayMs, demoBodyBytesMax: the demo model tells no longer story, has its pace, and takes no larger request', async (t) => {
  const words = async (asked: number) => (await new Conversation(new DemoModel({ wordDelayMs: 0 })).say(`write a story of ${asked} words`))[0]?.split(/\s+/).length
  t.equal(await words(limits.demoWordsMax + 1), limits.demoWordsMax)
  const began = performance.now()
  await new Conversation(new DemoModel({ wordDelayMs: loadConfig({ DATA_DIR: t.testdir() }, t.testdirName).model.demoWordDelayMs })).say('write a story of 20 words')
  t.ok(performance.now() - began > 18 * limits.demoWordDelayMs)
  const { baseUrl, close } = await startDemoServer({ port: 0, host: '127.0.0.1', wordDelayMs: 0 })
  t.teardown(close)
  const post = async (bytes: number) => {
    const body = JSON.stringify({ model: 'demo', messages: [{ role: 'user', content: 'hello' }], pad: '' })
    return (await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body: body.replace('"pad":""', `"pad":"${'x'.repeat(bytes - body.length)}"`) })).status
  }
  t.equal(await post(limits.demoBodyBytesMax), 200)
  t.equal(await post(limits.demoBodyBytesMax + 1), 413)
})

test('modelDetailLengthMax, modelErrorBodyBytes: so much is shown of what a provider says, and so much of it read', async (t) => {
  t.equal(presentable('x'.repeat(limits.modelDetailLengthMax), null).length, limits.modelDetailLengthMax)
  t.match(presentable('x'.repeat(limits.modelDetailLengthMax + 1), null), /^x{499}…$/)
  const server = await startModelServer(t)
  const { model } = customModels(t, server.baseUrl)
  const said = async (bytes: number) => {
    const body = JSON.stringify({ pad: '', error: { message: 'told at its end' } })
    await server.script([{ raw: { status: 400, chunks: [body.replace('"pad":""', `"pad":"${'x'.repeat(bytes - body.length)}"`)] } }])
    return (await callModel(model)).error?.message ?? ''
  }
  t.match(await said(limits.modelErrorBodyBytes), /told at its end/)
  t.notMatch(await said(limits.modelErrorBodyBytes + 1), /told at its end/)
})

test('anthropicOutputTokensDefault: an answer without a bound of its own gets it, and thinking comes on top', (t) => {
  t.equal(messagesMaxTokens({}), limits.anthropicOutputTokensDefault)
  t.equal(messagesMaxTokens({ thinkingBudgetTokens: 1_000 }), limits.anthropicOutputTokensDefault + 1_000)
  t.equal(messagesMaxTokens({ maxOutputTokens: 1 }), 1)
  t.end()
})

test('instructionLengthMax, instructAnswerLengthMax, instructFaultLengthMax: of an instruction, of what the model answers, and of what it is told of that', async (t) => {
  const { call, context, workspace } = await toolSession(t)
  t.match(await call('edit_file', { path: 'none', instruction: 'x'.repeat(limits.instructionLengthMax) }), { code: 'not_found' })
  t.match(await call('edit_file', { path: 'none', instruction: 'x'.repeat(limits.instructionLengthMax + 1) }), { code: 'invalid_arguments' })
  const asked = async (answer: string, fault = 'none') => {
    const users: string[] = []
    const complete = async ({ user }: { user: string }) => {
      users.push(user)
      return answer
    }
    const done = instruct({ path: workspace.parse('a'), paths: ['a'], instruction: 'go', text: 'text' }, { ...context(), complete }, () => {
      if (fault !== 'none') throw new ToolFailure('no_match', fault)
    })
    return { ok: await done.then(() => true, () => false), users }
  }
  const answer = (length: number) => JSON.stringify({ edits: [{ oldText: 'a', newText: 'b' }] }).padEnd(length)
  t.match(await asked(answer(limits.instructAnswerLengthMax)), { ok: true, users: { length: 1 } })
  t.match((await asked(answer(limits.instructAnswerLengthMax + 1))).users[1], /It has 262145 characters/)
  const told = (await asked(answer(100), 'f'.repeat(limits.instructFaultLengthMax + 1))).users[1] ?? ''
  t.equal(/could not be used: (f+)\n/.exec(told)?.[1]?.length, limits.instructFaultLengthMax)
})
