import { test } from 'tap'
import type { Run, Session } from '../../src/protocol/resources.ts'
import { eventually } from '../support/eventually.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { startClient, writing, type Client } from './client.ts'

/** Nothing has come of what was sent: the log is that of a session that nobody has written to. */
const untouched = async (client: Client, sessionId: string): Promise<boolean> =>
  (await client.log(sessionId)).length === 1 && (await client.model.requests()).length === 0

const gauge = async ({ server }: Client, name: string): Promise<number> => Number(new RegExp(`^ecluse_${name} (\\S+)$`, 'm').exec((await server.get('/metrics')).text)?.[1])

test('the edge of the real process, on the routes of resources', async (t) => {
  const client = await startClient(t, { env: { MODEL_API_KEY: 'model-SECRET-0123456789', LOG_LEVEL: 'trace' } })
  const { server, model } = client

  await t.test('72 to 75: no key, a foreign host, a foreign origin, a form\'s content type: refused, and nothing is done', async (t) => {
    const sessionId = await client.session()
    const routes: ReadonlyArray<[string, string, object?]> = [
      ['POST', `/sessions/${sessionId}/messages`, { content: 'go' }], ['GET', `/sessions/${sessionId}`], ['GET', `/sessions/${sessionId}/events`],
      ['PATCH', `/sessions/${sessionId}`, { title: 'x' }], ['DELETE', `/sessions/${sessionId}`]
    ]
    for (const [method, path, json] of routes) {
      const ask = async (at: string, options: object) => await server.request(method, at, { ...(json === undefined ? {} : { json }), ...options })
      for (const key of [null, 'wrong-key-wrong-key-wrong']) t.match(await ask(path, { key }), { status: 401, headers: { 'www-authenticate': /^Bearer/ } })
      t.equal((await ask(`${path}?token=${server.key}`, { key: null })).status, 401)
      t.match(await ask(path, { headers: { host: 'evil.example' } }), { status: 421, json: { code: 'host_not_allowed' } })
      const foreign = await ask(path, { headers: { origin: 'http://evil.example', accept: 'text/event-stream, application/json' } })
      t.match(foreign, { status: 403, json: { code: 'origin_not_allowed' } })
      t.equal(foreign.headers['access-control-allow-origin'], undefined)
    }
    for (const type of ['text/plain', 'text/plain; application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const { status } = await server.request('POST', `/sessions/${sessionId}/messages`, { body: '{"content":"go"}', headers: { 'content-type': type } })
      t.equal(status, 415, type)
    }
    t.ok(await untouched(client, sessionId))
  })

  await t.test('76, 77: prototypes and depth, in typed fields and in free ones', async (t) => {
    const sessionId = await client.session([writing('a.txt')])
    const { json: run } = await client.send<Run>(sessionId, 'go')
    const approval = `/approvals/${run.approvals[0]?.callId}`
    const deep = '['.repeat(500_000)
    const bodies = ['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}', '{"\\u005f_proto__":{"admin":true}}', deep, `{"a":${deep}`]
    for (const inner of bodies) {
      for (const [path, field] of [[`/sessions/${sessionId}/messages`, 'content'], [approval, 'arguments'], ['/sessions', 'metadata']] as const) {
        for (const body of [inner, `{"${field}":${inner}}`]) {
          const { status } = await server.request('POST', path, { body, headers: { 'content-type': 'application/json' } })
          t.equal(status, 400, `${path} ${body.slice(0, 40)}`)
        }
      }
    }
    t.equal((await server.get('/health')).status, 200)
    t.equal((await server.get<Run>(`/sessions/${sessionId}/runs/${run.id}`)).json.status, 'awaiting_approval')
  })

  await t.test('79: encoded dots, NUL and broken UTF-8 in paths lead nowhere', async (t) => {
    const sessionId = await client.session()
    for (const id of ['..%2f..%2fetc%2fpasswd', '%00', '%ff', 'ses_%00', `${sessionId}%00`, 'x'.repeat(300)]) {
      for (const path of [`/sessions/${id}`, `/sessions/${id}/events`, `/approvals/${id}`, `/sessions/${sessionId}/runs/${id}`, `/sessions/${sessionId}/files/${id}`]) {
        const answer = await server.get(path)
        t.match(answer, { status: /^(400|404)$/, headers: { 'content-type': /^application\/problem\+json/ } }, path)
        t.notMatch(answer.text, /root:|node_modules/)
      }
    }
  })

  await t.test('82: a client that never reads is dropped, not waited for with all that it missed', async (t) => {
    const chunk = { text: '0123456789', times: 2_000, deltas: 90 } // 1.8 MB
    const sessionId = await client.session(Array.from({ length: 6 }, () => ({ stream_gen: chunk })))
    const stream = await server.stream(`/sessions/${sessionId}/events`)
    await stream.until('snapshot')
    stream.pause()
    for (let n = 0; n < 6; n++) t.equal((await client.send(sessionId, 'talk', { headers: { prefer: 'wait=20' } })).status, 200)
    await eventually(async () => await gauge(client, 'open_streams') === 0)
    t.notOk(stream.items.some(({ event }) => event === 'run_end'), 'what it did not take was not kept for it')
    stream.resume()
    const last = (await stream.rest()).at(-1)
    const back = await server.stream(`/sessions/${sessionId}/events`, { lastEventId: stream.lastEventId ?? '1' })
    const missed = (await back.until('snapshot')).filter(({ id }) => id !== undefined)
    t.equal(Number(missed[0]?.id), Number(stream.lastEventId) + 1, `it goes on after ${last?.event}`)
    t.match(missed.at(-1), { event: 'run_end' })
    await back.close()
  })

  await t.test('83: line breaks in names and errors never forge a line of the log', async (t) => {
    const forged = 'x\n{"level":60,"msg":"forged"}\r\n'
    const sessionId = await client.session([{ tool_calls: [{ id: 'c', name: forged, arguments: { path: forged } }] }, { raw: { status: 500, chunks: [JSON.stringify({ error: { message: forged } })] } }])
    t.equal((await client.send(sessionId, forged)).status, 424)
    const { json: session } = await server.post<Session>('/sessions', { model: `custom/${forged}`, title: forged })
    await model.reset() // the model fails with the name of its own
    t.match(await client.send(session.id, 'go'), { status: 424, json: { detail: /forged/ } })
    await server.get(`/sessions/${encodeURIComponent(forged)}`)
    for (const line of server.stderr().trimEnd().split('\n')) {
      const { level } = JSON.parse(line) as { level: number } // each line is one
      t.ok(level < 60)
    }
  })

  await t.test('84: a body cannot say where the model is, and a redirect of the provider is not followed', async (t) => {
    for (const field of ['baseUrl', 'modelBaseUrl', 'apiKey']) {
      t.match(await server.post<Session>('/sessions', { [field]: 'http://169.254.169.254' }), { status: 400, json: { code: 'invalid_request' } })
    }
    const thief = await startModelServer(t)
    const sessionId = await client.session([301, 302, 307, 308].map((status) => ({ raw: { status, headers: { location: `${thief.baseUrl}/chat/completions` }, chunks: [] } })))
    for (let n = 0; n < 4; n++) {
      t.match(await client.send(sessionId, 'go'), { status: 424, json: { run: { error: { code: 'model_not_an_api', detail: /redirect/ } } } })
    }
    t.strictSame(await thief.requests(), [])
    t.notMatch(server.stderr(), 'model-SECRET-0123456789')
    t.equal((await model.requests())[0]?.headers['authorization'], 'Bearer model-SECRET-0123456789')
  })
})
