import { once } from 'node:events'
import { test } from 'tap'
import { MemoryLog } from './memory-feed.ts'
import { rawGet, startStreams, until } from './server.ts'
import { idsOf, openSse } from './sse-client.ts'

const tenKilobytes = { text: 'x'.repeat(10_000) }

async function turn (): Promise<void> { await new Promise((resolve) => { setImmediate(resolve) }) }

test('a reader that pauses with 400 kB in flight is slow, not dead: it gets everything', async (t) => {
  const log = new MemoryLog()
  const { port, streams } = await startStreams(t, log, { stalledMs: 10_000 })
  const socket = await rawGet(t, port, '/events')
  await until(() => log.listeners.size === 1)
  for (let i = 0; i < 40; i++) {
    log.append('files_changed', null, tenKilobytes)
    await turn()
  }
  await new Promise((resolve) => { setTimeout(resolve, 1_500) })
  t.equal(streams.count, 1)
  let received = ''
  socket.on('data', (chunk) => { received += chunk.toString() })
  socket.resume()
  await until(() => received.includes('id: 40\n'))
  t.equal(received.match(/^id: /gm)?.length, 40)
})

test('streamBufferBytes: a reader that never reads while 30 MB come is cut, and little was kept for it', async (t) => {
  const log = new MemoryLog()
  const { port, streams } = await startStreams(t, log, { stalledMs: 60_000 })
  const socket = await rawGet(t, port, '/events')
  await until(() => log.listeners.size === 1)
  let sent = 0
  while (streams.count > 0 && sent < 30_000_000) {
    log.append('files_changed', null, tenKilobytes)
    sent += 10_000
    await turn()
  }
  t.equal(streams.count, 0, `cut after ${sent} bytes`)
  // What the two socket buffers of the kernel take is not ours.
  t.ok(sent < 20_000_000, `${sent} bytes were taken`)
  t.same([log.listeners.size, log.openFeeds], [0, 0])
  socket.resume()
  await once(socket, 'close')
})

test('stalledReaderMs: a reader that takes no byte for a while is cut in the middle of a replay', async (t) => {
  const log = new MemoryLog({ pageSize: 200 })
  for (let i = 0; i < 2_000; i++) log.append('files_changed', null, tenKilobytes)
  const { port, streams } = await startStreams(t, log, { stalledMs: 300 })
  await rawGet(t, port, '/events')
  await until(() => streams.count === 1)
  await until(() => streams.count === 0, 3_000)
  t.equal(log.openFeeds, 0)
})

test('an idle stream is not taken for a dead one', async (t) => {
  const log = new MemoryLog()
  const { url } = await startStreams(t, log, { stalledMs: 50, heartbeatMs: 60_000 })
  const client = await openSse(`${url}/events`)
  await client.read(() => client.events.length === 1)
  await new Promise((resolve) => { setTimeout(resolve, 250) })
  log.append()
  await client.read(() => client.events.length === 2)
  t.same(idsOf(client), [1])
  client.leave()
})

test('a long replay reaches a slow reader whole, a page at a time', async (t) => {
  const log = new MemoryLog({ pageSize: 100 })
  for (let i = 0; i < 1_000; i++) log.append('files_changed', null, tenKilobytes)
  const { url } = await startStreams(t, log)
  const client = await openSse(`${url}/events`)
  let reads = 0
  while (client.events.length < 1_001) {
    const before = client.events.length
    await client.read(() => client.events.length > before)
    if (++reads % 20 === 0) await new Promise((resolve) => { setTimeout(resolve, 5) })
  }
  t.same(idsOf(client), Array.from({ length: 1_000 }, (_, i) => i + 1))
  client.leave()
})

test('a connection that is reset while events are written harms nobody else', async (t) => {
  const log = new MemoryLog()
  const { url, port, streams } = await startStreams(t, log)
  const healthy = await openSse(`${url}/events`)
  await healthy.read(() => healthy.events.length === 1)
  const dying = await rawGet(t, port, '/events')
  await until(() => log.listeners.size === 2)
  for (let i = 0; i < 200; i++) {
    if (i === 100) dying.resetAndDestroy()
    log.append('files_changed', null, tenKilobytes)
    await turn()
  }
  await healthy.read(() => healthy.events.length === 201)
  t.same(idsOf(healthy), Array.from({ length: 200 }, (_, i) => i + 1))
  await until(() => streams.count === 1)
  healthy.leave()
})

test('a reader that does not read is cut at shutdown when the grace is over', async (t) => {
  const log = new MemoryLog()
  for (let i = 0; i < 2_000; i++) log.append('files_changed', null, tenKilobytes)
  const { port, streams } = await startStreams(t, log)
  await rawGet(t, port, '/events')
  await until(() => streams.count === 1)
  const begin = Date.now()
  await streams.endAll(2_000, 200)
  t.equal(streams.count, 0)
  t.ok(Date.now() - begin < 2_000)
})

test('an error while the log is read cuts the stream, which can be resumed', async (t) => {
  let reads = 0
  const log = new MemoryLog({
    pageSize: 1,
    async beforeRead () {
      await turn()
      if (++reads === 2) throw new Error('the store is gone')
    }
  })
  for (let i = 0; i < 3; i++) log.append()
  const { url } = await startStreams(t, log)
  const client = await openSse(`${url}/events`)
  await t.rejects(client.read(() => false))
  t.same(idsOf(client), [1])
  const again = await openSse(`${url}/events`, { 'last-event-id': '1' })
  await again.read(() => again.events.length === 3)
  t.same(idsOf(again), [2, 3])
  again.leave()
})
