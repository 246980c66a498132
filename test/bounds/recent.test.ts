import { test } from 'tap'
import type { Committed } from '../../src/agent/committed.ts'
import { RecentEvents } from '../../src/agent/recent-events.ts'
import { recentEventsLength, recentEventsMax } from '../../src/limits.ts'
import type { SessionEvent } from '../../src/protocol/events.ts'

const at = '2026-01-01T00:00:00.000Z'

function committed (seq: number, length: number): Committed {
  const event: SessionEvent = { type: 'session_end', seq, at, sessionId: 'ses_1', by: { kind: 'key' } }
  return { event, json: 'x'.repeat(length), private: null, bytes: length }
}

const seqs = (events: readonly Committed[] | null) => events?.map(({ event }) => event.seq) ?? null

test('recent events are all after a place, or none', async (t) => {
  const recent = new RecentEvents()
  t.equal(recent.after(0), null, 'nothing is known yet')
  for (const seq of [4, 5, 6]) recent.add(committed(seq, 1))
  t.same(seqs(recent.after(3)), [4, 5, 6])
  t.same(seqs(recent.after(5)), [6])
  t.same(seqs(recent.after(6)), [])
  t.equal(recent.after(2), null, 'the third is in the log only')
  recent.clear()
  t.equal(recent.after(5), null)
})

test('recentEventsMax: the oldest go, and who wants them reads the log', async (t) => {
  const recent = new RecentEvents()
  for (let seq = 1; seq <= recentEventsMax + 1; seq++) recent.add(committed(seq, 1))
  t.equal(recent.after(0), null)
  t.equal(recent.after(1)?.length, recentEventsMax)
})

test('recentEventsLength: a large event drives out the small ones, and itself if it is larger', async (t) => {
  const recent = new RecentEvents()
  recent.add(committed(1, 10))
  recent.add(committed(2, recentEventsLength))
  t.equal(recent.after(0), null)
  t.same(seqs(recent.after(1)), [2])
  recent.add(committed(3, recentEventsLength + 1))
  t.equal(recent.after(2), null)
})
