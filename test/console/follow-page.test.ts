import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'tap'
import type { Session } from '../../src/protocol/resources.ts'
import { startServer } from '../support/server.ts'
import { needsBrowser, openPage } from './browser.ts'

test('examples/follow.html, served from elsewhere, follows a session and goes on after a restart of the server', needsBrowser, async (t) => {
  const html = await readFile('examples/follow.html')
  const files = createServer((_, response) => { response.setHeader('content-type', 'text/html').end(html) }).listen(0, '127.0.0.1')
  await once(files, 'listening')
  t.teardown(() => { files.close() })
  const origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}` // it listens on a port
  const server = await startServer(t, { env: { CORS_ORIGINS: origin } })
  const { json: session } = await server.post<Session>('/sessions', {})
  const { page, faults } = await openPage(t, `${origin}/follow.html`)
  await page.locator('[name=url]').fill(server.url)
  await page.locator('[name=key]').fill(server.key)
  await page.locator('[name=session]').fill(session.id)
  await page.getByRole('button', { name: 'Follow' }).click()
  await page.getByText('connected', { exact: true }).waitFor()
  await server.post(`/sessions/${session.id}/messages`, { content: 'hello' })
  await page.getByText(/Z run_end/).waitFor()
  t.match(await page.locator('#text').textContent(), /\w+ \w+/, 'the answer')

  await server.restart()
  await page.getByText('connected', { exact: true }).waitFor()
  await server.post(`/sessions/${session.id}/messages`, { content: 'hello again' })
  await page.getByText(/Z run_end/).nth(1).waitFor()
  const { json: { items } } = await server.get<{ items: Array<{ type: string }> }>(`/sessions/${session.id}/events?limit=200`)
  const shown = await page.locator('#events li').allTextContents()
  t.strictSame(shown.map((line) => line.split(' ')[1]), items.map(({ type }) => type), 'each event once, in order')
  t.strictSame(faults, [])
})
