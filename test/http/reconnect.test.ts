import { test } from 'tap'
import type { EventStream, StreamItem } from '../support/event-stream.ts'
import { call, startClient, writing, type Client } from './client.ts'

const ids = (items: readonly StreamItem[]) => items.flatMap(({ id }) => id === undefined ? [] : [Number(id)])
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Comes back to the run as an EventSource does: at the address in `Location`, with the last id that it saw. */
async function comeBack ({ server }: Client, stream: EventStream): Promise<EventStream> {
  const { lastEventId } = stream
  await stream.close()
  return await server.stream(`${stream.headers['location']}/events`, lastEventId === undefined ? {} : { lastEventId })
}

test('a client that comes back with Last-Event-ID misses nothing and gets nothing twice', async (t) => {
  const client = await startClient(t)
  const { server, model } = client

  await t.test('in the middle of text: the snapshot has what was generated so far', async (t) => {
    const sessionId = await client.session([{ stream: ['one ', 'two ', 'three ', 'four'], gate_after: 2 }])
    const first = await client.streamed(sessionId, 'go')
    await first.until(({ data }) => data.type === 'text_delta' && data.text.endsWith('two '))
    const second = await comeBack(client, first)
    const [snapshot] = await second.until('snapshot')
    t.match(snapshot?.data.message, { text: 'one two ' })
    await model.release()
    const rest = await second.rest()
    const more = rest.filter(({ event }) => event === 'text_delta')
    t.equal(more[0]?.data.offset, 'one two '.length)
    t.equal(more.map(({ data }) => data.text).join(''), 'three four')
    t.match(rest.find(({ event }) => event === 'assistant_message'), { data: { messageId: snapshot?.data.message.messageId, text: 'one two three four' } })
    const seen = [...ids(first.items), ...ids(second.items)]
    t.strictSame(seen, upTo(seen.length + 1, 2), 'the run begins after session_start')
  })

  await t.test('in the middle of the arguments of a call', async (t) => {
    const sessionId = await client.session([{ tool_calls: [call('c1', 'list_dir', { path: '.' })], gate_after: 1 }, { text: 'listed' }])
    const first = await client.streamed(sessionId, 'go')
    await first.until('tool_call_delta')
    const second = await comeBack(client, first)
    t.match((await second.until('snapshot')).at(-1)?.data.message, { calls: [{ index: 0, tool: 'list_dir', arguments: '{"path":"."}' }] })
    await model.release()
    t.match((await second.rest()).at(-1), { event: 'run_end', data: { text: 'listed' } })
    const seen = [...ids(first.items), ...ids(second.items)]
    t.strictSame(seen, upTo(seen.length + 1, 2))
  })

  await t.test('while a call waits for its approval, and over a restart of the server', async (t) => {
    const sessionId = await client.session([writing('a.txt'), { text: 'written' }])
    const first = await client.streamed(sessionId, 'go')
    const asked = (await first.until('approval_required')).at(-1)?.data
    const location = String(first.headers['location'])
    const { lastEventId = '' } = first
    await server.restart()
    const second = await server.stream(`${location}/events`, { lastEventId })
    t.strictSame((await second.until('snapshot')).length, 1, 'nothing was missed')
    await client.decide(asked.callId, 'approve')
    t.match((await second.rest()).at(-1), { event: 'run_end', data: { text: 'written' } })
    const seen = [...ids(first.items), ...ids(second.items)]
    t.strictSame(seen, upTo(seen.length + 1, 2))
    await client.log(sessionId)
  })

  await t.test('after the end: the run has nothing more, its session waits for what comes', async (t) => {
    const sessionId = await client.session([{ text: 'one' }, { text: 'two' }])
    const first = await client.streamed(sessionId, 'go')
    await first.rest()
    const second = await comeBack(client, first)
    t.match({ status: second.status, text: second.text }, { status: 204, text: '' })
    const session = await server.stream(`/sessions/${sessionId}/events`, { lastEventId: first.lastEventId ?? '' })
    t.match((await session.until('snapshot')).map(({ event }) => event), ['snapshot'])
    await client.send(sessionId, 'more')
    t.match((await session.until('run_end')).at(-1), { data: { text: 'two' } })
    const seen = [...ids(first.items), ...ids(session.items)]
    t.strictSame(seen, upTo(seen.length + 1, 2))
  })

  await t.test('a cursor that the log does not know: reset, then everything', async (t) => {
    const sessionId = await client.session([{ text: 'one' }])
    await client.send(sessionId, 'go')
    const { length } = await client.log(sessionId)
    for (const lastEventId of ['99999', 'garbage', '-1']) {
      const stream = await server.stream(`/sessions/${sessionId}/events`, { lastEventId })
      const items = await stream.until('snapshot')
      t.equal(items[0]?.event, 'reset', lastEventId)
      t.strictSame(ids(items), upTo(length))
      await stream.close()
    }
  })

  await t.test('without previews: every event of the log, and nothing else but the snapshot', async (t) => {
    const sessionId = await client.session([{ stream: ['a', 'b'], reasoning: 'hm' }])
    const stream = await client.streamed(sessionId, 'go', { query: '?ephemeral=0' })
    const items = await stream.rest()
    t.strictSame(items.filter(({ id }) => id === undefined).map(({ event }) => event), ['snapshot'])
    t.strictSame(items.filter(({ id }) => id !== undefined).map(({ data }) => data), (await client.log(sessionId)).slice(1), 'the same objects as in the log')
  })
})
