import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'tap'
import type { Run, RunAnswer } from '../../src/protocol/resources.ts'
import { startDemoModelServer } from '../support/model-server/model-server.ts'
import { startServer } from '../support/server.ts'
import { call, startClient, types, writing } from './client.ts'

test('a run over HTTP', async (t) => {
  const client = await startClient(t)
  const { server, model } = client

  await t.test('text alone: the deltas make the message, and the run ends', async (t) => {
    const sessionId = await client.session([{ stream: ['Hel', 'lo'] }])
    const stream = await client.streamed(sessionId, 'hi')
    const items = await stream.rest()
    t.equal(items.filter(({ event }) => event === 'text_delta').map(({ data }) => data.text).join(''), 'Hello')
    t.match(items.at(-1), { event: 'run_end', data: { status: 'completed', finishReason: 'stop', text: 'Hello', steps: 1 } })
    t.match(stream.headers, { location: new RegExp(`^/sessions/${sessionId}/runs/run_`) })
    t.strictSame(types(await client.log(sessionId)), ['session_start', 'user_message', 'run_start', 'prompt_set', 'assistant_message', 'run_end'])
  })

  await t.test('one read: its content is what the model is told next', async (t) => {
    const sessionId = await client.session([{ tool_calls: [call('c1', 'read_file', { path: 'a.txt' })] }, { text: 'It says alpha.' }])
    writeFileSync(client.file(sessionId, 'a.txt'), 'alpha')
    t.match(await client.send(sessionId, 'read'), { status: 200, json: { text: 'It says alpha.', run: { steps: 2 }, usage: { inputTokens: 20 } } })
    t.match(await client.told(1), [/alpha/])
    t.strictSame((await client.logged(sessionId, 'approval_required')).length, 0)
  })

  await t.test('a write is approved, and its stream goes on to the end', async (t) => {
    const sessionId = await client.session([writing('hello.txt', 'Hello\n'), { text: 'written' }])
    const stream = await client.streamed(sessionId, 'write')
    const asked = (await stream.until('approval_required')).at(-1)?.data
    t.match(asked, { tool: 'write_file', round: 1, preview: { paths: ['hello.txt'], diff: /\+Hello/ } })
    t.match(await client.decide(asked.callId, 'approve', { digest: asked.digest }), { status: 200, json: { status: 'approved' } })
    const rest = await stream.rest()
    t.strictSame(rest.filter(({ id }) => id !== undefined).map(({ event }) => event), ['approval_resolved', 'tool_call_start', 'tool_call_end', 'assistant_message', 'run_end'])
    t.match(rest.find(({ event }) => event === 'tool_call_end'), { data: { ok: true, verified: true, diff: /\+Hello/ } })
    t.equal(readFileSync(client.file(sessionId, 'hello.txt'), 'utf8'), 'Hello\n')
    await client.log(sessionId)
  })

  await t.test('a write is denied, and nothing is written', async (t) => {
    const sessionId = await client.session([writing('hello.txt'), { text: 'as you like' }])
    const stream = await client.streamed(sessionId, 'write')
    const asked = (await stream.until('approval_required')).at(-1)?.data
    await client.decide(asked.callId, 'deny', { reason: 'not there' })
    t.match((await stream.rest()).at(-1), { event: 'run_end', data: { status: 'completed', text: 'as you like' } })
    t.match(JSON.parse((await client.told(1))[0] ?? ''), { code: 'denied', error: /not there/, canRetry: false, suggestion: /./ })
    t.strictSame(await readdir(client.file(sessionId, '.')), [])
    t.strictSame(await client.logged(sessionId, 'tool_call_start'), [])
  })

  await t.test('two calls at once, one denied: the other is done, and both have a result', async (t) => {
    const sessionId = await client.session([{ tool_calls: ['a.txt', 'b.txt'].map((path) => call(path, 'write_file', { path, content: path })) }, { text: 'ok' }])
    const { json: run } = await client.send<Run>(sessionId, 'write two')
    const [first, second] = run.approvals
    await client.decide(first?.callId ?? '', 'deny')
    await client.decide(second?.callId ?? '', 'approve')
    t.match(await client.run(run, 10), { status: 'completed', text: 'ok' })
    t.strictSame(await readdir(client.file(sessionId, '.')), ['b.txt'])
    const [a, b] = await client.told(1)
    t.match(JSON.parse(a ?? ''), { code: 'denied' })
    t.match(b, /b\.txt/)
    await client.log(sessionId)
  })

  await t.test('an unknown tool, and arguments that do not fit, are the model\'s to mend', async (t) => {
    const sessionId = await client.session([
      { tool_calls: [call('c1', 'execute_python', { code: '1' }), call('c2', 'read_file', {}), call('c3', 'write_file', '{"path":"x')] },
      { text: 'sorry' }
    ])
    t.match(await client.send(sessionId, 'go'), { status: 200, json: { text: 'sorry' } })
    const told = (await client.told(1)).map((text) => JSON.parse(text))
    t.match(told, [
      { code: 'unknown_tool', error: /execute_python/, canRetry: true },
      { code: 'invalid_arguments', error: /path/, canRetry: true },
      { code: 'invalid_arguments', error: /JSON/, canRetry: true }
    ])
    for (const error of told) t.strictSame(Object.keys(error), ['error', 'code', 'canRetry', 'suggestion'])
    t.strictSame((await client.logged(sessionId, 'approval_required')).length, 0)
  })

  await t.test('a model that answers 500 fails the run with a structured error, and the next message works', async (t) => {
    const sessionId = await client.session([{ raw: { status: 500, chunks: ['{"error":{"message":"broken inside"}}'] } }, { text: 'better' }])
    const answer = await client.send(sessionId, 'go')
    t.match(answer, { status: 424, json: { code: 'run_failed', run: { status: 'failed', error: { code: 'model_overloaded', canRetry: true, detail: /broken inside/ } } } })
    t.match(answer.headers, { 'content-type': /^application\/problem\+json/, location: new RegExp(`^/sessions/${sessionId}/runs/run_`) })
    t.match(await client.send(sessionId, 'again'), { status: 200, json: { text: 'better' } })
    await client.log(sessionId)
  })

  await t.test('a model that is cut in mid-stream: what had arrived is kept, marked, and the run fails', async (t) => {
    const half = { choices: [{ index: 0, delta: { content: 'half an ans' }, finish_reason: null }] }
    const sessionId = await client.session([{ raw: { chunks: [`data: ${JSON.stringify(half)}\n\n`], end: 'reset' } }])
    const items = await (await client.streamed(sessionId, 'go')).rest()
    t.match(items.at(-1), { event: 'run_end', data: { status: 'failed', text: 'half an ans', error: { code: 'model_incomplete' } } })
    t.match(await client.logged(sessionId, 'assistant_message'), [{ text: 'half an ans', incomplete: true, finishReason: 'error' }])
  })

  await t.test('maxSteps ends the run as completed, and says why', async (t) => {
    const sessionId = await client.session([1, 2, 3].map((n) => ({ text: `step ${n}`, tool_calls: [call(`c${n}`, 'list_dir', { depth: n })] })))
    const answer = await client.send<RunAnswer>(sessionId, 'go', { body: { limits: { maxSteps: 2 } } })
    t.match(answer, { status: 200, json: { text: 'step 2', run: { status: 'completed', finishReason: 'max_steps', steps: 2 } } })
    t.equal((await model.requests()).length, 2)
    await client.log(sessionId)
  })

  await t.test('no path leads out of the workspace', async (t) => {
    const outside = join(dirname(server.dataDir), 'outside.txt')
    writeFileSync(outside, 'SECRET')
    const paths = ['../../../outside.txt', outside, 'link/outside.txt', 'file-link', '..', 'a/../../..', '/etc/passwd', 'x\0y']
    const calls = paths.flatMap((path, n) => [call(`r${n}`, 'read_file', { path }), call(`w${n}`, 'write_file', { path, content: 'x' })])
    const sessionId = await client.session([
      { tool_calls: [...calls, call('m1', 'move_file', { from: 'file-link', to: '../out' }), call('d1', 'delete_file', { path: '../../../outside.txt' }), call('l1', 'list_dir', { path: '..' })] },
      { text: 'no way' }
    ])
    mkdirSync(client.file(sessionId, 'a'))
    symlinkSync(dirname(server.dataDir), client.file(sessionId, 'link'))
    symlinkSync(outside, client.file(sessionId, 'file-link'))
    t.match(await client.send(sessionId, 'go'), { status: 200, json: { text: 'no way' } })
    const told = await client.told(1)
    t.equal(told.length, calls.length + 3)
    for (const text of told) {
      t.match(JSON.parse(text), { code: /^(outside_workspace|symlink|invalid_path|invalid_arguments|is_directory|not_found)$/, canRetry: Boolean }, text)
      t.notMatch(text, /SECRET|root:/)
    }
    t.equal(readFileSync(outside, 'utf8'), 'SECRET')
    t.strictSame(await client.logged(sessionId, 'approval_required'), [], 'nobody is asked about what cannot be')
  })
})

test('a run against the demo model, over the wire and through the whole parser', async (t) => {
  const { baseUrl } = await startDemoModelServer(t)
  const server = await startServer(t, { model: baseUrl, env: { MODEL: 'custom/demo' } })
  const { json: session } = await server.post<{ id: string }>('/sessions', {})
  const stream = await server.stream(`/sessions/${session.id}/messages`, { method: 'POST', body: { content: 'write notes.txt with "three blue herons" then read notes.txt' } })
  const asked = (await stream.until('approval_required')).at(-1)?.data
  t.match(asked, { tool: 'write_file', preview: { paths: ['notes.txt'] } })
  await server.post(`/approvals/${asked.callId}`, { decision: 'approve' })
  const rest = await stream.rest()
  t.match(rest.at(-1), { event: 'run_end', data: { status: 'completed', finishReason: 'stop', steps: 3, text: /three blue herons/ } })
  t.equal(readFileSync(join(server.dataDir, 'workspaces', session.id, 'notes.txt'), 'utf8').trim(), 'three blue herons')
})
