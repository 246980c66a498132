import type { Database } from 'better-sqlite3'
import * as limits from '../../limits.ts'

/**
 * Events of one session lie side by side: `id` is `session * seqSpan + seq`, so the log needs one tree and
 * no second index. 2^24 events are more than `logBytesMax` holds, and leave 2^39 sessions.
 */
export const seqSpan = 2 ** 24

/**
 * Each entry brings a file from the version before to its own; none is ever changed once released. A migration
 * only adds: an older server must still be able to read.
 */
const migrations = [`
CREATE TABLE sessions (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  seq INTEGER NOT NULL,
  log_version INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  team TEXT,
  external_id TEXT,
  status TEXT NOT NULL,
  ended INTEGER NOT NULL,
  unsettled INTEGER NOT NULL,
  next_expiry_at TEXT,
  metadata TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  state_version INTEGER NOT NULL,
  state TEXT NOT NULL
);
CREATE INDEX sessions_list ON sessions (team, id) WHERE ended = 0;
CREATE INDEX sessions_status ON sessions (team, status, id) WHERE ended = 0;
CREATE UNIQUE INDEX sessions_external ON sessions (team, external_id) WHERE ended = 0 AND external_id IS NOT NULL;
CREATE INDEX sessions_unsettled ON sessions (id) WHERE unsettled = 1 OR ended = 1;
CREATE INDEX sessions_expiry ON sessions (next_expiry_at) WHERE next_expiry_at IS NOT NULL;

CREATE TABLE session_metadata (
  session INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  team TEXT,
  id TEXT NOT NULL,
  PRIMARY KEY (session, name)
) WITHOUT ROWID;
CREATE INDEX session_metadata_list ON session_metadata (name, value, team, id);

CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  type TEXT NOT NULL,
  run_id TEXT,
  json TEXT NOT NULL,
  private TEXT
);

CREATE TABLE runs (
  run_id TEXT PRIMARY KEY,
  session INTEGER NOT NULL,
  status TEXT NOT NULL,
  first_seq INTEGER NOT NULL,
  last_seq INTEGER,
  summary TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX runs_list ON runs (session, run_id);
CREATE INDEX runs_status ON runs (session, status, run_id);

CREATE TABLE approvals (
  call_id TEXT PRIMARY KEY,
  session INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  team TEXT,
  status TEXT NOT NULL,
  required_seq INTEGER NOT NULL,
  arguments_seq INTEGER NOT NULL,
  summary TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX approvals_list ON approvals (team, call_id);
CREATE INDEX approvals_status ON approvals (team, status, call_id);
CREATE INDEX approvals_session ON approvals (session, call_id);
CREATE INDEX approvals_session_status ON approvals (session, status, call_id);
CREATE INDEX approvals_run ON approvals (run_id, call_id);

CREATE TABLE idempotency (
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  session_id TEXT NOT NULL,
  run_id TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (scope, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_created ON idempotency (created_at);
`]

export const schemaVersion = migrations.length

/** How the connection that writes treats the file. */
export function configureWriter (db: Database): void {
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma(`wal_autocheckpoint = ${limits.checkpointPages}`)
  db.pragma(`journal_size_limit = ${limits.walBytesKept}`)
}

/**
 * Brings the file to `schemaVersion`.
 * @returns false when a newer server wrote it: it may be read, never written
 */
export function migrate (db: Database): boolean {
  if (fileVersion(db) === schemaVersion) return true
  if (fileVersion(db) > schemaVersion) return false
  db.transaction(() => {
    for (const sql of migrations.slice(fileVersion(db))) db.exec(sql)
    db.pragma(`user_version = ${schemaVersion}`)
  }).immediate()
  return true
}

function fileVersion (db: Database): number {
  return Number(db.pragma('user_version', { simple: true }))
}
