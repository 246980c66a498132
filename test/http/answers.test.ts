import { test, type Test } from 'tap'
import type { Run } from '../../src/protocol/resources.ts'
import { eventually } from '../support/eventually.ts'
import type { Reply } from '../support/model-server/model-server.ts'
import type { Answer } from '../support/request.ts'
import { startClient, writing, type Client } from './client.ts'

const [json, plain] = ['application/json', 'text/plain'] as const
const broken: Reply = { raw: { status: 500, chunks: ['{"error":{"message":"broken"}}'] } }

/** Each way that a run can go, and how it is brought there. */
const ways = {
  completed: { replies: [{ text: 'fine' }] },
  asks: { replies: [writing('a.txt'), { text: 'written' }] },
  failed: { replies: [broken] },
  cancelled: { replies: [{ text: 'never', gate: true }] }
} as const satisfies Record<string, { replies: readonly Reply[] }>

async function cancelSoon ({ server, model }: Client, sessionId: string): Promise<void> {
  await model.waitForRequests(1)
  await server.post(`/sessions/${sessionId}/cancel`, {})
}

async function approveSoon (client: Client, sessionId: string): Promise<void> {
  let callId: string | undefined
  await eventually(async () => {
    callId = (await client.server.get<{ items: Array<{ callId: string }> }>(`/approvals?status=pending&sessionId=${sessionId}`)).json.items[0]?.callId
    return callId !== undefined
  })
  await client.decide(callId ?? '', 'approve')
}

/** The answer to a message whose run goes that way. */
async function answerOf (client: Client, way: keyof typeof ways, accept: string, options: { query?: string, body?: object, prefer?: string } = {}) {
  const sessionId = await client.session(ways[way].replies)
  const meanwhile = way === 'cancelled' ? cancelSoon(client, sessionId) : options.query === '?until=end' ? approveSoon(client, sessionId) : null
  const headers = { accept, ...(options.prefer === undefined ? {} : { prefer: options.prefer }) }
  const answer = await client.send<Record<string, unknown>>(sessionId, 'go', { ...options, headers })
  await meanwhile
  await client.log(sessionId)
  return { sessionId, answer }
}

function saysWhere (t: Test, { headers }: Answer, sessionId: string): void {
  t.match(headers['location'], new RegExp(`^/sessions/${sessionId}/runs/run_[0-9a-f]+$`))
}

