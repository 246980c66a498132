import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { test } from 'tap'
import type { SessionEvent } from '../../src/protocol/events.ts'
import type { Run } from '../../src/protocol/resources.ts'
import { eventually } from '../support/eventually.ts'
import { needsBrowser } from './browser.ts'
import { call, openConsole } from './console.ts'

const elsewhere = 'ecluse.test' // a name for the loopback address: no secure context

const scripted = { scripted: true, env: { ALLOWED_HOSTS: elsewhere } } // one server for all

test('the copy button puts exactly the code into the clipboard and says so, also over plain HTTP from another host', needsBrowser, async (t) => {
  const code = 'if (a < b) {\n\tsay("é 🌊 `x`")\n}\n\n// end'
  const { page, context, say, model, server } = await openConsole(t, { session: 'Code', ...scripted })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url })
  await model.script([{ text: `Here:\n\n\`\`\`js\n${code}\n\`\`\`\n\nand \`inline\`.` }])
  await say('show it')
  await page.getByText('Done in').waitFor()
  const button = page.locator('.talk .code').getByRole('button')
  t.equal(await button.textContent(), 'Copy')
  await button.click()
  await page.locator('.talk .code').getByRole('status').getByText('Copied').waitFor()
  t.equal(await page.evaluate('navigator.clipboard.readText()'), code)

  await page.evaluate("navigator.clipboard.writeText('')")
  const far = await context.newPage()
  await far.goto(`${server.url.replace('127.0.0.1', elsewhere)}/#key=${server.key}`)
  await far.getByText('Code').click()
  await far.getByText('and inline.').waitFor()
  t.equal(await far.evaluate('typeof navigator.clipboard'), 'undefined', 'the browser offers none there')
  await far.locator('.talk .code').getByRole('button').click()
  await far.locator('.talk .code').getByRole('status').getByText('Copied').waitFor()
  await page.bringToFront()
  t.equal(await page.evaluate('navigator.clipboard.readText()'), code)
})

/** Whether what a jump leads to is marked, in sight of its scroller, and has the focus. */
async function isLedTo (page: Page, selector: string): Promise<boolean> {
  return await page.evaluate<boolean>(`(() => {
    const element = document.querySelector('${selector}[data-marked=true]')
    const frame = element?.closest('.scroller').getBoundingClientRect()
    const { top } = element?.getBoundingClientRect() ?? {}
    return element?.contains(document.activeElement) === true && top >= frame.top - 1 && top < frame.bottom
  })()`)
}

const toTop = async (page: Page): Promise<void> => { await page.evaluate("document.querySelector('.talk .scroller').scrollTop = 0") }

test('from a message to its call and back, however far; a filter by kind; the log as a file', needsBrowser, async (t) => {
  const { page, say, model, server, sessionId } = await openConsole(t, { session: 'Far', ...scripted })
  const steps = 60
  await model.script([
    ...Array.from({ length: steps }, (_, n) => ({ text: `Step ${n}`, tool_calls: [call(`c${n}`, 'list_dir', n === 40 ? { path: 'nowhere' } : { depth: 1 + n % 3, path: '.' })] })),
    { text: 'All seen.' }
  ])
  await server.request('PATCH', `/sessions/${sessionId}`, { json: { limits: { maxSteps: steps + 5 } } })
  await say('look around')
  await page.getByText('All seen.').waitFor()
  await page.getByText('Done in').waitFor()
  const timeline = page.getByRole('complementary', { name: 'Timeline' })

  // To the first call, whose row is not in the page: both columns stand at their end.
  t.equal(await timeline.getByText('Step 1', { exact: true }).count(), 0)
  await toTop(page)
  await page.getByText('Step 0', { exact: true }).waitFor()
  await page.locator('.call-line').first().click()
  const entry = timeline.locator('.entry[data-marked=true]')
  await entry.getByText('Arguments').waitFor()
  await eventually(async () => await isLedTo(page, '.entry'), 10_000)
  await page.keyboard.press('Enter')
  t.equal(await entry.getByText('Arguments').count(), 0, 'keys go on there')
  await page.keyboard.press('Enter')

  // Back to its message, after the conversation has been scrolled to its end.
  await page.locator('.talk').getByRole('button', { name: 'To the end' }).click()
  await page.getByText('All seen.').waitFor()
  t.equal(await page.getByText('Step 0', { exact: true }).count(), 0)
  await entry.getByRole('button', { name: 'Show the message' }).click()
  const message = page.locator('.message[data-marked=true]')
  await message.getByText('Step 0', { exact: true }).waitFor()
  await eventually(async () => await isLedTo(page, '.message'), 10_000)

  await timeline.getByRole('combobox', { name: 'Show' }).selectOption({ label: 'Problems' })
  t.match(await timeline.locator('.entry').allTextContents(), [/list_dir.*nowhere.*failed/])
  const [file] = await Promise.all([page.waitForEvent('download'), timeline.getByRole('button', { name: 'Download as JSON' }).click()])
  const events: SessionEvent[] = []
  for (let after: number | undefined = 0; after !== undefined; after = events.length % 200 === 0 ? events.at(-1)?.seq : undefined) {
    events.push(...(await server.get<{ items: SessionEvent[] }>(`/sessions/${sessionId}/events?limit=200&after=${after}`)).json.items)
  }
  t.strictSame(JSON.parse(await readFile(await file.path(), 'utf8')), events)
  t.equal(file.suggestedFilename(), `${sessionId}-events.json`)

  // A jump out of a filter that hides the call.
  await page.locator('.call-line').first().click()
  await entry.waitFor()
  t.equal(await timeline.getByRole('combobox', { name: 'Show' }).inputValue(), 'all')
})

