/** The console on a real server, with the demo model or a scripted one. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Test } from 'tap'
import { startModelServer, type ModelServer } from '../support/model-server/model-server.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { Session } from '../../src/protocol/resources.ts'
import { openPage, rootOf, type Seen } from './browser.ts'

export interface ConsoleOptions {
  readonly context?: BrowserContextOptions
  readonly env?: Record<string, string>
  /** Answers from a script instead of the demo. */
  readonly scripted?: boolean
  /** A server of its own, to be killed or to begin empty; else the tests of a file share one. */
  readonly alone?: boolean
  /** Opens a session of this title at once. */
  readonly session?: string
}

export interface OpenConsole extends Seen {
  readonly server: TestServer
  readonly model: ModelServer
  readonly sessionId: string
  /** Types a message and sends it by Enter. */
  say (text: string): Promise<void>
  readonly allow: Locator
  readonly deny: Locator
  readonly decision: Locator
}

export async function openConsole (t: Test, { context = {}, env = {}, scripted = false, alone = false, session }: ConsoleOptions = {}): Promise<OpenConsole> {
  const { model, server } = await (alone ? startBoth(t, scripted, env) : sharedBoth(t, scripted, env))
  if (scripted) await model.reset()
  const created = session === undefined ? null : await server.post<Session>('/sessions', { title: session })
  const sessionId = created?.json.id ?? ''
  const seen = await openPage(t, `${server.url}/#key=${server.key}`, context)
  if (sessionId !== '') await openSession(seen.page, sessionId)
  const { page } = seen
  return {
    ...seen,
    server,
    model,
    sessionId,
    decision: page.locator('.decision'),
    allow: page.getByRole('button', { name: 'Allow', exact: true }),
    deny: page.getByRole('button', { name: 'Deny', exact: true }),
    say: async (text) => {
      const box = page.getByRole('textbox', { name: 'What should be done?' })
      await box.fill(text)
      await box.press('Enter')
    }
  }
}

/** A server and its scripted model, shared by the tests of a file. */
export async function startBothFor (t: Test): Promise<Both> { return await sharedBoth(t, true, {}) }

interface Both { readonly server: TestServer, readonly model: ModelServer }

const shared = new Map<string, Promise<Both>>()

function sharedBoth (t: Test, scripted: boolean, env: Record<string, string>): Promise<Both> {
  const name = JSON.stringify([scripted, env])
  const known = shared.get(name) ?? startBoth(rootOf(t), scripted, env)
  shared.set(name, known)
  return known
}

async function startBoth (t: Test, scripted: boolean, env: Record<string, string>): Promise<Both> {
  const model = await startModelServer(t)
  return { model, server: await startServer(t, { env, ...(scripted ? { model: model.baseUrl } : {}) }) }
}

/** By the address, as a bookmark would. */
export async function openSession (page: Page, sessionId: string): Promise<void> {
  await page.evaluate(`location.hash = '/${sessionId}'`)
  await page.getByRole('textbox', { name: 'What should be done?' }).waitFor()
}

export const call = (id: string, name: string, args: object) => ({ id, name, arguments: args })
