import fc from 'fast-check'
import { test } from 'tap'
import { MemoryLog } from './memory-feed.ts'
import { startStreams, until } from './server.ts'
import { idsOf, openSse } from './sse-client.ts'

const happening = fc.record({ events: fc.integer({ min: 0, max: 4 }), run: fc.constantFrom('run_1', 'run_2', null), turns: fc.integer({ min: 0, max: 3 }) })

test('whatever is published while a stream replays and joins, nothing is missed and nothing comes twice', async (t) => {
  let during: () => Promise<void> = async () => {}
  let current = new MemoryLog()
  const relay = { openFeed: () => current.openFeed() }
  // One server for all runs of the property; each has a log of its own.
  const { url } = await startStreams(t, relay as MemoryLog)
  await fc.assert(fc.asyncProperty(
    fc.record({
      before: fc.integer({ min: 0, max: 12 }),
      pageSize: fc.integer({ min: 1, max: 5 }),
      after: fc.integer({ min: 0, max: 12 }),
      run: fc.constantFrom('run_1', undefined),
      script: fc.array(happening, { maxLength: 8 }),
      beside: fc.array(happening, { maxLength: 40 })
    }),
    async ({ before, pageSize, after, run, script, beside }) => {
      const log = new MemoryLog({ pageSize, beforeRead: async () => { await during() } })
      current = log
      const remaining = [...script]
      let begun = () => {}
      const reading = new Promise<void>((resolve) => { begun = resolve })
      const happen = async ({ events, run: ofRun, turns }: typeof script[number]) => {
        for (let i = 0; i < turns; i++) await new Promise((resolve) => { setImmediate(resolve) })
        for (let i = 0; i < events; i++) log.append('files_changed', ofRun)
      }
      during = async () => {
        begun()
        const next = remaining.shift()
        if (next !== undefined) await happen(next)
      }
      for (let i = 0; i < before; i++) log.append('files_changed', i % 2 === 0 ? 'run_1' : null)
      const start = Math.min(after, before)
      // Beside the reads, in turns of its own: also between the last read and the joining.
      const publishing = Promise.race([reading, until(() => log.joins === 1)]).then(async () => {
        for (const next of beside) await happen({ ...next, turns: Math.max(1, next.turns) })
      })
      const client = await openSse(`${url}/events?after=${start}${run === undefined ? '' : `&run=${run}`}`)
      await until(() => log.joins === 1)
      await publishing
      const last = log.append('files_changed', 'run_1')
      await client.read(() => client.events.at(-1)?.id === String(last.seq))
      client.leave()
      const expected = log.events.filter((event) => (event.seq ?? 0) > start && (run === undefined || event.runId === run)).map(({ seq }) => seq)
      t.same(idsOf(client), expected)
      return JSON.stringify(idsOf(client)) === JSON.stringify(expected) && client.events.filter(({ event }) => event === 'snapshot').length === 1
    }
  ), { numRuns: 120 })
})
