import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'tap'
import type { EventStream } from '../support/event-stream.ts'
import { eventually } from '../support/eventually.ts'
import { request } from '../support/request.ts'
import { startClient } from './client.ts'

const runIdOf = ({ headers }: EventStream) => String(headers['location']).split('/').at(-1) ?? ''

test('disconnectGraceMsDefault: who leaves stops nothing, unless the message said so and nobody comes back', async (t) => {
  const graceMs = 800
  const client = await startClient(t, { env: { DISCONNECT_GRACE_MS: String(graceMs) } })
  const { server, model } = client
  const held = [{ stream: ['a'], gate_after: 1 }]

  await t.test('a stream is left: the run is cancelled after the grace, and says why', async (t) => {
    const sessionId = await client.session(held)
    const stream = await client.streamed(sessionId, 'go', { body: { cancelOnDisconnect: true } })
    await stream.until('text_delta')
    stream.destroySocket()
    await sleep(graceMs / 2)
    t.match((await client.log(sessionId)).at(-1)?.type, /prompt_set/, 'not at once')
    await eventually(async () => (await client.log(sessionId)).at(-1)?.type === 'run_end')
    t.match(await client.run({ id: runIdOf(stream), sessionId }), { status: 'cancelled', text: 'a' })
    t.match(await client.logged(sessionId, 'cancel_requested'), [{ by: { kind: 'cancel' }, reason: /Nobody followed the run for 0\.8 s/ }])
  })

  await t.test('whoever comes back in time, by a stream or by waiting, keeps it', async (t) => {
    const sessionId = await client.session(held)
    const first = await client.streamed(sessionId, 'go', { body: { cancelOnDisconnect: true } })
    await first.until('text_delta')
    first.destroySocket()
    await sleep(graceMs / 2)
    const second = await server.stream(`${first.headers['location']}/events`)
    await second.until('snapshot')
    await sleep(graceMs + 100)
    await model.release()
    t.match((await second.rest()).at(-1), { event: 'run_end', data: { status: 'completed' } })
  })

  await t.test('a client that waits for JSON and goes is one that leaves', async (t) => {
    const sessionId = await client.session(held)
    await t.rejects(request(`${server.url}/sessions/${sessionId}/messages`, {
      method: 'POST', key: server.key, json: { content: 'go', cancelOnDisconnect: true }, signal: AbortSignal.timeout(200)
    }))
    await eventually(async () => (await client.log(sessionId)).at(-1)?.type === 'run_end')
    t.match((await client.log(sessionId)).at(-1), { type: 'run_end', status: 'cancelled' })
  })

  await t.test('without cancelOnDisconnect the run goes on to its end', async (t) => {
    const sessionId = await client.session(held)
    const stream = await client.streamed(sessionId, 'go')
    await stream.until('text_delta')
    stream.destroySocket()
    await sleep(graceMs + 200)
    await model.release()
    t.match(await client.run({ id: runIdOf(stream), sessionId }, 10), { status: 'completed', text: 'a' })
  })
})
