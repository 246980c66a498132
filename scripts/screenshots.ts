/** `npm run screenshots`: the main views of the console into docs/images/, on a server and a scripted model of their own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { launch } from '../test/console/browser.ts'
import { startModelServer } from '../test/support/model-server/model-server.ts'
import { files, openTask, tasks } from './screenshots/story.ts'

const ends: Array<() => Promise<unknown>> = []
const folder = await mkdtemp(path.join(os.tmpdir(), 'ecluse-shots-'))
ends.push(async () => { await rm(folder, { recursive: true, force: true }) })

try {
  const model = await startModelServer({ teardown: (end) => { ends.push(end) } })
  const server = await startServer(model.baseUrl)
  const open = await tellStory(server, model)
  const browser = await launch()
  ends.push(async () => { await browser.close() })
  await mkdir('docs/images', { recursive: true })

  const shoot = async (name: string, options: BrowserContextOptions, see: (page: Page) => Promise<void>): Promise<void> => {
    const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options })
    const page = await context.newPage()
    await page.goto(`${server.url}/#key=${server.key}`)
    await page.getByRole('button', { name: 'New session' }).waitFor()
    await page.evaluate(`location.hash = '/${open}'`)
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor()
    await see(page)
    await page.waitForTimeout(600)
    await page.screenshot({ path: `docs/images/${name}.png` })
    await context.close()
  }
  const wide = { viewport: { width: 1360, height: 850 } }
  const phone = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 1.5, isMobile: true, hasTouch: true }
  const timeline = async (page: Page): Promise<void> => { await page.locator('.call-line').nth(1).click() }
  await shoot('console-light', wide, async () => {})
  await shoot('console-dark', { ...wide, colorScheme: 'dark' }, timeline)
  await shoot('console-phone', phone, async () => {})
  await shoot('console-phone-timeline', { ...phone, colorScheme: 'dark' }, timeline)
} finally {
  for (const end of ends.reverse()) await end()
}

interface Server { readonly url: string, readonly key: string, readonly dataDir: string, post (path: string, body: object): Promise<{ id: string }> }

async function startServer (modelUrl: string): Promise<Server> {
  const dataDir = path.join(folder, 'data')
  const child = spawn(process.execPath, [fileURLToPath(new URL('../src/main.js', import.meta.url))], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir, MODEL: 'custom/atelier-large', MODEL_BASE_URL: modelUrl, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  ends.push(async () => {
    child.kill()
    await once(child, 'exit')
  })
  const [banner] = await once(child.stdout.setEncoding('utf8'), 'data') as [string] // its first write is the banner
  const url = /listens on (\S+)/.exec(banner)?.[1] ?? ''
  const key = (await readFile(path.join(dataDir, 'api-key'), 'utf8')).trim()
  return {
    url,
    key,
    dataDir,
    post: async (at, body) => {
      const answer = await fetch(`${url}${at}`, { method: 'POST', body: JSON.stringify(body), headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'wait=1' } })
      return await answer.json() as { id: string } // a session or a run
    }
  }
}

/** @returns the session to show */
async function tellStory (server: Server, model: Awaited<ReturnType<typeof startModelServer>>): Promise<string> {
  let open = ''
  for (const { title, message, replies } of [...tasks, openTask]) {
    const { id } = await server.post('/sessions', { title })
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(server.dataDir, 'workspaces', id, name)
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, content)
    }
    await model.script(replies, { when: message })
    await server.post(`/sessions/${id}/messages`, { content: message })
    open = id
  }
  return open
}
