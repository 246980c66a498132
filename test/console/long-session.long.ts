import type { Page } from 'playwright-core'
import { test } from 'tap'
import type { Session } from '../../src/protocol/resources.ts'
import type { ModelServer } from '../support/model-server/model-server.ts'
import { needsBrowser } from './browser.ts'
import { callsOf } from './call-counts.ts'
import { openSession } from './console.ts'
import { lists, ms, openLongSession, scrollThrough } from './long-session.ts'
import { costOf } from './main-thread.ts'

/** What a delta costs while an answer is streamed into the session that is open. */
async function streamInto (page: Page, model: ModelServer): Promise<{ calls: number, cpu: number, entries: number }> {
  const deltas = 50
  await model.script([{ stream: [...Array.from({ length: deltas }, () => 'on '), 'and on.', ' End.'], delayMs: 20, gate_after: 1 }])
  const box = page.getByRole('textbox', { name: 'What should be done?' })
  await box.fill('go on')
  await box.press('Enter')
  await page.locator('.live').getByText('on', { exact: true }).waitFor()
  await page.waitForTimeout(200) // what the message itself brought has been drawn
  const { total, result: { all, of } } = await costOf(page, async () => await callsOf(page, async () => {
    await model.release()
    await page.locator('.talk').getByText('and on. End.').waitFor()
  }))
  await page.getByText('Done in').last().waitFor()
  return { calls: Math.round(all / deltas), cpu: total / deltas, entries: of('entry call`') }
}

test('a session of ten thousand events follows the scroll bar, and takes in a delta as quickly as one that has just begun', needsBrowser, async (t) => {
  const { page, server, model } = await openLongSession(t)
  for (const list of lists) await scrollThrough(t, page, list, { from: 0, step: 3_500, frameMs: 60 })
  for (const part of ['.talk', '.side']) await page.locator(part).getByRole('button', { name: 'To the end' }).click()
  const long = await streamInto(page, model)
  const { json: short } = await server.post<Session>('/sessions', { title: 'Short' })
  await openSession(page, short.id)
  const little = await streamInto(page, model)
  t.ok(long.calls < little.calls + 4_000, `${long.calls} function calls a delta, in a session that has just begun ${little.calls}; CPU ${ms(long.cpu)} and ${ms(little.cpu)}`)
  t.ok(long.entries < 60, `${long.entries} entries of the timeline were rendered in all`)
})
