import { test, type Test } from 'tap'
import type { Run, Session } from '../../src/protocol/resources.ts'
import type { RecordedRequest, Reply } from '../support/model-server/model-server.ts'
import { call, startClient, writing, type Client } from './client.ts'

/** Tools and messages as they went out, byte for byte, up to the end of the last message. */
function prompt ({ raw }: RecordedRequest): { tools: string, messages: string } {
  const tools = raw.indexOf('"tools":')
  const messages = raw.indexOf('"messages":[')
  if (tools === -1 || messages < tools || !raw.endsWith(']}')) throw new Error(`tools, then messages to the end: ${raw.slice(0, 200)}`)
  return { tools: raw.slice(0, messages), messages: raw.slice(messages, -2) }
}

function checkPrefixes (t: Test, requests: readonly RecordedRequest[]): void {
  for (const [index, request] of requests.entries()) {
    const before = requests[index - 1]
    if (before === undefined) continue
    t.equal(prompt(request).tools, prompt(before).tools, `request ${index + 1}: the same bytes before the messages`)
    t.ok(prompt(request).messages.startsWith(prompt(before).messages), `request ${index + 1} begins with all of request ${index}`)
    t.ok(prompt(request).messages.length > prompt(before).messages.length)
  }
}

async function decideAll (client: Client, run: Run, decision: 'approve' | 'deny'): Promise<Run> {
  for (const { callId } of run.approvals) await client.decide(callId, decision)
  return await client.run(run, 10)
}

test('each request to the model begins with the one before, over steps, turns, decisions and a restart', async (t) => {
  const client = await startClient(t)
  const { server, model } = client
  const first: Reply[] = [
    { text: 'I look. ', reasoning: 'first', tool_calls: [call('x', 'list_dir', {}), call('x', 'read_file', { path: 'none.txt' })] },
    writing('a.txt', 'é\u2028\n'),
    { text: 'Done \u{1F600}.' }
  ]
  const second: Reply[] = [writing('b.txt'), { tool_calls: [call('y', 'no_such_tool', {}), call('z', 'read_file', '{broken')] }, { text: 'All right.' }]
  const third: Reply[] = [{ tool_calls: [call('x', 'read_file', { path: 'a.txt' })] }, writing('c.txt'), { text: 'The end.' }]
  const sessionId = await client.session([...first, ...second, ...third], { instructions: 'Be brief.' })

  const { json: run1 } = await client.send<Run>(sessionId, 'write a')
  t.match(await decideAll(client, run1, 'approve'), { status: 'completed' })
  const { json: run2 } = await client.send<Run>(sessionId, 'write b')
  t.match(await decideAll(client, run2, 'deny'), { status: 'completed' })
  await server.request('PATCH', `/sessions/${sessionId}`, { json: { title: 'renamed', metadata: { a: 'b' }, policy: { rules: [{ tool: 'delete_file', decision: 'deny' }] } } })

  const { json: run3 } = await client.send<Run>(sessionId, 'write c')
  await server.restart({ MAX_STEPS: '99' })
  t.match(await decideAll(client, run3, 'approve'), { status: 'completed', text: 'The end.' })

  const requests = await model.requests()
  t.equal(requests.length, first.length + second.length + third.length)
  checkPrefixes(t, requests)
  t.equal((await client.logged(sessionId, 'prompt_set')).length, 1)
  await client.log(sessionId)
})

test('a run that the server died under goes on with the same bytes', async (t) => {
  const client = await startClient(t)
  const { server, model } = client
  const sessionId = await client.session([{ tool_calls: [call('a', 'list_dir', {})] }, { stream: ['half'], gate_after: 1 }, { text: 'whole' }])
  const run = await client.start(sessionId, 'go')
  await model.waitForRequests(2)
  await server.kill('SIGKILL')
  await server.restart()
  t.match(await client.run(run, 10), { status: 'completed', text: 'whole' })
  const [one, two, again] = await model.requests()
  if (one === undefined || two === undefined || again === undefined) throw new Error('three requests')
  t.equal(again.raw, two.raw)
  checkPrefixes(t, [one, two])
  t.strictSame((await client.logged(sessionId, 'run_start')).map(({ resumed }) => resumed), [false, true])
  t.match((await server.get<Session>(`/sessions/${sessionId}`)).json, { status: 'idle' })
})
