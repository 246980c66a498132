import type { Page } from 'playwright-core'
import { test } from 'tap'
import type { Approval, Session } from '../../src/protocol/resources.ts'
import { eventually } from '../support/eventually.ts'
import { needsBrowser } from './browser.ts'
import { openConsole, openSession, type OpenConsole } from './console.ts'

const many = 260

test('more sessions than a page: the list grows by scrolling, the search finds the oldest, a link to it shows its name', needsBrowser, async (t) => {
  const { page, server } = await openConsole(t)
  await page.getByText('No session yet').waitFor()
  const { json: oldest } = await server.post<Session>('/sessions', { title: 'The very first' })
  for (let done = 0; done < many; done += 20) {
    await Promise.all(Array.from({ length: 20 }, async (_, n) => await server.post('/sessions', { title: `Number ${done + n}` })))
  }
  await page.reload()
  const list = page.getByRole('navigation')
  const shown = list.locator('.session')
  await shown.first().waitFor()
  t.equal(await shown.count(), 100)
  t.equal(await list.getByText('The very first').count(), 0)

  // A link to one that no page has brought yet.
  await openSession(page, oldest.id)
  await page.getByRole('heading', { name: 'The very first' }).waitFor()

  let letThrough = (): void => {}
  const held = new Promise<void>((resolve) => { letThrough = resolve })
  await page.route(/\/sessions\?.*cursor=/, async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  await page.getByRole('searchbox').fill('the VERY')
  const looking = list.getByText('Looking through older sessions')
  await looking.waitFor()
  t.equal(await list.getByText('No session matches.').count(), 0, 'it does not say so before it knows')
  letThrough()
  await list.locator('.session .name').getByText('The very first').waitFor()
  t.equal(await shown.count(), 1)
  await looking.waitFor({ state: 'detached' })
  await page.getByRole('searchbox').fill('nothing is called so')
  await list.getByText('No session matches.').waitFor()

  await page.reload()
  await shown.nth(99).waitFor()
  await shown.nth(99).scrollIntoViewIfNeeded()
  await shown.nth(150).waitFor()
  while (await list.getByRole('button', { name: 'Show more' }).count() > 0) {
    await list.getByRole('button', { name: 'Show more' }).click().catch(() => {}) // it may have gone by itself
  }
  t.equal(await shown.count(), many + 1)
  const titles = await shown.locator('.name').allTextContents()
  t.equal(new Set(titles).size, many + 1, 'none twice')

  // The server comes back: what had been fetched is still there, and what is open stays open.
  await openSession(page, oldest.id)
  await page.evaluate("document.querySelector('.sessions .list').scrollTop = 0") // the end, which grows by itself, is out of sight
  await server.kill('SIGKILL')
  await list.getByText('connection is lost').waitFor()
  await server.restart()
  await list.getByText('connection is lost').waitFor({ state: 'detached' })
  await server.request('PATCH', `/sessions/${oldest.id}`, { json: { title: 'Renamed elsewhere' } })
  await page.getByRole('heading', { name: 'Renamed elsewhere' }).waitFor()
  t.equal(await shown.count(), many + 1)
})

test('a session is created with title, model, instructions and mode; what the server refuses is said', needsBrowser, async (t) => {
  const { page, server } = await openConsole(t)
  await page.getByRole('button', { name: 'New session' }).click()
  const dialog = page.getByRole('dialog', { name: 'New session' })
  await dialog.getByLabel('Title').fill('All of it')
  await dialog.getByLabel('Model').fill('nobody/knows')
  await dialog.getByLabel('What it may do').selectOption({ label: 'Read only' })
  await dialog.getByLabel('Instructions').fill('Be brief.')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByRole('alert').waitFor()
  t.match(await dialog.getByRole('alert').textContent(), /The server refuses: .*nobody\/knows/)
  await dialog.getByLabel('Model').fill('demo')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'All of it' }).waitFor()
  const sessionId = /ses_[\w-]+/.exec(page.url())?.[0] ?? ''
  t.match((await server.get<Session>(`/sessions/${sessionId}`)).json, { title: 'All of it', model: /demo/, instructions: 'Be brief.', policy: { mode: 'readOnly' } })
})

/** The browser's own notifications, and whether the page asked to show any: there is no other way to see them. */
const recorder = `
  window.asked = 0
  window.told = []
  const Real = Notification
  window.Notification = class extends Real {
    static async requestPermission () { window.asked++; return await Real.requestPermission() }
    constructor (title, options) {
      super(title, options)
      this.gone = false
      this.addEventListener('close', () => { this.gone = true })
      window.told.push(this)
    }
  }`