test('on a phone a jump changes the pane and leads to the place', needsBrowser, async (t) => {
  const { page, say, model } = await openConsole(t, { session: 'Small', ...scripted, context: { viewport: { width: 360, height: 700 }, hasTouch: true, isMobile: true } })
  await model.script([...Array.from({ length: 20 }, (_, n) => ({ text: `Step ${n}`, tool_calls: [call(`c${n}`, 'list_dir', { depth: 1 + n % 3, path: '.' })] })), { text: 'All seen.' }])
  await say('look around')
  await page.getByText('All seen.').waitFor()
  await toTop(page)
  await page.getByText('Step 0', { exact: true }).waitFor()
  await page.locator('.call-line').first().tap()
  const entry = page.locator('.entry[data-marked=true]')
  await entry.getByText('Arguments').waitFor()
  await eventually(async () => await isLedTo(page, '.entry'), 10_000)
  await entry.getByRole('button', { name: 'Show the message' }).tap()
  const message = page.locator('.message[data-marked=true]')
  await message.getByText('Step 0', { exact: true }).waitFor()
  await eventually(async () => await isLedTo(page, '.message'), 10_000)
})

test('a retry and a failure are told in words with what to do; tokens and cost stand at the run and the session', needsBrowser, async (t) => {
  const { page, say, model, server, sessionId } = await openConsole(t, { session: 'Trouble', ...scripted })
  const usage = { prompt_tokens: 1_234, completion_tokens: 56, total_tokens: 1_290, cost: 0.0123 }
  await model.script([
    { raw: { status: 503, headers: { 'content-type': 'application/json', 'retry-after': '1' }, body: '{"error":{"message":"too much to do"}}' } },
    { text: 'At last.', usage, gate: true },
    { raw: { status: 401, headers: { 'content-type': 'application/json' }, body: '{"error":{"message":"no such key"}}' } }
  ])
  await say('go')
  const retry = page.locator('.talk .notice')
  await retry.getByText(/The model call failed \(.*too much to do.*\); attempt 2 follows in [12] s\./).waitFor()
  await model.release()
  await page.getByText('At last.').waitFor()
  const end = page.locator('.run-end')
  await end.waitFor()
  t.equal(await retry.count(), 0)
  t.match(await end.textContent(), /Done in .* · 1 step · 1\.2K in, 56 out · \$0\.0123/)
  await page.locator('.head').getByText('1.2K in, 56 out · $0.0123').waitFor()

  await say('again')
  await retry.getByText('The run failed').waitFor()
  const { json: { items: [failed] } } = await server.get<{ items: Run[] }>(`/sessions/${sessionId}/runs?limit=1`)
  const told = await retry.textContent() ?? ''
  for (const part of [failed?.error?.code, failed?.error?.detail, failed?.error?.suggestion]) t.ok(typeof part === 'string' && told.includes(part), part ?? '')
})
