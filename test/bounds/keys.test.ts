import { join } from 'node:path'
import { mock } from 'node:test'
import Database from 'better-sqlite3'
import { test } from 'tap'
import * as limits from '../../src/limits.ts'
import { KeySweep } from '../../src/agent/key-sweep.ts'
import { Sessions } from '../../src/agent/sessions.ts'
import { openSqliteLog } from '../../src/store/sqlite/open-sqlite-log.ts'
import { caller, eventually, startAgent } from '../support/agent.ts'

test('idempotencyKeyTtlMs, keysPerSweepStep: a key holds for a day, over restarts; then it is unknown, and what is unknown is removed', async (t) => {
  const start = Date.now()
  let now = start
  const clock = { now: () => new Date(now).toISOString() }
  const agents = [await startAgent(t, null, clock)]
  const create = async (key: string) => (await agents.at(-1)?.agent.createSession({}, caller, { key, fingerprint: 'same' }))?.session.id
  const restart = async () => {
    const last = agents.at(-1)
    await last?.close()
    agents.push(await startAgent(t, null, { ...clock, dataDir: last?.dataDir ?? '' }))
  }
  const rows = () => {
    const db = new Database(join(agents[0]?.dataDir ?? '', 'ecluse.db'), { readonly: true })
    try { return db.prepare('SELECT count(*) FROM idempotency').pluck().get() } finally { db.close() }
  }
  const first = await create('k')
  await Promise.all(Array.from({ length: limits.keysPerSweepStep }, (_, n) => create(`other-${n}`)))
  now = start + limits.idempotencyKeyTtlMs - 1_000
  await restart()
  t.equal(await create('k'), first)
  now = start + limits.idempotencyKeyTtlMs + 60_000
  t.not(await create('k'), first)
  await restart()
  await eventually(async () => rows() === 1)
})

test('keySweepMs: so often old keys are removed while the server runs', async (t) => {
  const log = await openSqliteLog({ path: join(t.testdir(), 'ecluse.db') })
  let sweeps = 0
  const counting = Object.create(log, { forgetIdempotent: { value: async () => { sweeps++; return 0 } } })
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => { mock.timers.reset() })
  const sweep = new KeySweep(new Sessions(counting, () => new Date().toISOString()), { warn: () => { t.fail() } })
  sweep.start()
  mock.timers.tick(limits.keySweepMs - 1)
  t.equal(sweeps, 1)
  mock.timers.tick(1)
  t.equal(sweeps, 2)
  await sweep.stop()
  mock.timers.tick(limits.keySweepMs)
  t.equal(sweeps, 2)
  mock.timers.reset()
  await log.close()
})
