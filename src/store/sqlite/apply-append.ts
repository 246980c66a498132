import type { Database } from 'better-sqlite3'
import * as limits from '../../limits.ts'
import type { IdempotencyRow } from '../event-log.ts'
import type { PackedAppend } from './packed-append.ts'
import { seqSpan } from './schema.ts'
import type { Reply } from './writer-messages.ts'

interface Stored {
  key: number
  seq: number
  log_version: number
  team: string | null
  external_id: string | null
  status: string
  ended: number
  unsettled: number
  next_expiry_at: string | null
  metadata: string
}

export const appendSql = {
  head: `SELECT key, seq, log_version, team, external_id, status, ended, unsettled, next_expiry_at, metadata
    FROM sessions WHERE id = ?`,
  external: 'SELECT id FROM sessions WHERE team IS ? AND external_id = ? AND ended = 0',
  create: `INSERT INTO sessions (id, seq, log_version, bytes, team, external_id, status, ended, unsettled, next_expiry_at,
    metadata, created_at, updated_at, state_version, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  // Columns without an index: most steps change no other, and an index whose column is set is rewritten even if the value stays.
  touch: 'UPDATE sessions SET seq = ?, log_version = ?, bytes = bytes + ?, updated_at = ?, state_version = ?, state = ? WHERE key = ?',
  // What a run changes as it goes: not the columns by which all sessions are listed.
  settle: `UPDATE sessions SET seq = ?, log_version = ?, bytes = bytes + ?, updated_at = ?, state_version = ?, state = ?,
    status = ?, unsettled = ?, next_expiry_at = ? WHERE key = ?`,
  change: `UPDATE sessions SET seq = ?, log_version = ?, bytes = bytes + ?, updated_at = ?, state_version = ?, state = ?,
    team = ?, external_id = ?, status = ?, ended = ?, unsettled = ?, next_expiry_at = ?, metadata = ? WHERE key = ?`,
  event: `INSERT INTO events (id, version, type, run_id, json, private) VALUES (? * ${seqSpan} + ?, ?, ?, ?, ?, ?)`,
  forgetMetadata: 'DELETE FROM session_metadata WHERE session = ?',
  metadata: 'INSERT INTO session_metadata (session, name, value, team, id) VALUES (?, ?, ?, ?, ?)',
  touchRun: 'UPDATE runs SET summary = ? WHERE run_id = ? AND status = ?',
  run: `INSERT INTO runs (run_id, session, status, first_seq, last_seq, summary) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (run_id) DO UPDATE SET status = excluded.status, last_seq = excluded.last_seq, summary = excluded.summary`,
  touchApproval: 'UPDATE approvals SET required_seq = ?, arguments_seq = ?, summary = ? WHERE call_id = ? AND status = ?',
  approval: `INSERT INTO approvals (call_id, session, run_id, team, status, required_seq, arguments_seq, summary) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (call_id) DO UPDATE SET status = excluded.status, required_seq = excluded.required_seq,
      arguments_seq = excluded.arguments_seq, summary = excluded.summary`,
  knownKey: `SELECT scope, key, fingerprint, session_id AS sessionId, run_id AS runId, created_at AS createdAt
    FROM idempotency WHERE scope = ? AND key = ? AND created_at > ?`,
  key: 'INSERT OR REPLACE INTO idempotency (scope, key, fingerprint, session_id, run_id, created_at) VALUES (?, ?, ?, ?, ?, ?)'
} as const

/**
 * A function that writes one append inside of the transaction that is open. It decides before it writes:
 * whatever it refuses has changed nothing, so it cannot hurt the appends that share the transaction.
 */
export function prepareApply (db: Database, logVersion: number): (append: PackedAppend) => Reply {
  const sql = prepareAll(db)

  return function apply (append) {
    const { sessionId, expectedSeq, idempotency } = append
    if (idempotency !== null) {
      const row = sql.knownKey.get(idempotency.scope, idempotency.key, keysForgottenAt(idempotency.createdAt))
      if (row !== undefined) return { status: 'idempotency_key_known', row }
    }
    const stored = sql.head.get(sessionId)
    if (stored !== undefined && stored.log_version > logVersion) {
      return { status: 'failed', code: 'log_newer', message: `The log of ${sessionId} was written by a newer server (version ${stored.log_version}).`, cause: null }
    }
    if ((stored?.seq ?? 0) !== expectedSeq) return { status: 'conflict' }
    if (append.externalId !== null && append.ended === 0) {
      const taken = sameName(stored, append) ? undefined : sql.external.get(append.team, append.externalId)
      if (taken !== undefined && taken.id !== sessionId) return { status: 'external_id_taken', sessionId: taken.id }
    }

    const session = writeHead(append, stored)
    let seq = expectedSeq
    for (const event of append.events) sql.event.run(session, ++seq, logVersion, event.type, event.runId, event.json, event.private)
    writeRuns(append, session)
    for (const row of append.approvals) {
      const touched = sql.touchApproval.run(row.requiredSeq, row.argumentsSeq, row.summary, row.callId, row.status)
      if (touched.changes === 0) sql.approval.run(row.callId, session, row.runId, row.team, row.status, row.requiredSeq, row.argumentsSeq, row.summary)
    }
    if (idempotency !== null) {
      sql.key.run(idempotency.scope, idempotency.key, idempotency.fingerprint, sessionId, idempotency.runId, idempotency.createdAt)
    }
    return null
  }

  function writeHead (append: PackedAppend, stored: Stored | undefined): number {
    const seq = append.expectedSeq + append.events.length
    let bytes = 0
    for (const event of append.events) bytes += Buffer.byteLength(event.json) + Buffer.byteLength(event.private ?? '')
    if (stored === undefined) {
      const { lastInsertRowid } = sql.create.run(append.sessionId, seq, logVersion, bytes, append.team, append.externalId, append.status,
        append.ended, append.unsettled, append.nextExpiryAt, append.metadata, append.createdAt, append.updatedAt, append.stateVersion, append.state)
      const key = Number(lastInsertRowid)
      writeMetadata(append, key)
      return key
    }
    const { key } = stored
    if (listedAlike(stored, append)) {
      sql.touch.run(seq, logVersion, bytes, append.updatedAt, append.stateVersion, append.state, key)
      return key
    }
    if (namedAlike(stored, append)) {
      sql.settle.run(seq, logVersion, bytes, append.updatedAt, append.stateVersion, append.state, append.status, append.unsettled, append.nextExpiryAt, key)
      return key
    }
    sql.change.run(seq, logVersion, bytes, append.updatedAt, append.stateVersion, append.state,
      append.team, append.externalId, append.status, append.ended, append.unsettled, append.nextExpiryAt, append.metadata, key)
    if (stored.metadata !== append.metadata || stored.ended !== append.ended || stored.team !== append.team) {
      sql.forgetMetadata.run(key)
      writeMetadata(append, key)
    }
    return key
  }

  function writeMetadata (append: PackedAppend, session: number): void {
    if (append.ended === 1 || append.metadata === '{}') return
    const metadata: unknown = JSON.parse(append.metadata)
    for (const [name, value] of Object.entries(metadata ?? {})) sql.metadata.run(session, name, value, append.team, append.sessionId)
  }

  function writeRuns (append: PackedAppend, session: number): void {
    for (const run of append.runs) {
      if (sql.touchRun.run(run.summary, run.runId, run.status).changes > 0) continue
      const first = append.events.findIndex((event) => event.runId === run.runId)
      const settled = run.status === 'completed' || run.status === 'failed' || run.status === 'cancelled'
      const lastSeq = settled ? append.expectedSeq + append.events.length : null
      sql.run.run(run.runId, session, run.status, append.expectedSeq + 1 + Math.max(first, 0), lastSeq, run.summary)
    }
  }
}

/** Keys made at this time or before count as unknown. */
export function keysForgottenAt (now: string): string {
  return new Date(Date.parse(now) - limits.idempotencyKeyTtlMs).toISOString()
}

function sameName (stored: Stored | undefined, append: PackedAppend): boolean {
  return stored !== undefined && stored.ended === 0 && stored.external_id === append.externalId && stored.team === append.team
}

function listedAlike (stored: Stored, append: PackedAppend): boolean {
  return stored.status === append.status && stored.unsettled === append.unsettled && stored.next_expiry_at === append.nextExpiryAt && namedAlike(stored, append)
}

function namedAlike (stored: Stored, append: PackedAppend): boolean {
  return stored.ended === append.ended && stored.external_id === append.externalId && stored.team === append.team && stored.metadata === append.metadata
}

function prepareAll (db: Database) {
  return {
    head: db.prepare<[string], Stored>(appendSql.head),
    external: db.prepare<[string | null, string], { id: string }>(appendSql.external),
    create: db.prepare(appendSql.create),
    touch: db.prepare(appendSql.touch),
    settle: db.prepare(appendSql.settle),
    change: db.prepare(appendSql.change),
    event: db.prepare(appendSql.event),
    forgetMetadata: db.prepare(appendSql.forgetMetadata),
    metadata: db.prepare(appendSql.metadata),
    touchRun: db.prepare(appendSql.touchRun),
    run: db.prepare(appendSql.run),
    touchApproval: db.prepare(appendSql.touchApproval),
    approval: db.prepare(appendSql.approval),
    knownKey: db.prepare<[string, string, string], IdempotencyRow>(appendSql.knownKey),
    key: db.prepare(appendSql.key)
  }
}
