/** A session of more than ten thousand events on a real page, and what scrolling it costs. */
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { startModelServer, type ModelServer } from '../support/model-server/model-server.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { openPage } from './browser.ts'
import { callsOf } from './call-counts.ts'
import { openSession } from './console.ts'
import { lastText, writeLongLog } from './long-log.ts'
import { costOf, markFrame, percentile, type Cost } from './main-thread.ts'

const sessionId = 'ses_long'
const frames = 50

export interface LongSession {
  readonly page: Page
  readonly server: TestServer
  readonly model: ModelServer
  readonly events: number
  /** From the address to the last words. */
  readonly shown: Cost<void> & { readonly ms: number }
}

export async function openLongSession (t: Test): Promise<LongSession> {
  const dataDir = t.testdir()
  const events = await writeLongLog(dataDir, sessionId)
  const model = await startModelServer(t)
  const server = await startServer(t, { dataDir, model: model.baseUrl, env: { MODEL_CONTEXT_WINDOW: '10000000' } })
  const { page } = await openPage(t, `${server.url}/#key=${server.key}`)
  await page.getByRole('navigation').getByText('Long').waitFor()
  const began = performance.now()
  const shown = await costOf(page, async () => {
    await openSession(page, sessionId)
    await page.getByText(lastText, { exact: true }).waitFor()
  })
  return { page, server, model, events, shown: { ...shown, ms: performance.now() - began } }
}

/** The two lists: where each scrolls, and a piece of the source of its rows. */
export const lists = [['.talk .scroller', 'message agent`'], ['.side .scroller', 'entry call`']] as const

interface Scrolled { readonly seen: number, readonly inPage: number, readonly height: number, readonly median: number, readonly p95: number }

/** Scrolls by `step` px a frame from `from` on. Counts the rows that come, and how long frames take by the clock. */
const scroll = `(async (selector, from, step) => {
  const element = document.querySelector(selector)
  element.scrollTop = from
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame)
  let seen = 0
  const watch = new MutationObserver((changes) => { for (const { addedNodes } of changes) for (const node of addedNodes) if (node.className === 'row') seen++ })
  watch.observe(element.querySelector('.rows'), { childList: true })
  const gaps = []
  let last = performance.now()
  for (let i = 0; i < ${frames}; i++) {
    element.scrollTop += step
    await new Promise(requestAnimationFrame)
    ${markFrame}
    gaps.push(performance.now() - last)
    last = performance.now()
  }
  watch.disconnect()
  gaps.sort((a, b) => a - b)
  return { seen, inPage: element.querySelectorAll('.row').length, height: element.scrollHeight, median: gaps[${frames * 0.5}], p95: gaps[${frames * 0.96}] }
})`

interface Scroll { readonly from: number, readonly step: number, readonly frameMs: number }

/**
 * Scrolls a list through many rows and holds what it costs against bounds: rows that stay are not rendered again, and a
 * frame takes less than `frameMs` of CPU in 19 of 20 cases.
 */
export async function scrollThrough (t: Test, page: Page, [selector, row]: typeof lists[number], { from, step, frameMs }: Scroll): Promise<void> {
  const cost = await costOf(page, async () => await callsOf(page, async () => await page.evaluate<Scrolled>(`${scroll}('${selector}', ${from}, ${step})`)))
  const { result: { seen, inPage, height, median, p95 }, of } = cost.result
  const frame = percentile(cost.frames, 0.95)
  t.ok(inPage < 60 && height > 50_000, `${selector}, ${step} px a frame: ${inPage} rows are in the page of ${height} px`)
  t.ok(of(row) > 0 && of(row) <= seen + 60, `${seen} rows came, ${of(row)} of the most frequent kind were rendered`)
  t.ok(frame < frameMs, `CPU a frame ${ms(percentile(cost.frames, 0.5))}, 95th ${ms(frame)}; by the clock ${ms(median)}, 95th ${ms(p95)}`)
}

export const ms = (n: number): string => `${n.toFixed(1)} ms`
