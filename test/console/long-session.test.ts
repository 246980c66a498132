import { test } from 'tap'
import type { Session } from '../../src/protocol/resources.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { startServer } from '../support/server.ts'
import { needsBrowser, openPage } from './browser.ts'

const eventsWanted = 10_000
const callsAStep = 32

/** Frames while the page is scrolled through in steps: the longest time between two, ms, and their number a second. */
const scrollThrough = `(async (selector) => {
  const element = document.querySelector(selector)
  const gaps = []
  let last = performance.now()
  element.scrollTop = 0
  for (let i = 0; i <= 60; i++) {
    element.scrollTop = element.scrollHeight * i / 60
    await new Promise(requestAnimationFrame)
    const now = performance.now()
    gaps.push(now - last)
    last = now
  }
  gaps.sort((a, b) => a - b)
  return { median: gaps[30], p95: gaps[57], rows: element.querySelectorAll('.row').length, height: element.scrollHeight }
})`

test('ten thousand events: only what is in sight is in the page, and it scrolls', needsBrowser, async (t) => {
  const model = await startModelServer(t)
  const server = await startServer(t, { model: model.baseUrl, env: { MAX_STEPS: '10000' } })
  const { json: session } = await server.post<Session>('/sessions', { title: 'Long', limits: { maxSteps: 1_000 } })
  const steps = Math.ceil(eventsWanted / (callsAStep * 2 + 1))
  for (let i = 0; i < steps; i++) {
    const calls = Array.from({ length: callsAStep }, (_, n) => ({ id: `c${i}-${n}`, name: 'read_file', arguments: { path: `no/file-${i}-${n}.txt` } }))
    await model.script([{ text: `Step ${i}: reading **${callsAStep}** files`, tool_calls: calls }])
  }
  await model.script([{ text: 'All read.' }])
  await server.post(`/sessions/${session.id}/messages?until=end`, { content: 'read' })
  const { json: { lastSeq } } = await server.get<Session>(`/sessions/${session.id}`)
  t.comment(`${lastSeq} events`)
  t.ok(lastSeq > eventsWanted * 0.9, `${lastSeq} events`)

  const { page } = await openPage(t, `${server.url}/#key=${server.key}`)
  const began = performance.now()
  await page.evaluate(`location.hash = '/${session.id}'`)
  await page.getByText('All read.').waitFor()
  const shownMs = Math.round(performance.now() - began)
  for (const selector of ['.talk .scroller', '.side .scroller']) {
    const { median, p95, rows, height } = await page.evaluate<Record<'median' | 'p95' | 'rows' | 'height', number>>(`${scrollThrough}('${selector}')`)
    t.ok(rows < 120, `${selector}: ${rows} rows of ${height} px in the page; frames ${Math.round(median)} ms, 95th ${Math.round(p95)} ms; shown after ${shownMs} ms`)
    t.ok(height > 10_000)
  }
})
