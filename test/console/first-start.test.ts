import { test } from 'tap'
import { banner } from '../../src/banner.ts'
import { startServer } from '../support/server.ts'
import type { SessionEvent } from '../../src/protocol/events.ts'
import { checkLog } from '../../src/agent/check-log.ts'
import { needsBrowser, openPage } from './browser.ts'

test('from the banner\'s link to an approved write, with the demo model', needsBrowser, async (t) => {
  const server = await startServer(t)
  const text = banner({ version: '1', url: server.url, dataDir: 'data', model: 'demo', capabilities: [], notes: [], key: { from: 'file', file: 'data/api-key', fresh: server.key } })
  const link = /console +(\S+)/.exec(text)?.[1] ?? ''
  const { page, faults, foreign } = await openPage(t, link)
  await page.getByRole('button', { name: 'New session' }).click()
  t.notOk(page.url().includes(server.key), 'the key leaves the address')
  await page.getByRole('button', { name: 'Create' }).click()
  const box = page.getByRole('textbox', { name: 'What should be done?' })
  await box.fill('write hello.txt containing "Hello, river."')
  await box.press('Enter')

  const decision = page.getByRole('dialog', { name: 'The agent wants to use write_file' })
  await decision.getByText('+1', { exact: true }).waitFor()
  t.match(await decision.textContent(), /Create hello\.txt.*Hello, river\./s)
  t.match(await page.title(), /^\(1\) /)
  await page.getByRole('navigation').getByText('waiting for you').waitFor()
  await decision.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.getByText('Done in').waitFor()
  t.equal(await decision.count(), 0)

  await page.locator('.call-line').first().click()
  const timeline = page.getByRole('complementary', { name: 'Timeline' })
  await timeline.getByText('read back and verified').waitFor()
  t.match(await timeline.textContent(), /approved by a key without name/)
  t.match(await page.title(), /^write hello\.txt.* · Écluse$/, 'the session is named after the first message')

  const sessionId = /ses_[\w-]+/.exec(page.url())?.[0] ?? ''
  const { json } = await server.get<{ items: SessionEvent[] }>(`/sessions/${sessionId}/events?limit=200`)
  checkLog(json.items)
  t.strictSame({ faults, foreign }, { faults: [], foreign: [] })
})

test('without a key there is a form, a wrong one is said, the right one opens; it is kept for the tab alone', needsBrowser, async (t) => {
  const server = await startServer(t)
  const { page, context } = await openPage(t, `${server.url}/#key=a-wrong-key-0123456789`)
  await page.getByText('does not know this key').waitFor()
  await page.getByLabel('API key').fill(server.key)
  await page.getByRole('button', { name: 'Enter' }).click()
  await page.getByRole('button', { name: 'New session' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'New session' }).waitFor()
  const other = await context.newPage()
  await other.goto(server.url)
  await other.getByLabel('API key').waitFor()
  t.equal(await other.getByText('does not know this key').count(), 0)
  await page.getByRole('button', { name: 'Forget the key' }).click()
  await page.getByLabel('API key').waitFor()
  t.equal(await page.evaluate('sessionStorage.length'), 0)
})

test('where authentication is off nobody is asked for a key', needsBrowser, async (t) => {
  const server = await startServer(t, { env: { AUTH: 'off' } })
  const { page } = await openPage(t, server.url)
  await page.getByRole('button', { name: 'New session' }).waitFor()
  t.pass()
})

test('sessions are found, renamed, and deleted when that is confirmed', needsBrowser, async (t) => {
  const server = await startServer(t)
  for (const title of ['Alpha', 'Beta']) await server.post('/sessions', { title })
  const { page } = await openPage(t, `${server.url}/#key=${server.key}`)
  const list = page.getByRole('navigation')
  await list.getByText('Alpha').waitFor()
  await page.getByRole('searchbox').fill('bet')
  t.equal(await list.getByText('Alpha').count(), 0)
  await list.getByText('Beta').click()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Title').fill('Gamma, once Beta')
  await page.keyboard.press('Enter')
  await list.getByText('Gamma, once Beta').waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this session?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  t.equal(await list.getByText('Gamma').count(), 1)
  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Choose a session').waitFor()
  t.equal(await list.getByText('Gamma').count(), 0)
})

test('the texts are French for who reads French', needsBrowser, async (t) => {
  const server = await startServer(t)
  const { page } = await openPage(t, `${server.url}/#key=${server.key}`, { locale: 'fr-CA' })
  await page.getByRole('button', { name: 'Nouvelle session' }).waitFor()
  t.equal(await page.locator('html').getAttribute('lang'), 'fr')
})
