import path from 'node:path'
import { test } from 'tap'
import { checkLog } from '../../src/agent/check-log.ts'
import { Sessions } from '../../src/agent/sessions.ts'
import type { EventDraft } from '../../src/agent/state.ts'
import { unknownUsage, type By } from '../../src/protocol/common.ts'
import { openSqliteLog } from '../../src/store/sqlite/open-sqlite-log.ts'
import { startServer } from '../support/server.ts'
import { needsBrowser, openPage } from './browser.ts'

const steps = 156
const callsAStep = 32
const sessionId = 'ses_long'
const runId = 'run_long'
const by: By = { kind: 'key' }
const limits = { maxSteps: 1_000, maxTokens: null, maxCostUsd: null, runTimeoutMs: 60_000, approvalTimeoutMs: null }

/** A run of many steps, each with many calls. */
function * longLog (): Generator<EventDraft[]> {
  yield [{
    type: 'session_start', externalId: null, title: 'Long', model: 'demo', instructions: null, policy: { mode: 'ask', rules: [] }, limits, metadata: {}, createdBy: by, logVersion: 1
  }]
  yield [
    { type: 'user_message', runId, messageId: 'msg_0', content: [{ type: 'text', text: 'read all' }], model: 'demo', limits, onApproval: 'wait', cancelOnDisconnect: false, by },
    { type: 'run_start', runId, messageId: 'msg_0', resumed: false, limits, environment: null }
  ]
  const said = { runId, reasoning: '', usage: unknownUsage, model: 'demo', durationMs: 5 }
  for (let step = 1; step <= steps; step++) {
    const calls = Array.from({ length: callsAStep }, (_, n) => ({ callId: `call_${step}_${n}`, tool: 'read_file', arguments: { path: `folder/file-${step}-${n}.txt` } }))
    yield [
      { ...said, type: 'assistant_message', messageId: `msg_${step}`, text: `Step ${step}: reading **${callsAStep}** files`, calls, finishReason: 'tool_calls' },
      ...calls.flatMap(({ callId, tool }): EventDraft[] => [
        { type: 'tool_call_start', runId, callId, tool, dangerous: false, digest: null, effects: [] },
        { type: 'tool_call_end', runId, callId, tool, ok: true, content: 'some text', diff: null, verified: null, durationMs: 2, truncated: false }
      ])
    ]
  }
  yield [
    { ...said, type: 'assistant_message', messageId: 'msg_end', text: 'All read.', calls: [], finishReason: 'stop' },
    { type: 'run_end', runId, status: 'completed', finishReason: 'stop', text: 'All read.', error: null, usage: unknownUsage, steps: steps + 1, durationMs: 9 }
  ]
}

/** Writes the log by the server's own door. @returns how many events it has */
async function writeLong (dataDir: string): Promise<number> {
  const log = await openSqliteLog({ path: path.join(dataDir, 'ecluse.db') })
  const sessions = new Sessions(log, () => new Date().toISOString())
  await sessions.with(sessionId, async (live) => {
    for (const drafts of longLog()) await sessions.commit(live, () => drafts)
  })
  const events = []
  for await (const event of sessions.events(sessionId)) events.push(event)
  checkLog(events)
  await log.close()
  return events.length
}

/** Frames while the page is scrolled through in steps: the longest time between two, ms, and their number a second. */
const scrollThrough = `(async (selector) => {
  const element = document.querySelector(selector)
  const gaps = []
  let last = performance.now()
  element.scrollTop = 0
  for (let i = 0; i <= 60; i++) {
    element.scrollTop = element.scrollHeight * i / 60
    await new Promise(requestAnimationFrame)
    const now = performance.now()
    gaps.push(now - last)
    last = now
  }
  gaps.sort((a, b) => a - b)
  return { median: gaps[30], p95: gaps[57], rows: element.querySelectorAll('.row').length, height: element.scrollHeight }
})`

test('ten thousand events: only what is in sight is in the page, and it scrolls', needsBrowser, async (t) => {
  const dataDir = t.testdir()
  t.ok(await writeLong(dataDir) > 10_000)
  const server = await startServer(t, { dataDir })
  const { page } = await openPage(t, `${server.url}/#key=${server.key}`)
  const began = performance.now()
  await page.evaluate(`location.hash = '/${sessionId}'`)
  await page.getByText('All read.').waitFor()
  const shownMs = Math.round(performance.now() - began)
  for (const selector of ['.talk .scroller', '.side .scroller']) {
    const { median, p95, rows, height } = await page.evaluate<Record<'median' | 'p95' | 'rows' | 'height', number>>(`${scrollThrough}('${selector}')`)
    t.ok(rows < 120, `${selector}: ${rows} rows of ${height} px in the page; frames ${Math.round(median)} ms, 95th ${Math.round(p95)} ms; shown after ${shownMs} ms`)
    t.ok(height > 10_000)
  }
})
