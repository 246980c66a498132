import type { test as tapTest } from 'tap'
import type { JsonObject } from '../../src/protocol/common.ts'
import type { SessionEventType } from '../../src/protocol/events.ts'
import type { StoredEvent } from '../../src/store/event-log.ts'
import { anEvent, appendTo } from './sample.ts'
import type { MakeStore } from './suite.ts'

const unbounded = { limit: 10_000, maxBytes: 64 << 20 }
const seqs = (events: StoredEvent[]) => events.map(({ seq }) => seq)

export function readSuite (test: typeof tapTest, makeStore: MakeStore): void {
  test('events are read after a seq, up to a count or to a size', async (t) => {
    const log = await (await makeStore(t)).open()
    await log.append(appendTo('ses_0', 0, { count: 5 }))
    await log.append(appendTo('ses_1', 0, { events: [1, 2, 3, 4, 5].map((seq) => anEvent('ses_1', seq, { json: 'x'.repeat(100) })) }))
    await log.append(appendTo('ses_2', 0, { count: 5 }))
    const read = async (options: object) => seqs(await log.readEvents('ses_1', { after: 0, ...unbounded, ...options }))
    t.same(await read({}), [1, 2, 3, 4, 5])
    t.same(await read({ after: 3 }), [4, 5])
    t.same(await read({ after: 5 }), [])
    t.same(await read({ after: 99 }), [])
    t.same(await read({ after: 1, limit: 2 }), [2, 3])
    t.same(await read({ maxBytes: 199 }), [1, 2], 'the event that passes the size is the last')
    t.same(await read({ maxBytes: 1 }), [1], 'one event always fits: a reader gets on')
  })

  test('scannedEventsPerSlice: events of some types or of one run are found in a long log', async (t) => {
    const log = await (await makeStore(t)).open()
    const type = (seq: number): SessionEventType => seq % 1_000 === 1 ? 'user_message' : seq % 1_000 === 2 ? 'run_end' : 'tool_call_end'
    const runId = (seq: number) => seq < 1_500 ? 'run_1' : seq < 2_000 ? null : seq % 2 === 0 ? 'run_2' : 'run_3'
    for (let seq = 0; seq < 3_500; seq += 500) {
      const events = Array.from({ length: 500 }, (_, i) => anEvent('ses_1', seq + 1 + i, { type: type(seq + 1 + i), runId: runId(seq + 1 + i) }))
      const named = new Set(events.flatMap((event) => event.runId ?? []))
      const runs = [...named].map((run) => ({ runId: run, sessionId: 'ses_1', status: seq === 1_000 ? 'completed' : 'running', summary: '{}' }) as const)
      await log.append(appendTo('ses_1', seq, { events, runs }))
    }
    const all = Array.from({ length: 3_500 }, (_, i) => i + 1)
    const read = async (options: object) => seqs(await log.readEvents('ses_1', { after: 0, ...unbounded, ...options }))
    t.same(await read({ types: ['user_message'] }), [1, 1_001, 2_001, 3_001])
    t.same(await read({ types: ['user_message', 'run_end'], after: 1, limit: 4 }), [2, 1_001, 1_002, 2_001])
    t.same(await read({ types: ['compaction'] }), [])
    t.same(await read({ runId: 'run_1' }), all.filter((seq) => runId(seq) === 'run_1'))
    t.same(await read({ runId: 'run_3' }), all.filter((seq) => runId(seq) === 'run_3'))
    t.same(await read({ runId: 'run_2', types: ['run_end'] }), [2_002, 3_002])
    t.same(await read({ runId: 'run_2', after: 3_490 }), [3_492, 3_494, 3_496, 3_498, 3_500])
    t.same(await read({ runId: 'run_9' }), [])
  })

  test('events of older versions are read in the current shape', async (t) => {
    const store = await makeStore(t)
    const old = await store.open({ logVersion: 1 })
    await old.append(appendTo('ses_1', 0, { events: [anEvent('ses_1', 1, { json: '{"type":"files_changed","path":"a"}', private: 'p' }), anEvent('ses_1', 2)] }))
    await old.close()

    const upcasters = {
      1: ({ path, ...event }: JsonObject): JsonObject => path === undefined ? event : { ...event, paths: [path] },
      3: (event: JsonObject): JsonObject => ({ ...event, type: 'session_update' })
    }
    const log = await store.open({ logVersion: 4, upcasters })
    await log.append(appendTo('ses_1', 2, { events: [anEvent('ses_1', 3, { json: '{"type":"files_changed","path":"kept"}' })] }))
    const [first, second, third] = await log.readEvents('ses_1', { after: 0, ...unbounded })
    t.same(first, { seq: 1, type: 'session_update', runId: null, json: '{"type":"session_update","paths":["a"]}', private: 'p' })
    t.match(second, { seq: 2, type: 'session_update' })
    t.match(third, { seq: 3, type: 'files_changed', json: '{"type":"files_changed","path":"kept"}' }, 'it is of the current version')
    t.same(await log.readEvent('ses_1', 1), first)
    t.same(seqs(await log.readEvents('ses_1', { after: 0, ...unbounded, types: ['session_update'] })), [1, 2], 'by the type they have now')
    t.same(seqs(await log.readEvents('ses_1', { after: 0, ...unbounded, types: ['files_changed'] })), [3])
  })

  test('a log that a newer server has written to is read, and not written', async (t) => {
    const store = await makeStore(t)
    const newer = await store.open({ logVersion: 7 })
    await newer.append(appendTo('ses_1', 0, { events: [anEvent('ses_1', 1, { json: '{"new":true}' })] }))
    await newer.close()

    const log = await store.open({ logVersion: 6 })
    t.match(await log.readEvents('ses_1', { after: 0, ...unbounded }), [{ seq: 1, json: '{"new":true}' }])
    const results = await Promise.allSettled([
      log.append(appendTo('ses_2', 0)), log.append(appendTo('ses_1', 1)), log.append(appendTo('ses_2', 1))
    ])
    t.match(results, [{ status: 'fulfilled' }, { status: 'rejected', reason: { name: 'StoreError', code: 'log_newer' } }, { status: 'fulfilled' }])
    t.match(await log.readHead('ses_1'), { seq: 1 })
    t.match(await log.readHead('ses_2'), { seq: 2 })
  })
}
