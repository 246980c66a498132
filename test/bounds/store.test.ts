import { join } from 'node:path'
import { test } from 'tap'
import * as limits from '../../src/limits.ts'
import { decideFilesChanged } from '../../src/agent/decide-files.ts'
import { decideCreate } from '../../src/agent/decide-session.ts'
import { Sessions } from '../../src/agent/sessions.ts'
import { before, findMatching } from '../../src/store/sqlite/find-matching.ts'
import { openSqliteLog } from '../../src/store/sqlite/open-sqlite-log.ts'
import { appendTo } from '../store/sample.ts'

test('queuedAppendsMax: one append more than may wait for the disk is refused, and those before it are taken', async (t) => {
  const log = await openSqliteLog({ path: join(t.testdir(), 'events.db') })
  const append = async () => await log.append(appendTo('ses_1', 1)) // of a log that is not there: the quickest answer
  const waiting = Array.from({ length: limits.queuedAppendsMax }, append)
  await t.rejects(append(), { code: 'storage_unavailable' })
  t.ok((await Promise.all(waiting)).every(({ status }) => status === 'conflict'))
  t.match(await append(), { status: 'conflict' }, 'there is room again')
  await log.close()
})

test('appendsPerCommitMax: appends that come together are one commit, but for no more than these', async (t) => {
  const path = join(t.testdir(), 'events.db')
  const dying = await openSqliteLog({ path, crashAt: { point: 'after_commit', count: 1, victim: 'writer' } })
  await Promise.allSettled(Array.from({ length: limits.appendsPerCommitMax + 10 }, (_, n) => dying.append(appendTo(`ses_${n}`, 0))))
  await dying.close().catch(() => {})
  const log = await openSqliteLog({ path })
  t.ok(await log.readHead(`ses_${limits.appendsPerCommitMax - 1}`), 'the last of the first commit')
  t.equal(await log.readHead(`ses_${limits.appendsPerCommitMax}`), null)
  await log.close()
})

test('repliesPerTurn: appends that were committed together are told in several turns, so that others have theirs', async (t) => {
  const log = await openSqliteLog({ path: join(t.testdir(), 'events.db') })
  const told: number[] = [0]
  let watching = true
  const turn = (): void => {
    told.push(0)
    if (watching) setImmediate(turn)
  }
  setImmediate(turn)
  const count = 3 * limits.repliesPerTurn
  await Promise.all(Array.from({ length: count }, async (_, n) => {
    await log.append(appendTo(`ses_${n}`, 0))
    told.push((told.pop() ?? 0) + 1)
  }))
  watching = false
  t.equal(told.reduce((sum, n) => sum + n), count)
  t.equal(Math.max(...told), limits.repliesPerTurn)
  await log.close()
})

test('seeksPerSlice: a list whose filters never agree lets others have their turn', async (t) => {
  const ids = (odd: number) => Array.from({ length: limits.seeksPerSlice }, (_, n) => `id_${String(2 * n + odd).padStart(6, '0')}`)
  const seek = (list: readonly string[]) => (id: string) => list.findLast((each) => each <= id) ?? null
  let turns = 0
  const ticking = setInterval(() => { turns++ }, 0)
  setImmediate(() => { turns++ })
  t.same(await findMatching([seek(ids(0)), seek(ids(1))], '\u{10FFFF}', 10), [])
  t.ok(turns > 0)
  t.same(await findMatching([seek(ids(0)), seek(ids(0))], before('id_000003'), 10), ['id_000002', 'id_000000'])
  clearInterval(ticking)
})

test('replayPageEvents, replayPageBytes: what is more than a page is read whole, page by page', async (t) => {
  const log = await openSqliteLog({ path: join(t.testdir(), 'events.db') })
  const sessions = new Sessions(log, () => new Date().toISOString())
  const by = { kind: 'key' } as const
  const settings = { externalId: null, title: null, model: 'demo', instructions: null, policy: { mode: 'ask' as const, rules: [] }, limits: { maxSteps: 1, maxTokens: null, maxCostUsd: null, runTimeoutMs: 1, approvalTimeoutMs: null }, metadata: {} }
  for (const [sessionId, count, paths] of [['ses_many', limits.replayPageEvents + 1, ['a']], ['ses_large', 4, Array.from({ length: 100 }, (_, n) => `${n}${'x'.repeat(limits.replayPageBytes / 250)}`)]] as const) {
    await sessions.with(sessionId, async (live) => {
      await sessions.commit(live, (state) => decideCreate(state, settings, by))
      await sessions.commit(live, (state) => Array.from({ length: count }, () => decideFilesChanged(state, { how: 'put', paths, by })).flat())
    })
    const page = await log.readEvents(sessionId, { after: 0, limit: limits.replayPageEvents, maxBytes: limits.replayPageBytes })
    t.ok(page.length < count + 1, 'one page is not all')
    const seqs = []
    for await (const { seq } of sessions.events(sessionId)) seqs.push(seq)
    t.same(seqs, Array.from({ length: count + 1 }, (_, n) => n + 1))
  }
  await log.close()
})
