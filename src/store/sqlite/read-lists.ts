import type { Database, Statement } from 'better-sqlite3'
import type { Metadata } from '../../protocol/common.ts'
import type { ApprovalRow, EventLog, HeadRow, IdempotencyRow, Page, RunRow, StoredHead } from '../event-log.ts'
import { appendSql, keysForgottenAt } from './apply-append.ts'
import { before, findMatching, type Seek } from './find-matching.ts'
import { approvalsSql, readSql, runsSql, sessionsSql } from './read-sql.ts'

type Columns<Head extends HeadRow> = Omit<Head, 'ended' | 'unsettled' | 'metadata'> & { ended: number, unsettled: number, metadata: string }
type HeadColumns = Columns<HeadRow>

export type ListReads = Pick<EventLog, 'readHead' | 'findExternal' | 'listSessions' | 'listRuns' | 'listApprovals' | 'readRun' | 'readApproval' |
  'findIdempotent' | 'listUnsettled' | 'nextExpiryAt' | 'listExpired'>

const afterAllIds = '\u{10FFFF}'

export function prepareListReads (db: Database): ListReads {
  const head = db.prepare<[string], Columns<StoredHead>>(readSql.head)
  const listed = db.prepare<[string], HeadColumns>(readSql.listed)
  const external = db.prepare<[string | null, string], HeadColumns>(readSql.external)
  const run = db.prepare<[string], RunRow>(readSql.run)
  const approval = db.prepare<[string], ApprovalRow>(readSql.approval)
  const idempotent = db.prepare<[string, string, string], IdempotencyRow>(appendSql.knownKey)
  const unsettled = db.prepare<[string, number], string>(readSql.unsettled).pluck()
  const nextExpiry = db.prepare<[], string>(readSql.nextExpiry).pluck()
  const expired = db.prepare<[string, number], string>(readSql.expired).pluck()
  const seekMetadata = db.prepare<[string, string, string | null, string], string>(readSql.seekMetadata).pluck()
  const seekStatus = db.prepare<[string | null, string, string], string>(readSql.seekStatus).pluck()
  const lists = new Map<string, Statement<unknown[], unknown>>()

  /** Few texts come back again and again; each is prepared when it is first asked for. */
  function list<T> (sql: string, ...parameters: unknown[]): T[] {
    let statement = lists.get(sql)
    if (statement === undefined) {
      statement = db.prepare(sql)
      lists.set(sql, statement)
    }
    return statement.all(...parameters) as T[] // the text names T's columns
  }

  function presentHead<Row extends HeadColumns> (row: Row) {
    // The writer stored what was Metadata.
    return { ...row, ended: row.ended === 1, unsettled: row.unsettled === 1, metadata: JSON.parse(row.metadata) as Metadata }
  }

  return {
    async readHead (sessionId) { return optional(head.get(sessionId), presentHead<Columns<StoredHead>>) },
    async findExternal (team, externalId) { return optional(external.get(team, externalId), presentHead) },
    async listSessions ({ team, status, metadata, cursor, limit }) {
      const pairs = Object.entries(metadata)
      if (pairs.length === 0) {
        const parameters = [team, ...(status === null ? [] : [status]), cursor ?? afterAllIds, limit + 1]
        return page(list<HeadColumns>(sessionsSql(status !== null), ...parameters).map(presentHead), limit, ({ sessionId }) => sessionId)
      }
      const seeks: Seek[] = pairs.map(([name, value]) => (id) => seekMetadata.get(name, value, team, id) ?? null)
      if (status !== null) seeks.push((id) => seekStatus.get(team, status, id) ?? null)
      const ids = await findMatching(seeks, cursor === null ? afterAllIds : before(cursor), limit + 1)
      const { items, nextCursor } = page(ids, limit, (id) => id)
      // One that has ended since it was found is left out; the page is a little shorter.
      const rows = items.flatMap((id) => listed.get(id) ?? []).filter(({ ended }) => ended === 0)
      return { items: rows.map(presentHead), nextCursor }
    },
    async listRuns ({ sessionId, status, cursor, limit }) {
      const parameters = [sessionId, ...(status === null ? [] : [status]), cursor ?? afterAllIds, limit + 1]
      return page(list<RunRow>(runsSql(status !== null), ...parameters), limit, ({ runId }) => runId)
    },
    async listApprovals ({ team, sessionId, runId, status, cursor, limit }) {
      const by = runId !== null ? 'run' : sessionId !== null ? 'session' : 'team'
      const sql = approvalsSql({ by, alsoSession: sessionId !== null, byStatus: status !== null })
      const parameters = [...[runId, sessionId].filter((id) => id !== null), team, ...(status === null ? [] : [status]), cursor ?? afterAllIds, limit + 1]
      return page(list<ApprovalRow>(sql, ...parameters), limit, ({ callId }) => callId)
    },
    async readRun (runId) { return run.get(runId) ?? null },
    async readApproval (callId) { return approval.get(callId) ?? null },
    async findIdempotent (scope, key, now) { return idempotent.get(scope, key, keysForgottenAt(now)) ?? null },
    async listUnsettled (cursor, limit) { return unsettled.all(cursor ?? '', limit) },
    async nextExpiryAt () { return nextExpiry.get() ?? null },
    async listExpired (now, limit) { return expired.all(now, limit) }
  }
}

function optional<T, U> (value: T | undefined, present: (value: T) => U): U | null {
  return value === undefined ? null : present(value)
}

/** `items` holds one more than a page if there is another page. */
function page<T> (items: T[], limit: number, id: (item: T) => string): Page<T> {
  const last = items.length > limit ? items[limit - 1] : undefined
  return last === undefined ? { items, nextCursor: null } : { items: items.slice(0, limit), nextCursor: id(last) }
}
