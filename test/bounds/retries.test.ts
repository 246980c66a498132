import { mock } from 'node:test'
import { test } from 'tap'
import * as limits from '../../src/limits.ts'
import { decideCreate } from '../../src/agent/decide-session.ts'
import { Expiry } from '../../src/agent/expiry.ts'
import { Sessions } from '../../src/agent/sessions.ts'
import { logWith } from './log-with.ts'

const now = () => '2026-01-01T00:00:00.000Z'
const turns = async () => { for (let n = 0; n < 20; n++) await new Promise(setImmediate) }

test('conflictsMax: an append that always comes too late is given up', async (t) => {
  let tries = 0
  const log = await logWith(t, { append: async () => { tries++; return { status: 'conflict' } } })
  const sessions = new Sessions(log, now)
  const settings = { externalId: null, title: null, model: 'demo', instructions: null, policy: { mode: 'ask' as const, rules: [] }, limits: { maxSteps: 1, maxTokens: null, maxCostUsd: null, runTimeoutMs: 1, approvalTimeoutMs: null }, metadata: {} }
  await t.rejects(sessions.with('ses_1', (live) => sessions.commit(live, (state) => decideCreate(state, settings, { kind: 'key' }))), { code: 'internal' })
  t.equal(tries, limits.conflictsMax)
})

test('expiredPerStep, expiryRetryMs: expiries are taken up so many at a time, and again after the store has refused', async (t) => {
  const asked: number[] = []
  const log = await logWith(t, {
    listExpired: async (_now, limit) => {
      asked.push(limit)
      if (asked.length === 1) throw new Error('the store refuses')
      return []
    }
  })
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => { mock.timers.reset() })
  const expiry = new Expiry(new Sessions(log, now), { error: () => {} })
  await expiry.start()
  mock.timers.tick(limits.expiryRetryMs - 1)
  t.same(asked, [limits.expiredPerStep])
  mock.timers.tick(1)
  t.same(asked, [limits.expiredPerStep, limits.expiredPerStep])
  expiry.stop()
  await turns()
})
