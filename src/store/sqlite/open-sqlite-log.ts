import Database from 'better-sqlite3'
import * as limits from '../../limits.ts'
import { logVersion as currentVersion } from '../../protocol/events.ts'
import { StoreError, type Append, type EventLog } from '../event-log.ts'
import { upcasters as currentUpcasters, type Upcasters } from '../upcasters.ts'
import { toStoreError } from './failure.ts'
import { prepareEventReads } from './read-events.ts'
import { prepareListReads } from './read-lists.ts'
import { seqSpan } from './schema.ts'
import { startWriter } from './start-writer.ts'
import type { CrashPoint } from './writer-messages.ts'

export interface SqliteLogOptions {
  /** The database file; made (0600) if it is not there. Its folder must exist. */
  readonly path: string
  /** How long an append waits while another process holds the database. */
  readonly busyTimeoutMs?: number
  /** Called once if nothing can be written any more: the server should end, and be started again. */
  readonly onFailure?: (error: StoreError) => void
  /** Other than the current ones only in tests. */
  readonly logVersion?: number
  readonly upcasters?: Upcasters
  readonly crashAt?: CrashPoint
}

/**
 * The event log in one SQLite file. Appends go to a thread of their own, which commits what has queued together;
 * reads are small, go by an index, and run on the event loop.
 * @throws StoreError when the file cannot be opened
 */
export async function openSqliteLog (options: SqliteLogOptions): Promise<EventLog> {
  const logVersion = options.logVersion ?? currentVersion
  const writer = await startWriter({
    path: options.path, logVersion, busyTimeoutMs: options.busyTimeoutMs ?? limits.busyTimeoutMs, crashAt: options.crashAt ?? null
  }, options.onFailure ?? (() => {}))
  let db: Database.Database
  let reads
  try {
    db = new Database(options.path, { readonly: true, fileMustExist: true, timeout: limits.storeReadBusyTimeoutMs })
    reads = { ...prepareEventReads(db, logVersion, options.upcasters ?? currentUpcasters), ...prepareListReads(db) }
  } catch (error) {
    await writer.close()
    throw toStoreError(error)
  }

  async function reading<T> (read: () => Promise<T>): Promise<T> {
    if (!db.open) throw new StoreError('storage_unavailable', 'The store is closed.')
    try {
      return await read()
    } catch (error) {
      throw toStoreError(error)
    }
  }

  const { readHead, findExternal, readEvents, readEvent, listSessions, listRuns, listApprovals, readRun, readApproval } = reads
  return {
    async append (append) {
      checkAppend(append)
      return await writer.append(append)
    },
    readHead: (sessionId) => reading(() => readHead(sessionId)),
    findExternal: (team, externalId) => reading(() => findExternal(team, externalId)),
    readEvents: (sessionId, options) => reading(() => readEvents(sessionId, options)),
    readEvent: (sessionId, seq) => reading(() => readEvent(sessionId, seq)),
    listSessions: (filter) => reading(() => listSessions(filter)),
    listRuns: (filter) => reading(() => listRuns(filter)),
    listApprovals: (filter) => reading(() => listApprovals(filter)),
    readRun: (runId) => reading(() => readRun(runId)),
    readApproval: (callId) => reading(() => readApproval(callId)),
    findIdempotent: (scope, key, now) => reading(() => reads.findIdempotent(scope, key, now)),
    listUnsettled: (cursor, limit) => reading(() => reads.listUnsettled(cursor, limit)),
    nextExpiryAt: () => reading(() => reads.nextExpiryAt()),
    listExpired: (now, limit) => reading(() => reads.listExpired(now, limit)),
    purge: (sessionId, limit) => writer.purge(sessionId, limit),
    forgetIdempotent: (before, limit) => writer.forgetIdempotent(before, limit),
    async close () {
      db.close() // first: whoever closes last folds the WAL into the file, and a reader cannot
      await writer.close()
    }
  }
}

/** A caller's mistake must not become a hole in a log. */
function checkAppend ({ sessionId, expectedSeq, events, head }: Append): void {
  const last = expectedSeq + events.length
  if (head.sessionId !== sessionId || head.seq !== last || last < 1) throw new Error(`append to ${sessionId}: the head does not fit the events`)
  if (events.some(({ seq }, i) => seq !== expectedSeq + 1 + i)) throw new Error(`append to ${sessionId}: seqs must follow ${expectedSeq}`)
  if (last >= seqSpan) throw new StoreError('storage_full', `The log of ${sessionId} has as many events as fit.`)
}
