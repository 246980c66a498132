import type { ApprovalStatus, Run, Session, SessionStatus } from '../protocol/resources.ts'
import { unknownUsage, type By } from '../protocol/common.ts'
import type { EventOf, SessionEvent } from '../protocol/events.ts'
import type { ApprovalRow, HeadRow, RunRow } from '../store/event-log.ts'
import { teamOf } from './caller.ts'
import { isPaused, runStatus, waitingCalls, stateVersion, type AcceptedRun, type SessionState } from './state.ts'

/** What a run's row keeps beside its index columns. */
export interface RunSummary { readonly run: Omit<Run, 'approvals'>, readonly firstSeq: number, readonly endSeq: number | null }

/** What an approval's row keeps beside its index columns. */
export interface ApprovalSummary {
  readonly round: number
  readonly tool: string
  readonly digest: string
  readonly requestedAt: string
  readonly expiresAt: string | null
  readonly decidedAt: string | null
  readonly by: By | null
  readonly reason: string | null
}

export function toHead (state: SessionState): HeadRow {
  const expiries = state.run === null || state.run.cancelRequested ? [] : waitingCalls(state.run).flatMap((call) => call.expiresAt ?? [])
  return {
    sessionId: state.sessionId,
    seq: state.seq,
    team: teamOf(state.createdBy.name ?? null),
    externalId: state.externalId,
    status: sessionStatus(state),
    ended: state.ended,
    unsettled: state.run === null ? state.queue.length > 0 : !isPaused(state.run),
    nextExpiryAt: expiries.sort()[0] ?? null,
    metadata: state.metadata,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    stateVersion,
    state: JSON.stringify(state)
  }
}

export function sessionStatus (state: SessionState): SessionStatus {
  if (state.run !== null) return runStatus(state.run)
  return state.queue.length > 0 ? 'running' : 'idle'
}

/** The row of every run that the events change. */
export function toRunRows (before: SessionState | null, events: readonly SessionEvent[], after: SessionState): RunRow[] {
  const rows = new Map<string, RunRow>()
  const known = new Map<string, AcceptedRun>([...(before?.queue ?? []), ...(before?.run ? [before.run] : [])].map((run) => [run.runId, run]))
  for (const event of events) if (event.type === 'user_message') known.set(event.runId, { ...event, firstSeq: event.seq, createdAt: event.at })
  const touched = new Set(events.flatMap((event) => 'runId' in event ? [event.runId] : []))
  for (const runId of touched) {
    const accepted = known.get(runId)
    if (accepted === undefined || isSameRun(before, after, runId)) continue
    const end = events.find((event): event is EventOf<'run_end'> => event.type === 'run_end' && event.runId === runId)
    const summary = runSummary(accepted, after, end, startedAt(before, events, runId))
    rows.set(runId, { runId, sessionId: after.sessionId, status: summary.run.status, summary: JSON.stringify(summary) })
  }
  return [...rows.values()]
}

/** Calls that start and end change nothing that the run's row shows. */
function isSameRun (before: SessionState | null, after: SessionState, runId: string): boolean {
  const [was, is] = [before?.run, after.run]
  return was?.runId === runId && is?.runId === runId && runStatus(was) === runStatus(is) &&
    was.usage === is.usage && was.steps === is.steps && was.text === is.text
}

function startedAt (before: SessionState | null, events: readonly SessionEvent[], runId: string): string | null {
  if (before?.run?.runId === runId) return before.run.startedAt
  return events.find((event) => event.type === 'run_start' && event.runId === runId)?.at ?? null
}

function runSummary (accepted: AcceptedRun, after: SessionState, end: EventOf<'run_end'> | undefined, startedAt: string | null): RunSummary {
  const active = after.run?.runId === accepted.runId ? after.run : null
  return {
    run: {
      id: accepted.runId,
      sessionId: after.sessionId,
      messageId: accepted.messageId,
      status: end?.status ?? (active === null ? 'queued' : runStatus(active)),
      finishReason: end?.finishReason ?? null,
      text: end?.text ?? active?.text ?? null,
      error: end?.error ?? null,
      usage: end?.usage ?? active?.usage ?? unknownUsage,
      steps: end?.steps ?? active?.steps ?? 0,
      createdAt: accepted.createdAt,
      startedAt,
      endedAt: end?.at ?? null
    },
    firstSeq: accepted.firstSeq,
    endSeq: end?.seq ?? null
  }
}

/** The row of every approval that the events ask for or settle. */
export function toApprovalRows (before: SessionState | null, events: readonly SessionEvent[]): ApprovalRow[] {
  const rows = new Map<string, ApprovalRow>()
  const team = teamOf(before?.createdBy.name ?? null)
  for (const event of events) {
    if (event.type === 'approval_required') {
      const summary: ApprovalSummary = {
        round: event.round,
        tool: event.tool,
        digest: event.digest,
        requestedAt: event.at,
        expiresAt: event.expiresAt,
        decidedAt: null,
        by: null,
        reason: null
      }
      rows.set(event.callId, {
        callId: event.callId,
        sessionId: event.sessionId,
        runId: event.runId,
        team,
        status: 'pending',
        requiredSeq: event.seq,
        argumentsSeq: event.editedArguments !== undefined ? event.seq : argumentsSeq(before, events, event.callId),
        summary: JSON.stringify(summary)
      })
    }
    if (event.type === 'approval_resolved' && event.outcome !== 'replaced') {
      const row = rows.get(event.callId) ?? pendingRow(before, event, team)
      if (row === null) continue
      const summary = JSON.parse(row.summary) as ApprovalSummary // written by this file
      const decided: ApprovalSummary = { ...summary, decidedAt: event.at, by: event.by, reason: event.reason }
      rows.set(event.callId, { ...row, status: event.outcome satisfies ApprovalStatus, summary: JSON.stringify(decided) })
    }
  }
  return [...rows.values()]
}

/** The row as it stands in the store, made again from the state, which knows all of it while the call waits. */
function pendingRow (before: SessionState | null, event: EventOf<'approval_resolved'>, team: string | null): ApprovalRow | null {
  const call = before?.run?.calls.find((call) => call.callId === event.callId)
  if (call?.status !== 'waiting') return null
  const summary: ApprovalSummary = {
    round: call.round,
    tool: call.tool,
    digest: call.digest,
    requestedAt: call.requestedAt,
    expiresAt: call.expiresAt,
    decidedAt: null,
    by: null,
    reason: null
  }
  return {
    callId: call.callId,
    sessionId: event.sessionId,
    runId: event.runId,
    team,
    status: 'pending',
    requiredSeq: call.requiredSeq,
    argumentsSeq: call.argumentsSeq,
    summary: JSON.stringify(summary)
  }
}

function argumentsSeq (before: SessionState | null, events: readonly SessionEvent[], callId: string): number {
  const call = before?.run?.calls.find((call) => call.callId === callId)
  if (call !== undefined) return call.argumentsSeq
  return events.find((event) => event.type === 'assistant_message' && event.calls.some((call) => call.callId === callId))?.seq ?? 0
}

export function toSession (state: SessionState): Session {
  return {
    id: state.sessionId,
    externalId: state.externalId,
    status: sessionStatus(state),
    title: state.title,
    model: state.model,
    instructions: state.instructions,
    policy: state.policy,
    limits: state.limits,
    metadata: state.metadata,
    usage: state.usage,
    createdBy: state.createdBy,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    lastSeq: state.seq
  }
}