interface Told { readonly title: string, readonly body: string }

const toldOn = async (page: Page): Promise<Told[]> => await page.evaluate('told.map(({ title, body }) => ({ title, body }))')
const waitForTold = async (page: Page, count: number): Promise<void> => { await eventually(async () => (await toldOn(page)).length >= count, 20_000) }

async function reopen (t: Parameters<typeof openConsole>[0], options: Parameters<typeof openConsole>[1], permitted: boolean): Promise<OpenConsole> {
  const opened = await openConsole(t, options)
  await opened.context.addInitScript(recorder)
  if (permitted) await opened.context.grantPermissions(['notifications'], { origin: opened.server.url })
  await opened.page.reload() // the key stays with the tab
  await opened.page.getByRole('searchbox').waitFor()
  return opened
}

/** A question in a session of this title. */
async function ask ({ server }: OpenConsole, title: string, file: string): Promise<Session> {
  const { json: session } = await server.post<Session>('/sessions', { title })
  await server.post(`/sessions/${session.id}/messages`, { content: `write ${file} containing "x"` }, { headers: { accept: 'application/json' } })
  return session
}

test('the permission is asked by the bell alone, and without it badge, title and page say what waits', needsBrowser, async (t) => {
  const opened = await reopen(t, { session: 'Here' }, false)
  const { page } = opened
  await ask(opened, 'There', 'a.txt')
  await page.getByText('“There” waits for a decision').waitFor()
  t.equal(await page.locator('.badge').textContent(), '1')
  t.match(await page.title(), /^\(1\) Here/)
  t.strictSame(await page.evaluate('[asked, told.length]'), [0, 0])
  const bell = page.getByRole('button', { name: 'Notify me when a session waits' })
  await bell.click()
  await bell.waitFor({ state: 'detached' }) // a browser without a face says no
  t.equal(await page.evaluate('asked'), 1)
})

test('a notification names the session and what is asked, and a click on it opens the session', needsBrowser, async (t) => {
  const opened = await reopen(t, { session: 'Quiet' }, true)
  const { page, decision, allow, server } = opened
  t.equal(await page.getByRole('button', { name: 'Notify me' }).count(), 0, 'permitted already')
  const session = await ask(opened, 'Loud', 'b.txt')
  await waitForTold(page, 1)
  t.match(await toldOn(page), [{ title: '“Loud” waits for a decision.', body: /^write_file: .*b\.txt/ }])
  await page.evaluate("window.focus = () => { window.focused = true }; told[0].dispatchEvent(new Event('click'))")
  await decision.getByText('b.txt').first().waitFor()
  t.ok(page.url().endsWith(session.id))
  t.equal(await page.evaluate('focused'), true)

  // While this page shows the session nothing more is told of it.
  await page.waitForTimeout(450) // armed
  await allow.click()
  await page.getByText('Done in').waitFor()
  await server.post(`/sessions/${session.id}/messages`, { content: 'write c.txt containing "x"' })
  await decision.getByText('c.txt').first().waitFor()
  t.equal((await toldOn(page)).length, 1)
})

test('also of the open session when the page is behind another; once, however often the page connects; and it goes with the answer', needsBrowser, async (t) => {
  const opened = await reopen(t, { session: 'Behind' }, true)
  const { page, context, server, sessionId } = opened
  const cdp = await context.newCDPSession(page)
  await cdp.send('Emulation.setFocusEmulationEnabled', { enabled: false }) // else every page believes to be in front
  const other = await context.newPage()
  await other.bringToFront()
  t.equal(await page.evaluate('document.hasFocus()'), false)
  await server.post(`/sessions/${sessionId}/messages`, { content: 'write a.txt containing "x"' })
  await waitForTold(page, 1)
  await server.kill('SIGKILL')
  await page.getByText('connection is lost').first().waitFor()
  await server.restart()
  await page.getByText('connection is lost').first().waitFor({ state: 'detached' })
  await ask(opened, 'Later', 'd.txt')
  await waitForTold(page, 2)
  t.match(await toldOn(page), [{ title: /Behind/ }, { title: /Later/ }])
  const { json: { items } } = await server.get<{ items: Approval[] }>(`/approvals?status=pending&sessionId=${sessionId}`)
  await server.post(`/approvals/${items[0]?.callId}`, { decision: 'deny' })
  await eventually(async () => await page.evaluate<boolean>('told[0].gone'), 20_000)
  t.equal(await page.evaluate('told[1].gone'), false)
})
