import type { By, Metadata, OnApproval, Policy, RunLimits, Usage } from '../protocol/common.ts'
import type { EventOf, SessionEvent } from '../protocol/events.ts'

/** Shape of `SessionState` in the head; another version there means: fold the log again. */
export const stateVersion = 2

interface CallBase {
  readonly callId: string
  readonly tool: string
  /** The event that holds the arguments: the `assistant_message`, or the `approval_required` that edited them. */
  readonly argumentsSeq: number
  readonly edited: boolean
  /** Tool and arguments, to know the same call again. */
  readonly callDigest: string
  /** Rounds asked so far. */
  readonly round: number
  /** The `approval_required` that asked last, which holds what its plan resolved to. */
  readonly askedSeq?: number
}

export type CallState = CallBase & (
  | { readonly status: 'new' }
  | { readonly status: 'waiting', readonly digest: string, readonly requiredSeq: number, readonly requestedAt: string, readonly expiresAt: string | null }
  | { readonly status: 'approved', readonly digest: string }
  | { readonly status: 'started', readonly startSeq: number }
  /** `result`: digest of what the call came to; `times`: in how many steps in a row. */
  | { readonly status: 'ended', readonly result: string, readonly times: number }
)

export type WaitingCall = Extract<CallState, { status: 'waiting' }>

/** What a run was accepted with. */
export interface AcceptedRun {
  readonly runId: string
  readonly messageId: string
  readonly firstSeq: number
  readonly model: string
  readonly limits: RunLimits
  readonly onApproval: OnApproval
  readonly cancelOnDisconnect: boolean
  readonly createdAt: string
}

export interface ActiveRun extends AcceptedRun {
  readonly startedAt: string
  readonly steps: number
  readonly usage: Usage
  /** The calls of the current step, in the model's order; all ended, or none: the model is next. */
  readonly calls: readonly CallState[]
  /** Results of the step before, by digest: in how many steps in a row they came. */
  readonly repeated: Readonly<Record<string, number>>
  /** The model's last message asked for nothing: the run can end. */
  readonly answered: boolean
  readonly text: string | null
  readonly finishReason: EventOf<'assistant_message'>['finishReason'] | null
  readonly cancelRequested: boolean
  /** Time at work until `workingSince`. */
  readonly workedMs: number
  /** Null while it waits for a decision. */
  readonly workingSince: string | null
  /** Restarts since the last progress. */
  readonly resumes: number
}

/** The fold of a session's log: what is needed to list, to decide and to recover; no transcript. Plain JSON. */
export interface SessionState {
  readonly sessionId: string
  readonly seq: number
  readonly externalId: string | null
  readonly title: string | null
  readonly model: string
  readonly instructions: string | null
  readonly policy: Policy
  readonly limits: RunLimits
  readonly metadata: Metadata
  readonly usage: Usage
  readonly createdBy: By
  readonly createdAt: string
  readonly updatedAt: string
  readonly ended: boolean
  /** The model that the current prompt was made for. */
  readonly promptModel: string | null
  readonly run: ActiveRun | null
  readonly queue: readonly AcceptedRun[]
  /** Files changed over HTTP since the last run started. */
  readonly changedFiles: readonly string[]
  readonly changedFilesOmitted: number
  /** What the model knows of files, oldest first: path and SHA-256, null for "not there". */
  readonly seen: ReadonlyArray<readonly [string, string | null]>
}

type DraftOf<E> = E extends SessionEvent ? Omit<E, 'seq' | 'at' | 'sessionId'> & { readonly private?: object } : never
/** An event before the log has given it its place. `private` never leaves the server. */
export type EventDraft = DraftOf<SessionEvent>

export function openCalls (run: ActiveRun): CallState[] {
  return run.calls.filter((call) => call.status !== 'ended')
}

export function waitingCalls (run: ActiveRun): WaitingCall[] {
  return run.calls.filter((call) => call.status === 'waiting')
}

/** The first call that has not ended waits for a decision: nothing can go on, since nothing overtakes it. */
export function isPaused (run: ActiveRun): boolean {
  return !run.cancelRequested && openCalls(run)[0]?.status === 'waiting'
}

export function runStatus (run: ActiveRun): 'running' | 'awaiting_approval' {
  return isPaused(run) ? 'awaiting_approval' : 'running'
}

export function seenFile (state: SessionState, path: string): string | null | undefined {
  return state.seen.find(([seenPath]) => seenPath === path)?.[1]
}
