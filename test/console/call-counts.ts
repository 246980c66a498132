/** How often functions of the page run: the same on every machine, however busy. */
import type { Page } from 'playwright-core'

export interface Calls<T> {
  /** What `act` gave. */
  readonly result: T
  /** Of all functions of the page together. */
  readonly all: number
  /** Of the innermost function that has `text` in its source, as its author wrote it: a class name, say. */
  of (text: string): number
}

/** What ran while `act` did. */
export async function callsOf<T> (page: Page, act: () => Promise<T>): Promise<Calls<T>> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Debugger.enable')
  await cdp.send('Profiler.enable')
  await cdp.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await cdp.send('Profiler.takePreciseCoverage') // from here on
  const result = await act()
  const { result: covered } = await cdp.send('Profiler.takePreciseCoverage')
  const scripts = await Promise.all(covered.filter(({ url }) => url.includes('/assets/')).map(async ({ scriptId, functions }) => ({
    source: (await cdp.send('Debugger.getScriptSource', { scriptId })).scriptSource, functions
  })))
  await cdp.detach()
  const ran = scripts.flatMap(({ source, functions }) => functions.flatMap(({ ranges: [range] }) => range === undefined || range.count === 0
    ? []
    : [{ count: range.count, source: source.slice(range.startOffset, range.endOffset) }]))
  return {
    result,
    all: ran.reduce((sum, { count }) => sum + count, 0),
    of: (text) => ran.filter(({ source }) => source.includes(text)).sort((a, b) => a.source.length - b.source.length)[0]?.count ?? 0
  }
}