test('the answer to a message, by what is accepted and how the run goes', async (t) => {
  const client = await startClient(t)

  const cells: ReadonlyArray<[keyof typeof ways, string, { query?: string, body?: object, prefer?: string }, object]> = [
    ['completed', json, {}, { status: 200, json: { text: 'fine', run: { status: 'completed' }, usage: { outputTokens: 5 } } }],
    ['asks', json, {}, { status: 202, json: { status: 'awaiting_approval', approvals: [{ tool: 'write_file', status: 'pending' }] } }],
    ['asks', json, { query: '?until=pause' }, { status: 202, json: { status: 'awaiting_approval' } }],
    ['asks', json, { query: '?until=end' }, { status: 200, json: { text: 'written' } }],
    ['failed', json, {}, { status: 424, json: { code: 'run_failed', run: { status: 'failed', error: { code: 'model_overloaded' } } } }],
    ['cancelled', json, {}, { status: 409, json: { code: 'run_cancelled', run: { status: 'cancelled' } } }],
    ['completed', plain, {}, { status: 200, text: /^fine$/, headers: { 'content-type': 'text/plain; charset=utf-8' } }],
    ['asks', plain, {}, { status: 409, json: { code: 'approval_required', run: { approvals: [{ tool: 'write_file' }] } } }],
    ['asks', plain, { query: '?until=end' }, { status: 200, text: /^written$/ }],
    ['failed', plain, {}, { status: 424, json: { code: 'run_failed' }, headers: { 'content-type': /^application\/problem\+json/ } }],
    ['cancelled', plain, {}, { status: 409, json: { code: 'run_cancelled' } }],
    ['asks', json, { body: { onApproval: 'deny' } }, { status: 200, json: { text: 'written', run: { status: 'completed' } } }],
    ['asks', json, { body: { onApproval: 'fail' } }, { status: 424, json: { code: 'run_failed', run: { error: { code: 'approval_required' } } } }],
    ['asks', plain, { body: { onApproval: 'fail' } }, { status: 424, json: { code: 'run_failed', run: { error: { code: 'approval_required' } } } }],
    ['completed', json, { prefer: 'wait=10' }, { status: 200, json: { text: 'fine' }, headers: { 'preference-applied': 'wait=10' } }]
  ]
  for (const [way, accept, options, expected] of cells) {
    await t.test(`${accept}: ${way} ${JSON.stringify(options)}`, async (t) => {
      const { sessionId, answer } = await answerOf(client, way, accept, options)
      t.match(answer, expected)
      saysWhere(t, answer, sessionId)
    })
  }

  await t.test('a stream ends with its run, however that ends', async (t) => {
    for (const way of ['completed', 'failed', 'cancelled'] as const) {
      const sessionId = await client.session(ways[way].replies)
      const stream = await client.streamed(sessionId, 'go')
      if (way === 'cancelled') await cancelSoon(client, sessionId)
      t.match((await stream.rest()).at(-1), { event: 'run_end', data: { status: way } })
      t.equal(stream.status, 200)
    }
  })

  await t.test('a stream stays open when the run asks, or ends there if that is wanted', async (t) => {
    const sessionId = await client.session(ways.asks.replies)
    const open = await client.streamed(sessionId, 'go')
    const asked = (await open.until('approval_required')).at(-1)?.data
    await client.decide(asked.callId, 'approve')
    t.match((await open.rest()).at(-1), { event: 'run_end' })
    const pausing = await client.streamed(await client.session(ways.asks.replies), 'go', { query: '?until=pause' })
    t.match((await pausing.rest()).at(-1), { event: 'approval_required' })
  })

  await t.test('respond-async and a wait that is over: 202 at once, and the run goes on', async (t) => {
    for (const [accept, prefer] of [[json, 'respond-async'], [plain, 'respond-async'], [json, 'wait=1'], [plain, 'wait=0']] as const) {
      const sessionId = await client.session([{ text: 'later', gate: true }])
      const began = performance.now()
      const answer = await client.send<Run>(sessionId, 'go', { headers: { accept, prefer } })
      const took = performance.now() - began
      t.match(answer, { status: 202, headers: { 'preference-applied': prefer } })
      t.ok(prefer === 'wait=1' ? took >= 990 && took < 3_000 : took < 900, `${prefer} took ${took.toFixed(0)} ms`)
      if (accept === json) t.match(answer.json, { id: /^run_/, status: /^(queued|running)$/ })
      else t.equal(answer.text, '', 'nothing that a script could take for the answer')
      saysWhere(t, answer, sessionId)
      await client.model.waitForRequests(1)
      await client.model.release()
      const run = (await client.server.get<Run>(String(answer.headers['location']), { headers: { prefer: 'wait=10' } })).json
      t.match(run, { status: 'completed', text: 'later' })
    }
  })

  await t.test('what nobody can give is refused before anything is stored', async (t) => {
    const sessionId = await client.session([{ text: 'never' }])
    for (const accept of ['image/png', 'application/xml, text/html;q=0.9', 'application/json;q=0, text/csv']) {
      t.match(await client.send(sessionId, 'go', { headers: { accept } }), { status: 406, json: { code: 'not_acceptable', suggestion: null } })
    }
    t.strictSame((await client.log(sessionId)).map(({ type }) => type), ['session_start'])
    t.equal((await client.model.requests()).length, 0)
  })

  await t.test('a tie, anything, or nothing said is JSON; the better quality wins', async (t) => {
    const wanted: ReadonlyArray<[string, RegExp]> = [
      ['*/*', /^application\/json/], ['text/event-stream, application/json', /^application\/json/], ['text/*', /^text\/plain/],
      ['application/json;q=0.5, text/plain', /^text\/plain/], ['text/plain;q=0.2, text/event-stream;q=0.3', /^text\/event-stream/]
    ]
    for (const [accept, type] of wanted) {
      const answer = await client.send(await client.session([{ text: 'fine' }]), 'go', { headers: { accept } })
      t.match(answer.headers['content-type'], type, accept)
    }
  })

  await t.test('plain text is the whole answer or no answer, and cannot drive a terminal', async (t) => {
    const sessionId = await client.session([{ text: 'red\u001b[31m\ttab\r\nline\u0007\u009b' }, { text: 'so far', tool_calls: [{ id: 'c', name: 'list_dir', arguments: {} }] }])
    t.equal((await client.send(sessionId, 'go', { headers: { accept: plain } })).text, 'red[31m\ttab\nline')
    const cut = await client.send(sessionId, 'go', { headers: { accept: plain }, body: { limits: { maxSteps: 1 } } })
    t.match(cut, { status: 424, json: { code: 'run_failed', text: 'so far', run: { status: 'completed', finishReason: 'max_steps' } } })
  })
})
