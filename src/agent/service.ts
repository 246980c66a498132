import type { SessionEvent } from '../protocol/events.ts'
import type {
  Approval, ApprovalStatus, CreateMessage, CreateSession, DecideApproval, ModelInfo, Run, Session, SessionStatus, ToolInfo, TranscriptItem, UpdateSession
} from '../protocol/resources.ts'
import type { Metadata } from '../protocol/common.ts'
import type { RunStatus } from '../protocol/events.ts'
import type { Page } from '../store/event-log.ts'
import type { Caller } from './caller.ts'
import type { Feed } from './feed.ts'
import type { NoticeListener } from './notices.ts'
import type { SessionFiles } from './files.ts'

/** What makes a repeated POST the same request. `fingerprint`: SHA-256 of method, route and body. */
export interface IdempotencyKey { readonly key: string, readonly fingerprint: string }

export interface PageQuery { readonly cursor: string | null, readonly limit: number }

/** Where a run stands in the log. */
export interface RunRange {
  /** Seq of its `user_message`. */
  readonly firstSeq: number
  /** Seq of its `run_end`; null while it is not settled. */
  readonly endSeq: number | null
}

/**
 * What the routes call. Every method checks the caller's team (404 beyond it) and scopes, and throws `AgentError`.
 */
export interface AgentService {
  createSession (input: CreateSession, caller: Caller, idempotency: IdempotencyKey | null): Promise<{ session: Session, created: boolean }>
  listSessions (query: PageQuery & { status: SessionStatus | null, metadata: Metadata }, caller: Caller): Promise<Page<Session>>
  getSession (sessionId: string, caller: Caller): Promise<Session>
  updateSession (sessionId: string, patch: UpdateSession, caller: Caller): Promise<Session>
  /** Resolves when the session is gone for every client; its purge goes on. */
  deleteSession (sessionId: string, caller: Caller): Promise<void>

  postMessage (sessionId: string, input: CreateMessage, caller: Caller, idempotency: IdempotencyKey | null): Promise<{ run: Run, range: RunRange }>
  listMessages (sessionId: string, query: PageQuery, caller: Caller): Promise<Page<TranscriptItem>>
  listEvents (sessionId: string, after: number, limit: number, caller: Caller): Promise<{ items: SessionEvent[], nextCursor: string | null }>

  listRuns (sessionId: string, query: PageQuery & { status: RunStatus | null }, caller: Caller): Promise<Page<Run>>
  getRun (sessionId: string, runId: string, caller: Caller): Promise<{ run: Run, range: RunRange }>
  /**
   * Waits until the run is settled (`end`), or is settled or asks for an approval (`pause`).
   * Whoever waits follows the run. Resolves with what is when `signal` aborts.
   */
  waitForRun (sessionId: string, runId: string, until: 'end' | 'pause', caller: Caller, signal: AbortSignal): Promise<Run>
  /** `runId` null: the active run. A run that is settled already is returned as it is. @throws AgentError no_active_run */
  cancelRun (sessionId: string, runId: string | null, reason: string | null, caller: Caller): Promise<Run>

  listApprovals (query: PageQuery & { status: ApprovalStatus | null, sessionId: string | null }, caller: Caller): Promise<Page<Approval>>
  getApproval (callId: string, caller: Caller): Promise<Approval>
  decideApproval (callId: string, input: DecideApproval, caller: Caller): Promise<Approval>

  /** Needs the scope `read` or `run`. @throws AgentError session_not_found */
  openFeed (sessionId: string, caller: Caller): Promise<Feed>
  /** Tells `listener` of changes in every session of the caller's team until what is returned is called. Needs the scope `read`. */
  openNotices (caller: Caller, listener: NoticeListener): () => void

  readonly files: SessionFiles

  listTools (): ToolInfo[]
  listModels (): ModelInfo[]
  /** Runs that are at work or queued for admission. */
  activeRuns (): number
  /** Sessions that are worked on or followed. */
  liveSessions (): number
  /** Refuses new work, aborts runs where a restart resumes them, waits at most `timeoutMs` for tools. Feeds stay open until their readers leave. */
  stop (timeoutMs: number): Promise<void>
}
