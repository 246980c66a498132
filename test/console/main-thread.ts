/** What a page's main thread does, in its own CPU time: a busy machine makes frames late, but does not change this. */
import type { Page } from 'playwright-core'

export interface Cost<T> {
  /** What `act` gave. */
  readonly result: T
  /** Tasks of the main thread between two frames: script, style, layout, paint. CPU ms, least first. */
  readonly frames: readonly number[]
  /** The longest single task, CPU ms. */
  readonly longest: number
  /** CPU ms of all together. */
  readonly total: number
}

interface TraceEvent { readonly name: string, readonly pid: number, readonly tid: number, readonly ts: number, readonly tdur?: number }

const categories = ['-*', 'toplevel', 'blink.user_timing']
const mark = 'frame-of-the-test'

/** Runs in the page: marks each frame, so that tasks can be told to belong to one. */
export const markFrame = `performance.mark('${mark}')`

/** What the main thread did while `act` ran. */
export async function costOf<T> (page: Page, act: () => Promise<T>): Promise<Cost<T>> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('a page of no browser')
  await browser.startTracing(page, { categories })
  await page.evaluate(markFrame)
  const result = await act()
  await page.evaluate(markFrame)
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] } // the trace's own format
  const marks = traceEvents.filter(({ name }) => name === mark).sort((a, b) => a.ts - b.ts)
  const [first] = marks
  if (first === undefined) throw new Error('no frame was marked')
  const tasks = traceEvents.filter(({ name, pid, tid, tdur }) => name === 'ThreadControllerImpl::RunTask' && pid === first.pid && tid === first.tid && tdur !== undefined)
  const durations = tasks.filter(({ ts }) => ts >= first.ts).map(({ tdur = 0 }) => tdur / 1_000)
  // A frame begins with the task that its mark lies in.
  const starts = marks.map(({ ts }) => tasks.reduce((begin, task) => task.ts <= ts && task.ts > begin ? task.ts : begin, 0))
  const frames = starts.slice(1, -2).map((from, n) => {
    const to = starts[n + 2] ?? Infinity
    return tasks.reduce((sum, { ts, tdur = 0 }) => ts >= from && ts < to ? sum + tdur / 1_000 : sum, 0)
  })
  return { result, frames: frames.sort((a, b) => a - b), longest: Math.max(0, ...durations), total: durations.reduce((sum, ms) => sum + ms, 0) }
}

/** The value that `share` of the frames stay below. */
export function percentile (frames: readonly number[], share: number): number {
  return frames[Math.min(frames.length - 1, Math.floor(frames.length * share))] ?? 0
}
