import { AgentError } from '../errors.ts'
import type { By, Metadata, Policy, RunLimits } from '../protocol/common.ts'
import { logVersion } from '../protocol/events.ts'
import { Drafting } from './drafting.ts'
import { endQueued, endRun } from './settle.ts'
import type { EventDraft, SessionState } from './state.ts'

export interface SessionSettings {
  readonly externalId: string | null
  readonly title: string | null
  readonly model: string
  readonly instructions: string | null
  readonly policy: Policy
  readonly limits: RunLimits
  readonly metadata: Metadata
}

export function decideCreate (state: SessionState | null, settings: SessionSettings, by: By): EventDraft[] {
  return state === null ? [{ type: 'session_start', ...settings, createdBy: by, logVersion }] : []
}

export interface SessionChanges {
  readonly title?: string | null
  readonly model?: string
  readonly policy?: Policy
  readonly limits?: RunLimits
  readonly metadata?: Metadata
}

/** Only what really changes is told; nothing changed: no event. */
export function decideUpdate (state: SessionState | null, changesOf: (state: SessionState) => SessionChanges, by: By): EventDraft[] {
  if (state === null || state.ended) throw sessionGone()
  const entries = Object.entries(changesOf(state)).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(state[key as keyof SessionChanges]))
  return entries.length === 0 ? [] : [{ type: 'session_update', changes: Object.fromEntries(entries), by }]
}

/** Settles what hangs on the session, then ends it. `running`: something runs that has to be awaited first. */
export function decideDelete (state: SessionState | null, by: By, now: string): EventDraft[] {
  if (state === null || state.ended) throw sessionGone()
  const drafting = new Drafting(state.sessionId, state, now)
  const drafts: EventDraft[] = []
  const add = (...more: EventDraft[]): void => {
    drafts.push(...more)
    drafting.add(...more)
  }
  for (const queued of state.queue) add(endQueued(queued))
  const run = drafting.state?.run
  if (run) {
    if (!run.cancelRequested) add({ type: 'cancel_requested', runId: run.runId, by, reason: 'The session was deleted.' })
    const cancelled = drafting.state?.run
    if (cancelled) add(...endRun(cancelled, { status: 'cancelled', finishReason: 'cancelled' }, now))
  }
  add({ type: 'session_end', by })
  return drafts
}

export function sessionGone (): AgentError {
  return new AgentError('session_not_found', 'There is no session with this id.', { suggestion: 'GET /sessions lists them.' })
}
