import Database from 'better-sqlite3'
import { test } from 'tap'
import { appendSql } from '../../src/store/sqlite/apply-append.ts'
import { housekeepingSql } from '../../src/store/sqlite/housekeeping.ts'
import { approvalsSql, eventsSql, readSql, runsSql, sessionsSql } from '../../src/store/sqlite/read-sql.ts'
import { migrate } from '../../src/store/sqlite/schema.ts'

const both = [false, true]
const statements: string[] = [
  ...Object.values(appendSql), ...Object.values(housekeepingSql), ...Object.values(readSql),
  ...both.flatMap((byRun) => [0, 1, 15].map((types) => eventsSql(byRun, types))),
  ...both.map(sessionsSql),
  ...both.map(runsSql),
  ...(['team', 'session', 'run'] as const).flatMap((by) => both.flatMap((alsoSession) => both.map((byStatus) => approvalsSql({ by, alsoSession, byStatus }))))
]

test('no statement scans a table or sorts', async (t) => {
  const db = new Database(':memory:')
  migrate(db)
  for (const sql of statements) {
    const parameters = Array(sql.split('?').length - 1).fill(null)
    const steps = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters).map(({ detail }) => detail)
    // The next expiry is the first entry of its index, and the plan calls that a scan of it.
    const bad = steps.filter((step) => /^SCAN|TEMP B-TREE/.test(step) && !(sql === readSql.nextExpiry && step.includes('INDEX sessions_expiry')))
    t.same(bad, [], sql)
  }
  db.close()
})
