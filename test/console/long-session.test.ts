import { test } from 'tap'
import { needsBrowser } from './browser.ts'
import { lists, ms, openLongSession, scrollThrough } from './long-session.ts'

test('ten thousand events are shown in pieces, and a wheel through them makes the rows that come and no more', needsBrowser, async (t) => {
  const { page, events, shown } = await openLongSession(t)
  t.ok(events > 10_000)
  t.ok(shown.longest < 250, `shown after ${ms(shown.ms)}, of CPU ${ms(shown.total)}; its longest task ${ms(shown.longest)}`)
  for (const list of lists) await scrollThrough(t, page, list, { from: 100_000, step: 150, frameMs: 30 })
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  t.ok(usedSize < 80e6, `${Math.round(usedSize / 1e6)} MB of script objects`)
})
