import { callsPerStepMax } from '../limits.ts'
import type { Approval, Run } from '../protocol/resources.ts'
import type { ApprovalRow, EventLog, RunRow } from '../store/event-log.ts'
import type { ApprovalPrivate } from './decide-calls.ts'
import type { ApprovalSummary, RunSummary } from './project.ts'
import { fromStored } from './sessions.ts'
import type { RunRange } from './service.ts'

/** A run's row as a client sees it, with what waits for a decision. */
export async function presentRun (log: EventLog, row: RunRow, team: string | null): Promise<{ run: Run, range: RunRange }> {
  const { run, firstSeq, endSeq } = JSON.parse(row.summary) as RunSummary // written by `toRunRows`
  const waits = run.status === 'awaiting_approval' || run.status === 'running'
  const approvals = waits
    ? (await log.listApprovals({ team, sessionId: row.sessionId, runId: row.runId, status: 'pending', cursor: null, limit: callsPerStepMax })).items
    : []
  return {
    // Lists are newest first; people decide in the order of the calls.
    run: { ...run, approvals: await Promise.all([...approvals].reverse().map((row) => presentApproval(log, row))) },
    range: { firstSeq, endSeq }
  }
}

/** An approval's row with its arguments and the preview, whole as they were when the question was asked. */
export async function presentApproval (log: EventLog, row: ApprovalRow): Promise<Approval> {
  const summary = JSON.parse(row.summary) as ApprovalSummary // written by `toApprovalRows`
  const required = await log.readEvent(row.sessionId, row.requiredSeq)
  const event = required === null ? null : fromStored(required)
  if (required === null || event?.type !== 'approval_required') throw new Error(`no approval_required at seq ${row.requiredSeq} of ${row.sessionId}`)
  const whole = required.private === null ? null : JSON.parse(required.private) as ApprovalPrivate // written by `approvalRequired`
  return {
    callId: row.callId,
    sessionId: row.sessionId,
    runId: row.runId,
    round: summary.round,
    tool: summary.tool,
    arguments: event.editedArguments?.arguments ?? await madeArguments(log, row),
    preview: whole?.preview ?? event.preview,
    rememberRule: whole?.rememberRule ?? null,
    digest: summary.digest,
    status: row.status,
    requestedAt: summary.requestedAt,
    expiresAt: summary.expiresAt,
    decidedAt: summary.decidedAt,
    by: summary.by,
    reason: summary.reason
  }
}

async function madeArguments (log: EventLog, row: ApprovalRow): Promise<Approval['arguments']> {
  const stored = await log.readEvent(row.sessionId, row.argumentsSeq)
  const event = stored === null ? null : fromStored(stored)
  if (event?.type === 'approval_required') return event.editedArguments?.arguments ?? {}
  return event?.type === 'assistant_message' ? event.calls.find((call) => call.callId === row.callId)?.arguments ?? {} : {}
}
