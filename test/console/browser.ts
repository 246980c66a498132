/** A real Chromium, for tests that see the console as a person does. */
import { existsSync } from 'node:fs'
import process from 'node:process'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import type { Test } from 'tap'

const executable = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'

/** What `test` takes as options: without a browser the test is skipped, and says so. */
export const needsBrowser = existsSync(executable) ? {} : { skip: `no Chromium at ${executable}: set CHROMIUM_PATH` }

export async function launch (): Promise<Browser> {
  return await chromium.launch({ executablePath: executable, args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-extensions', '--disable-background-networking', '--host-resolver-rules=MAP ecluse.test 127.0.0.1'] })
}

let browser: Promise<Browser> | null = null

/** One browser for all the tests of a file; each gets a context of its own. */
async function sharedBrowser (t: Test): Promise<Browser> {
  if (browser === null) {
    browser = launch()
    const opened = browser
    rootOf(t).teardown(async () => { await (await opened).close() })
  }
  return await browser
}

/** The file's own test: what it tears down goes last. */
export function rootOf (t: Test): Test {
  let at: Test = t
  while (at.parent !== undefined) at = at.parent as Test // tap types it as its base class
  return at
}

export interface Seen {
  readonly page: Page
  readonly context: BrowserContext
  /** What the page said on its console as an error, threw, or was refused by its policy. */
  readonly faults: string[]
  /** Addresses outside of the server that the page asked for. */
  readonly foreign: string[]
  /** Those of them that the page's policy did not stop. */
  readonly left: string[]
}

/** A page of its own for a test. What goes wrong in it is kept, and what it asks of others. */
export async function openPage (t: Test, url: string, options: BrowserContextOptions = {}): Promise<Seen> {
  const context = await (await sharedBrowser(t)).newContext({ locale: 'en-GB', ...options })
  t.teardown(async () => { await context.close() })
  context.setDefaultTimeout(20_000) // a busy machine is no fault of the page
  const page = await context.newPage()
  const faults: string[] = []
  const foreign: string[] = []
  const left: string[] = []
  page.on('pageerror', (error) => { faults.push(String(error)) })
  page.on('console', (message) => { if (message.type() === 'error' && !/Failed to load resource|ERR_/.test(message.text())) faults.push(message.text()) })
  const ours = (address: string): boolean => address.startsWith(new URL(url).origin) || /^(blob|data):/.test(address)
  page.on('request', (request) => { if (!ours(request.url())) foreign.push(request.url()) })
  page.on('requestfinished', (request) => { if (!ours(request.url())) left.push(request.url()) })
  page.on('requestfailed', (request) => { if (!ours(request.url()) && !/csp/i.test(request.failure()?.errorText ?? '')) left.push(request.url()) })
  await page.goto(url)
  return { page, context, faults, foreign, left }
}
