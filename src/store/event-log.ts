import type { Metadata } from '../protocol/common.ts'
import type { SessionEventType, RunStatus } from '../protocol/events.ts'
import type { ApprovalStatus, SessionStatus } from '../protocol/resources.ts'

/** One event as it is stored: the wire object as one line of JSON, and the part that never leaves the server. */
export interface StoredEvent {
  readonly seq: number
  readonly type: SessionEventType
  readonly runId: string | null
  /** `SessionEvent` of the current `logVersion`, as JSON without line breaks. */
  readonly json: string
  /** JSON that only the server reads: what a provider wants echoed, a whole preview. */
  readonly private: string | null
}

/** The row that sums up a session. `state` is a cache of the fold of its log. */
export interface HeadRow {
  readonly sessionId: string
  readonly seq: number
  readonly team: string | null
  /** Unique within the team. */
  readonly externalId: string | null
  readonly status: SessionStatus
  /** `session_end` is in the log: hidden from every list, waiting to be purged. */
  readonly ended: boolean
  /** A runner has something to do: after a restart it must be woken. */
  readonly unsettled: boolean
  /** The earliest expiry of a pending approval, RFC 3339. */
  readonly nextExpiryAt: string | null
  readonly metadata: Metadata
  readonly createdAt: string
  readonly updatedAt: string
  /** Version of `state`'s shape; another one than the reader's: fold the log instead. */
  readonly stateVersion: number
  readonly state: string
}

/** A head as it is read. */
export interface StoredHead extends HeadRow {
  /** Sum of the JSON of the session's events and of what they keep beside them, bytes. */
  readonly logBytes: number
}

export interface RunRow {
  readonly runId: string
  readonly sessionId: string
  readonly status: RunStatus
  /** JSON of what `GET` of the run shows, without its approvals. */
  readonly summary: string
}

export interface ApprovalRow {
  readonly callId: string
  readonly sessionId: string
  readonly runId: string
  readonly team: string | null
  readonly status: ApprovalStatus
  /** The `approval_required` of the current round. */
  readonly requiredSeq: number
  /** The event that holds the arguments whole: an `assistant_message`, or the `approval_required` that edited them. */
  readonly argumentsSeq: number
  /** JSON of what lists show, without arguments and preview. */
  readonly summary: string
}

/** Remembers what a request made, for as long as a client may send it again. */
export interface IdempotencyRow {
  /** Caller, route and session: a key means nothing outside of it. */
  readonly scope: string
  readonly key: string
  /** SHA-256 of the body. */
  readonly fingerprint: string
  readonly sessionId: string
  readonly runId: string | null
  readonly createdAt: string
}

export interface Append {
  readonly sessionId: string
  /** The seq that the caller has seen last; 0 creates the session. */
  readonly expectedSeq: number
  readonly events: readonly StoredEvent[]
  readonly head: HeadRow
  /** Upserted by runId. */
  readonly runs: readonly RunRow[]
  /** Upserted by callId. */
  readonly approvals: readonly ApprovalRow[]
  readonly idempotency: IdempotencyRow | null
}

export type AppendResult =
  | { readonly status: 'appended' }
  /** The log has moved, or is not there: read it again and decide again. */
  | { readonly status: 'conflict' }
  /** Another session of the team has the external id. */
  | { readonly status: 'external_id_taken', readonly sessionId: string }
  /** The key was used before: nothing was written. */
  | { readonly status: 'idempotency_key_known', readonly row: IdempotencyRow }

export interface Page<T> { readonly items: readonly T[], readonly nextCursor: string | null }

export interface ListOptions {
  /** What a page before returned; the id of its last item. */
  readonly cursor: string | null
  readonly limit: number
}

export interface SessionFilter extends ListOptions {
  readonly team: string | null
  readonly status: SessionStatus | null
  /** Exact matches, all of them. */
  readonly metadata: Metadata
}

export interface RunFilter extends ListOptions { readonly sessionId: string, readonly status: RunStatus | null }

export interface ApprovalFilter extends ListOptions {
  readonly team: string | null
  readonly sessionId: string | null
  readonly runId: string | null
  readonly status: ApprovalStatus | null
}

export type StoreErrorCode = 'storage_full' | 'storage_unavailable' | 'log_newer'

/** The store could not do it. Nothing of the append is stored. */
export class StoreError extends Error {
  readonly code: StoreErrorCode

  constructor (code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreError'
    this.code = code
  }
}

/**
 * Where the logs of all sessions live. An append is all or nothing and is on the disk when its promise
 * resolves. Appends of one session resolve in the order in which they were committed.
 * Lists are newest first and never read a log. Every call may reject with `StoreError`.
 */
export interface EventLog {
  append (append: Append): Promise<AppendResult>
  /** Ended sessions included: the caller decides what to show. */
  readHead (sessionId: string): Promise<StoredHead | null>
  /** The session of the team with this external id, ended ones left out. */
  findExternal (team: string | null, externalId: string): Promise<HeadRow | null>
  /** Events with `seq > after`, oldest first; stops at `limit` events or when `maxBytes` of JSON are passed. */
  readEvents (sessionId: string, options: { after: number, limit: number, maxBytes: number, types?: readonly SessionEventType[], runId?: string }): Promise<StoredEvent[]>
  readEvent (sessionId: string, seq: number): Promise<StoredEvent | null>
  listSessions (filter: SessionFilter): Promise<Page<HeadRow>>
  listRuns (filter: RunFilter): Promise<Page<RunRow>>
  listApprovals (filter: ApprovalFilter): Promise<Page<ApprovalRow>>
  readRun (runId: string): Promise<RunRow | null>
  readApproval (callId: string): Promise<ApprovalRow | null>
  findIdempotent (scope: string, key: string, now: string): Promise<IdempotencyRow | null>
  /** Session ids with `unsettled` or `ended`, in order of id, after `cursor`. */
  listUnsettled (cursor: string | null, limit: number): Promise<string[]>
  /** The earliest `nextExpiryAt` of all sessions. */
  nextExpiryAt (): Promise<string | null>
  /** Session ids with `nextExpiryAt <= now`. */
  listExpired (now: string, limit: number): Promise<string[]>
  /**
   * Removes an ended session: at most `limit` events a call, the head last.
   * @returns whether nothing of it is left
   */
  purge (sessionId: string, limit: number): Promise<boolean>
  /** Forgets idempotency rows made before `before`; at most `limit` of them. */
  forgetIdempotent (before: string, limit: number): Promise<number>
  close (): Promise<void>
}
