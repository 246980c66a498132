import { test } from 'tap'
import { MemoryLog } from './memory-feed.ts'
import { startStreams, until } from './server.ts'
import { idsOf, openSse } from './sse-client.ts'

test('the log is replayed over pages, then comes the snapshot, then what is published', async (t) => {
  const log = new MemoryLog({ pageSize: 3 })
  for (let i = 0; i < 10; i++) log.append()
  const { url } = await startStreams(t, log)
  const client = await openSse(`${url}/events`)
  await client.read(() => client.events.length === 11)
  log.append()
  log.preview('text_delta', 'run_1', { text: 'a' })
  await client.read(() => client.events.length === 13)
  t.same(idsOf(client), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  t.same(client.events.slice(10).map(({ event }) => event), ['snapshot', 'files_changed', 'text_delta'])
  t.equal(client.events[12]?.id, undefined, 'a preview is no cursor')
  client.leave()
  await until(() => log.listeners.size === 0 && log.openFeeds === 0)
})

test('headers arrive on an idle session at once, as proxies need them and with those of hooks', async (t) => {
  const { url } = await startStreams(t, new MemoryLog())
  const client = await openSse(`${url}/events`)
  const { headers } = client.response
  t.match(headers.get('content-type'), /^text\/event-stream/)
  t.match(headers.get('cache-control'), /no-cache.*no-transform/)
  t.equal(headers.get('x-accel-buffering'), 'no')
  t.equal(headers.get('content-length'), null)
  t.equal(headers.get('access-control-allow-origin'), 'https://ui.example')
  t.equal(headers.get('vary'), 'Origin')
  await client.read(() => client.comments.length > 0)
  t.same([client.comments[0], client.retries[0]], ['ecluse', 2000])
  client.leave()
})

test('Last-Event-ID gets exactly what was missed, and wins over ?after=', async (t) => {
  const log = new MemoryLog()
  for (let i = 0; i < 5; i++) log.append()
  const { url } = await startStreams(t, log)
  const client = await openSse(`${url}/events?after=1`, { 'last-event-id': '3' })
  await client.read(() => client.events.length === 3)
  t.same(idsOf(client), [4, 5])
  client.leave()
})

test('?after=latest gets only what comes', async (t) => {
  const log = new MemoryLog()
  log.append()
  const { url } = await startStreams(t, log)
  const client = await openSse(`${url}/events?after=latest`)
  await client.read(() => client.events.length === 1)
  log.append()
  await client.read(() => client.events.length === 2)
  t.same([client.events[0]?.event, ...idsOf(client)], ['snapshot', 2])
  client.leave()
})

for (const cursor of ['7', '-1', 'abc', '1.5', '99999999999999999999']) {
  test(`a cursor that the log does not know (${cursor}) gets a reset, then everything`, async (t) => {
    const log = new MemoryLog()
    log.append()
    log.append()
    const { url } = await startStreams(t, log)
    const client = await openSse(`${url}/events`, { 'last-event-id': cursor })
    await client.read(() => client.events.length === 4)
    t.same(client.events.map(({ event }) => event), ['reset', 'files_changed', 'files_changed', 'snapshot'])
    t.same(idsOf(client), [1, 2])
    t.match(JSON.parse(client.events[0]?.data ?? ''), { type: 'reset', sessionId: 'ses_1', reason: String })
    client.leave()
  })
}

test('?ephemeral=0 leaves previews out and still says when the stream is live', async (t) => {
  const log = new MemoryLog()
  log.snapshot = { outputs: [{ runId: 'run_1', callId: 'call_1', text: 'half', omitted: 0 }] }
  const { url } = await startStreams(t, log)
  const client = await openSse(`${url}/events?ephemeral=0`)
  await client.read(() => client.events.length === 1)
  log.preview('text_delta', 'run_1')
  log.append()
  await client.read(() => client.events.length === 2)
  t.same(client.events.map(({ event }) => event), ['snapshot', 'files_changed'])
  t.same(JSON.parse(client.events[0]?.data ?? '').outputs, [])
  client.leave()
})

test('a run\'s stream has the ids of the log, only its own events, and ends after run_end', async (t) => {
  const log = new MemoryLog({ pageSize: 2 })
  log.append('session_start')
  log.append('user_message', 'run_1')
  log.append('user_message', 'run_2')
  log.snapshot = { message: { runId: 'run_2', messageId: 'msg_2', text: 'x', reasoning: '', calls: [] }, outputs: [{ runId: 'run_1', callId: 'call_1', text: 'y', omitted: 0 }] }
  const { url } = await startStreams(t, log)
  const client = await openSse(`${url}/events?run=run_1`)
  await client.read(() => client.events.length === 2)
  const snapshot = JSON.parse(client.events[1]?.data ?? '')
  t.equal(snapshot.message, undefined, 'another run\'s preview is not shown')
  t.equal(snapshot.outputs.length, 1)
  log.preview('text_delta', 'run_2')
  log.append('run_start', 'run_1')
  log.append('files_changed')
  log.append('run_end', 'run_1')
  log.append('run_start', 'run_2')
  t.ok(await client.read(() => false), 'the stream has ended')
  t.same(idsOf(client), [2, 4, 6])
  t.equal(log.openFeeds, 0)
})

test('the replay of a settled run ends with its run_end, without a snapshot', async (t) => {
  const log = new MemoryLog({ pageSize: 2 })
  for (const type of ['user_message', 'run_start', 'assistant_message', 'run_end']) log.append(type, 'run_1')
  log.append('user_message', 'run_2')
  const { url } = await startStreams(t, log)
  const client = await openSse(`${url}/events?run=run_1`)
  t.ok(await client.read(() => false))
  t.same(idsOf(client), [1, 2, 3, 4])
  t.equal(client.events.at(-1)?.event, 'run_end')
})

test('a stream that ends at a pause ends when the open rounds have been sent, in whichever order that is learned', async (t) => {
  const asks = (round: number) => ({ callId: 'call_1', round })
  for (const early of [true, false]) {
    const log = new MemoryLog()
    log.append('user_message', 'run_1')
    log.append('approval_required', 'run_1', asks(1))
    const { url, opened } = await startStreams(t, log)
    const client = await openSse(`${url}/events?run=run_1`)
    await client.read(() => client.events.length === 3)
    if (early) opened[0]?.endAfter([asks(2)])
    log.append('approval_required', 'run_1', asks(2))
    if (!early) opened[0]?.endAfter([asks(2)])
    t.ok(await client.read(() => false))
    t.same(idsOf(client), [1, 2, 3])
  }
})

test('line separators in data leave escaped, and carriage returns never break the framing', async (t) => {
  const log = new MemoryLog()
  const text = 'a\u2028b\u2029c\u0085d\re\r\nf\n\ng: h\nid: 9'
  log.append('files_changed', null, { text })
  const { url } = await startStreams(t, log)
  const raw = await (await fetch(`${url}/events?run=run_1`, { signal: AbortSignal.timeout(300) })).text().catch(() => '')
  t.equal(raw, '', 'nothing of another run is sent, and the stream stays open')
  const client = await openSse(`${url}/events`)
  await client.read(() => client.events.length === 2)
  t.notMatch(client.events[0]?.data, /[\r\n\u0085\u2028\u2029]/)
  t.equal(JSON.parse(client.events[0]?.data ?? '').text, text)
  t.same(idsOf(client), [1])
  client.leave()
})

test('heartbeatMsDefault: an idle stream gets heartbeats that are no events', async (t) => {
  const { url } = await startStreams(t, new MemoryLog(), { heartbeatMs: 80 })
  const client = await openSse(`${url}/events`)
  await client.read(() => client.comments.length === 4)
  t.same(client.events.map(({ event }) => event), ['snapshot'])
  client.leave()
})

test('two readers of a session get the same events, and one that leaves does not end the other', async (t) => {
  const log = new MemoryLog()
  const { url, streams } = await startStreams(t, log)
  const [one, two] = [await openSse(`${url}/events`), await openSse(`${url}/events`)]
  await Promise.all([one, two].map(async (client) => await client.read(() => client.events.length === 1)))
  t.equal(streams.count, 2)
  log.append()
  await Promise.all([one, two].map(async (client) => await client.read(() => client.events.length === 2)))
  one.leave()
  await until(() => streams.count === 1)
  log.append()
  await two.read(() => two.events.length === 3)
  t.same([idsOf(one), idsOf(two)], [[1], [1, 2]])
  two.leave()
})

test('streamsMax: more streams than allowed are refused before anything happens', async (t) => {
  const log = new MemoryLog()
  const { url, streams } = await startStreams(t, log, { streamsMax: 1 })
  const client = await openSse(`${url}/events`)
  const refused = await fetch(`${url}/events`)
  t.equal(refused.status, 503)
  t.same(await refused.json(), { code: 'too_many_streams' })
  client.leave()
  await until(() => streams.count === 0)
  const again = await openSse(`${url}/events`)
  t.equal(again.response.status, 200)
  again.leave()
})

test('a deleted session ends its streams, live or not yet', async (t) => {
  const log = new MemoryLog()
  const { url } = await startStreams(t, log)
  const client = await openSse(`${url}/events`)
  await client.read(() => client.events.length === 1)
  log.append('session_end')
  t.ok(await client.read(() => false))
  const late = await openSse(`${url}/events`)
  t.ok(await late.read(() => false))
  t.same([client, late].map(({ events }) => events.at(-1)?.event), ['session_end', 'session_end'])
})

test('a feed that is closed ends its streams, also when that comes before they join', async (t) => {
  const log = new MemoryLog()
  const { url } = await startStreams(t, log)
  const client = await openSse(`${url}/events`)
  await client.read(() => client.events.length === 1)
  log.close()
  t.ok(await client.read(() => false))
  const late = await openSse(`${url}/events`)
  t.ok(await late.read(() => false))
  t.same([late.events.length, log.listeners.size, log.openFeeds], [0, 0, 0])
})

test('streamRetryMs: at shutdown every stream is told when to come back and ends; none is opened after it', async (t) => {
  const log = new MemoryLog()
  const { url, streams } = await startStreams(t, log)
  const client = await openSse(`${url}/events`)
  await client.read(() => client.events.length === 1)
  const ended = streams.endAll(1234, 2_000)
  t.ok(await client.read(() => false))
  await ended
  t.equal(client.retries.at(-1), 1234)
  t.equal(streams.count, 0)
  t.equal((await fetch(`${url}/events`)).status, 503)
})
