import type { AppendResult, StoreErrorCode } from '../event-log.ts'
import type { Flat } from './packed-append.ts'

/** Where a test lets the power fail. */
export interface CrashPoint {
  readonly point: 'before_commit' | 'after_commit'
  /** The how-manieth commit: 1 is the first. */
  readonly count: number
  /** `process`: killed with SIGKILL. `writer`: only its thread ends. */
  readonly victim: 'process' | 'writer'
}

export interface WriterSettings {
  readonly path: string
  readonly logVersion: number
  readonly busyTimeoutMs: number
  readonly crashAt: CrashPoint | null
}

export type ToWriter =
  | { readonly type: 'appends', readonly flat: readonly Flat[] }
  | { readonly type: 'purge', readonly sessionId: string, readonly limit: number }
  | { readonly type: 'forget_idempotent', readonly before: string, readonly limit: number }
  | { readonly type: 'close' }

/** null is the common answer: appended. A number counts what was forgotten, a boolean says that all is purged. */
export type Reply = null | number | boolean | Exclude<AppendResult, { status: 'appended' }> | Failure

export interface Failure {
  readonly status: 'failed'
  readonly code: StoreErrorCode
  readonly message: string
  /** For the server's own log: it may name paths. */
  readonly cause: string | null
}

/** Replies come in the order of the requests, one for each append. */
export type FromWriter =
  | { readonly type: 'ready' }
  | { readonly type: 'not_opened', readonly failure: Failure }
  | { readonly type: 'replies', readonly replies: readonly Reply[] }
