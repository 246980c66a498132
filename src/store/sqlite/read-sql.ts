import { seqSpan } from './schema.ts'

// Every query here goes by an index, and a test asks SQLite whether that is so.

const headColumns = `id AS sessionId, seq, team, external_id AS externalId, status, ended, unsettled, next_expiry_at AS nextExpiryAt,
  metadata, created_at AS createdAt, updated_at AS updatedAt, state_version AS stateVersion, state`

const approvalColumns = `call_id AS callId, s.id AS sessionId, a.run_id AS runId, a.team, a.status, required_seq AS requiredSeq,
  arguments_seq AS argumentsSeq, summary`

const runColumns = 'run_id AS runId, s.id AS sessionId, r.status, summary'

export const readSql = {
  head: `SELECT ${headColumns}, bytes AS logBytes FROM sessions WHERE id = ?`,
  listed: `SELECT ${headColumns} FROM sessions WHERE id = ?`,
  external: `SELECT ${headColumns} FROM sessions WHERE team IS ? AND external_id = ? AND ended = 0`,
  log: 'SELECT key, seq FROM sessions WHERE id = ?',
  event: `SELECT version, type, run_id, json, private FROM events WHERE id = ? * ${seqSpan} + ?`,
  run: `SELECT ${runColumns} FROM runs r JOIN sessions s ON s.key = r.session WHERE run_id = ?`,
  runSpan: 'SELECT first_seq AS firstSeq, last_seq AS lastSeq FROM runs WHERE run_id = ? AND session = ?',
  approval: `SELECT ${approvalColumns} FROM approvals a JOIN sessions s ON s.key = a.session WHERE call_id = ?`,
  unsettled: 'SELECT id FROM sessions WHERE id > ? AND (unsettled = 1 OR ended = 1) ORDER BY id LIMIT ?',
  nextExpiry: 'SELECT next_expiry_at FROM sessions WHERE next_expiry_at IS NOT NULL ORDER BY next_expiry_at LIMIT 1',
  expired: 'SELECT id FROM sessions WHERE next_expiry_at <= ? ORDER BY next_expiry_at LIMIT ?',
  seekMetadata: 'SELECT id FROM session_metadata WHERE name = ? AND value = ? AND team IS ? AND id <= ? ORDER BY id DESC LIMIT 1',
  seekStatus: 'SELECT id FROM sessions WHERE team IS ? AND status = ? AND ended = 0 AND id <= ? ORDER BY id DESC LIMIT 1'
} as const

/** Parameters: session, session, after, session, until; run id; log version, types; limit. */
export function eventsSql (byRun: boolean, types: number): string {
  // What an older server stored may get another type on the way out, so its type is looked at after that.
  const ofTypes = types === 0 ? '' : `AND (version <> ? OR type IN (${Array(types).fill('?').join(', ')}))`
  return `SELECT id - ? * ${seqSpan} AS seq, version, type, run_id, json, private FROM events
    WHERE id > ? * ${seqSpan} + ? AND id <= ? * ${seqSpan} + ? ${byRun ? 'AND run_id = ?' : ''} ${ofTypes}
    ORDER BY id LIMIT ?`
}

/** Parameters: team, status, cursor, limit. */
export function sessionsSql (byStatus: boolean): string {
  return `SELECT ${headColumns} FROM sessions WHERE team IS ? ${byStatus ? 'AND status = ?' : ''} AND ended = 0 AND id < ? ORDER BY id DESC LIMIT ?`
}

/** Parameters: session id, status, cursor, limit. */
export function runsSql (byStatus: boolean): string {
  return `SELECT ${runColumns} FROM sessions s CROSS JOIN runs r WHERE s.id = ? AND s.ended = 0 AND r.session = s.key
    ${byStatus ? 'AND r.status = ?' : ''} AND run_id < ? ORDER BY run_id DESC LIMIT ?`
}

export interface ApprovalsShape { readonly by: 'team' | 'session' | 'run', readonly alsoSession: boolean, readonly byStatus: boolean }

/** Parameters: session id or run id; session id of a run; team; status; cursor; limit. */
export function approvalsSql ({ by, alsoSession, byStatus }: ApprovalsShape): string {
  const status = byStatus ? 'AND a.status = ?' : ''
  const page = 'AND call_id < ? ORDER BY call_id DESC LIMIT ?'
  switch (by) {
    case 'team': return `SELECT ${approvalColumns} FROM approvals a CROSS JOIN sessions s
      WHERE a.team IS ? ${status} AND s.key = a.session AND s.ended = 0 ${page}`
    case 'session': return `SELECT ${approvalColumns} FROM sessions s CROSS JOIN approvals a
      WHERE s.id = ? AND s.ended = 0 AND a.session = s.key AND a.team IS ? ${status} ${page}`
    // A run has few approvals: its status needs no index.
    case 'run': return `SELECT ${approvalColumns} FROM approvals a INDEXED BY approvals_run CROSS JOIN sessions s
      WHERE a.run_id = ? AND s.key = a.session AND s.ended = 0 ${alsoSession ? 'AND s.id = ?' : ''} AND a.team IS ? ${status} ${page}`
    default: return by satisfies never
  }
}
