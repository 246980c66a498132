import type { Database } from 'better-sqlite3'
import { seqSpan } from './schema.ts'

export const housekeepingSql = {
  ended: 'SELECT key, ended FROM sessions WHERE id = ?',
  events: `DELETE FROM events WHERE id IN (
    SELECT id FROM events WHERE id > ? * ${seqSpan} AND id < (? + 1) * ${seqSpan} ORDER BY id LIMIT ?)`,
  approvals: 'DELETE FROM approvals WHERE call_id IN (SELECT call_id FROM approvals WHERE session = ? ORDER BY call_id LIMIT ?)',
  runs: 'DELETE FROM runs WHERE run_id IN (SELECT run_id FROM runs WHERE session = ? ORDER BY run_id LIMIT ?)',
  metadata: 'DELETE FROM session_metadata WHERE session = ?',
  head: 'DELETE FROM sessions WHERE key = ?',
  keys: `DELETE FROM idempotency WHERE (scope, key) IN (
    SELECT scope, key FROM idempotency WHERE created_at < ? ORDER BY created_at LIMIT ?)`
} as const

export interface Housekeeping {
  /** One step: events, then what lists them, the head last, so that a restart finds what is left to do. */
  purge (sessionId: string, limit: number): boolean
  forgetIdempotent (before: string, limit: number): number
}

export function prepareHousekeeping (db: Database): Housekeeping {
  const ended = db.prepare<[string], { key: number, ended: number }>(housekeepingSql.ended)
  const events = db.prepare<[number, number, number]>(housekeepingSql.events)
  const rows = [housekeepingSql.approvals, housekeepingSql.runs].map((sql) => db.prepare<[number, number]>(sql))
  const metadata = db.prepare<[number]>(housekeepingSql.metadata)
  const head = db.prepare<[number]>(housekeepingSql.head)
  const keys = db.prepare<[string, number]>(housekeepingSql.keys)

  const purge = db.transaction((sessionId: string, limit: number): boolean => {
    const session = ended.get(sessionId)
    if (session === undefined) return true
    if (session.ended === 0) throw new Error(`session ${sessionId} has not ended`)
    let left = limit - events.run(session.key, session.key, limit).changes
    for (const statement of rows) {
      if (left > 0) left -= statement.run(session.key, left).changes
    }
    if (left <= 0) return false
    metadata.run(session.key)
    head.run(session.key)
    return true
  })

  return {
    purge: (sessionId, limit) => purge.immediate(sessionId, limit),
    forgetIdempotent: (before, limit) => keys.run(before, limit).changes
  }
}
