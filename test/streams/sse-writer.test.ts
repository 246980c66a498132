import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { test, type Test } from 'tap'
import { request } from 'undici'
import { replayGatherLength } from '../../src/limits.ts'
import { Flusher } from '../../src/streams/flusher.ts'
import { SseWriter } from '../../src/streams/sse-writer.ts'

/** What a client gets of the response that `write` makes, over a real connection. */
async function received (t: Test, write: (writer: SseWriter, raw: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, raw) => {
    write(new SseWriter(raw, { flusher: new Flusher(), bufferBytes: 1_000_000, stalledMs: 10_000 }), raw)
  })
  t.teardown(() => { server.close() })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const { body } = await request(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`)
  return await body.text()
}

test('replayGatherLength: a small replay goes with what follows in its turn, a large one at once', async (t) => {
  for (const length of [replayGatherLength - 1, replayGatherLength]) {
    const page = 'x'.repeat(length)
    const text = await received(t, (writer, raw) => {
      writer.writeAndDrain(page).catch((error: unknown) => { t.error(error) })
      t.equal(raw.headersSent, length >= replayGatherLength, `${length} units: ${raw.headersSent ? 'written' : 'waits'}`)
      writer.write('what follows')
      setImmediate(() => { writer.end() })
    })
    t.equal(text, `${page}what follows`)
  }
})
