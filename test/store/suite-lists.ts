import type { test as tapTest } from 'tap'
import type { ApprovalFilter, ApprovalRow, EventLog, HeadRow, ListOptions, Page, RunRow, SessionFilter } from '../../src/store/event-log.ts'
import type { ApprovalStatus } from '../../src/protocol/resources.ts'
import type { RunStatus } from '../../src/protocol/events.ts'
import { appendTo } from './sample.ts'
import type { MakeStore } from './suite.ts'

const teams = [null, 'blue']
const statuses = ['idle', 'running', 'awaiting_approval'] as const
const id = (kind: string, i: number) => `${kind}_${String(i).padStart(4, '0')}`
const anyTeam: SessionFilter = { team: null, status: null, metadata: {}, cursor: null, limit: 50 }

async function allPages<T> (list: (options: ListOptions) => Promise<Page<T>>, limit: number): Promise<T[]> {
  const items: T[] = []
  let cursor: string | null = null
  do {
    const page: Page<T> = await list({ cursor, limit })
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return items
}

export function listSuite (test: typeof tapTest, makeStore: MakeStore): void {
  test('sessions are listed by team, status and metadata, newest first, whatever the size of the page', async (t) => {
    const log = await (await makeStore(t)).open()
    const heads: HeadRow[] = []
    await Promise.all(Array.from({ length: 120 }, async (_, i) => {
      const metadata = { two: String(i % 2), five: String(i % 5), ...(i === 77 ? { rare: 'yes' } : {}) }
      const append = appendTo(id('ses', i), 0, { head: { team: teams[Math.floor(i / 3) % 2] ?? null, status: statuses[i % 3] ?? 'idle', ended: i % 11 === 0, metadata } })
      heads.unshift(append.head)
      await log.append(append)
    }))
    const filters = teams.flatMap((team) => [null, ...statuses].flatMap((status) =>
      [{}, { two: '1' }, { two: '1', five: '3' }, { five: '0', two: '0', rare: 'yes' }, { rare: 'yes' }, { two: '9' }].map((metadata) => ({ team, status, metadata }))))
    for (const filter of filters) {
      const expected = heads.filter((head) => !head.ended && head.team === filter.team && (filter.status === null || head.status === filter.status) &&
        Object.entries(filter.metadata).every(([name, value]) => Object.entries(head.metadata).some(([n, v]) => n === name && v === value)))
      const pages = await Promise.all([1, 7, 200].map((limit) => allPages((options) => log.listSessions({ ...filter, ...options }), limit)))
      t.same(pages, [expected, expected, expected], JSON.stringify(filter))
    }
  })

  test('a page goes on where the last one ended, whatever came or went since', async (t) => {
    const log = await (await makeStore(t)).open()
    for (let i = 10; i < 20; i++) await log.append(appendTo(id('ses', i), 0, { head: { metadata: { k: 'v' } } }))
    for (const metadata of [{}, { k: 'v' }]) {
      const ids = async (cursor: string | null) => {
        const { items, nextCursor } = await log.listSessions({ ...anyTeam, metadata, cursor, limit: 3 })
        return { ids: items.map(({ sessionId }) => sessionId), nextCursor }
      }
      const first = await ids(null)
      t.same(first.ids, ['ses_0019', 'ses_0018', 'ses_0017'])
      await log.append(appendTo(id('ses', 30), 0, { head: { metadata } }))
      await log.append(appendTo('ses_0017', 1, { head: { metadata, ended: true } }))
      t.equal(await log.purge('ses_0017', 100), true, 'the cursor itself is gone')
      t.same((await ids(first.nextCursor)).ids, ['ses_0016', 'ses_0015', 'ses_0014'])
      await log.append(appendTo('ses_0030', 1, { head: { ended: true } }))
      await log.purge('ses_0030', 100)
      await log.append(appendTo('ses_0017', 0, { head: { metadata: { k: 'v' } } }))
    }
  })

  test('a list follows what an append changes: status, metadata, end', async (t) => {
    const log = await (await makeStore(t)).open()
    const found = async (filter: Partial<SessionFilter>) => (await log.listSessions({ ...anyTeam, ...filter })).items.length
    await log.append(appendTo('ses_1', 0, { head: { status: 'running', metadata: { a: '1', b: '2' } } }))
    t.same([await found({ status: 'running' }), await found({ metadata: { a: '1' } })], [1, 1])
    await log.append(appendTo('ses_1', 1, { head: { status: 'idle', metadata: { a: '2', b: '2' } } }))
    t.same([await found({ status: 'running' }), await found({ status: 'idle' })], [0, 1])
    t.same([await found({ metadata: { a: '1' } }), await found({ metadata: { a: '2', b: '2' } })], [0, 1])
    await log.append(appendTo('ses_1', 2, { head: { ended: true, metadata: { a: '2', b: '2' } } }))
    t.same([await found({}), await found({ status: 'idle' }), await found({ metadata: { a: '2' } })], [0, 0, 0])
  })

  test('runs are listed by status, newest first', async (t) => {
    const log = await (await makeStore(t)).open()
    const kinds: RunStatus[] = ['completed', 'queued', 'failed']
    const runs = Array.from({ length: 30 }, (_, i): RunRow => ({ runId: id('run', i), sessionId: id('ses', i % 2), status: kinds[i % 3] ?? 'queued', summary: String(i) }))
    for (const sessionId of ['ses_0000', 'ses_0001']) await log.append(appendTo(sessionId, 0, { runs: runs.filter((run) => run.sessionId === sessionId) }))
    for (const status of [null, ...kinds]) {
      const expected = runs.filter((run) => run.sessionId === 'ses_0001' && (status === null || run.status === status)).toReversed()
      for (const limit of [1, 4, 50]) t.same(await allPages((options) => log.listRuns({ sessionId: 'ses_0001', status, ...options }), limit), expected)
    }
    t.same(await log.listRuns({ sessionId: 'ses_9', status: null, cursor: null, limit: 10 }), { items: [], nextCursor: null })
  })

  test('approvals are listed by team, session, run and status, newest first', async (t) => {
    const log = await (await makeStore(t)).open()
    const approvals = await someApprovals(log)
    const shapes: Array<Omit<ApprovalFilter, keyof ListOptions>> = teams.flatMap((team) => [null, 'ses_0000', 'ses_0001'].flatMap((sessionId) =>
      [null, 'run_0000', 'run_0005'].flatMap((runId) => ([null, 'pending', 'denied'] as const).map((status) => ({ team, sessionId, runId, status })))))
    for (const shape of shapes) {
      const expected = approvals.filter((row) => row.team === shape.team && (shape.sessionId ?? row.sessionId) === row.sessionId &&
        (shape.runId ?? row.runId) === row.runId && (shape.status ?? row.status) === row.status).toReversed()
      const pages = await Promise.all([3, 100].map((limit) => allPages((options) => log.listApprovals({ ...shape, ...options }), limit)))
      t.same(pages, [expected, expected], JSON.stringify(shape))
    }
  })

  test('an ended session shows in no list', async (t) => {
    const log = await (await makeStore(t)).open()
    await someApprovals(log)
    await log.append(appendTo('ses_0000', 1, { head: { ended: true }, runs: [{ runId: 'run_0000', sessionId: 'ses_0000', status: 'cancelled', summary: '{}' }] }))
    const page = { cursor: null, limit: 200, status: null }
    t.ok((await log.listApprovals({ ...page, team: null, sessionId: null, runId: null })).items.every(({ sessionId }) => sessionId !== 'ses_0000'))
    t.same((await log.listApprovals({ ...page, team: null, sessionId: 'ses_0000', runId: null })).items, [])
    t.same((await log.listApprovals({ ...page, team: null, sessionId: null, runId: 'run_0000' })).items, [])
    t.same((await log.listRuns({ ...page, sessionId: 'ses_0000' })).items, [])
  })
}

/** 60 approvals of two runs each of four sessions, two of them of team blue. */
async function someApprovals (log: EventLog): Promise<ApprovalRow[]> {
  const kinds: ApprovalStatus[] = ['pending', 'approved', 'denied']
  const rows = Array.from({ length: 60 }, (_, i): ApprovalRow => ({
    callId: id('call', i),
    sessionId: id('ses', i % 4),
    runId: id('run', i % 8),
    team: i % 4 < 2 ? null : 'blue',
    status: kinds[i % 3] ?? 'pending',
    requiredSeq: 1,
    argumentsSeq: 1,
    summary: String(i)
  }))
  for (let i = 0; i < 4; i++) {
    const approvals = rows.filter(({ sessionId }) => sessionId === id('ses', i))
    await log.append(appendTo(id('ses', i), 0, { head: { team: i < 2 ? null : 'blue' }, approvals }))
  }
  return rows
}
