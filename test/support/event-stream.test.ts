import { test, type Test } from 'tap'
import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { openStream } from './event-stream.ts'

async function startSse (t: Test, onRequest: (response: ServerResponse, headers: Record<string, unknown>) => void) {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    onRequest(response, request.headers)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close() })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`, server } // it listens on a port
}

test('events arrive parsed, with their ids; comments and retry are seen; the end is the end', async (t) => {
  const { url } = await startSse(t, (response, headers) => {
    response.write(`: hello\n\nretry: 500\n\nid: 1\nevent: a\ndata: ${JSON.stringify({ after: headers['last-event-id'], key: headers['authorization'] })}\n\n`)
    response.end('id: 2\nevent: b\ndata: {"text":"é"}\n\nid: 3\nevent: c\ndata: {}\n\n')
  })
  const stream = await openStream(url, { lastEventId: '7', key: 'k' })
  t.strictSame(await stream.until('b'), [{ id: '1', event: 'a', data: { after: '7', key: 'Bearer k' } }, { id: '2', event: 'b', data: { text: 'é' } }])
  t.match(await stream.rest(), [{ event: 'c' }])
  t.equal(await stream.next(), null)
  t.match(stream, { status: 200, retryMs: 500, lastEventId: '3', comments: ['hello'] })
  await stream.close()
})

test('waiting for what does not come fails and tells what came', async (t) => {
  const { url } = await startSse(t, (response) => { response.write('event: a\ndata: {}\n\n') })
  const stream = await openStream(url)
  await t.rejects(stream.until('b', 50), { message: /No event within .* 1 events: a/ })
  await stream.close()
})

test('a destroyed socket is a reset for the server', async (t) => {
  let closed: Promise<unknown> = Promise.resolve()
  const { url } = await startSse(t, (response) => {
    closed = once(response, 'close')
    response.write('event: a\ndata: {}\n\n')
  })
  const stream = await openStream(url)
  const seen = []
  for await (const item of stream) {
    seen.push(item.event)
    stream.destroySocket()
  }
  t.strictSame(seen, ['a'])
  await closed
})
