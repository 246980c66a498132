import type { By, RunError } from '../protocol/common.ts'
import { unknownUsage } from '../protocol/common.ts'
import type { ApprovalOutcome, RunFinishReason } from '../protocol/events.ts'
import type { RunCode, ToolCode } from '../protocol/error-codes.ts'
import { runCodes } from '../protocol/error-codes.ts'
import { toolError } from '../errors.ts'
import { workedMs } from './reduce.ts'
import { openCalls, type AcceptedRun, type ActiveRun, type CallState, type EventDraft } from './state.ts'

export type RunOutcome =
  | { readonly status: 'completed', readonly finishReason: 'stop' | 'max_steps' | 'budget' }
  | { readonly status: 'failed', readonly finishReason: 'error' | 'loop_detected', readonly error: RunError }
  | { readonly status: 'cancelled', readonly finishReason: 'cancelled' }

export function runError (code: RunCode, detail: string, suggestion: string | null = null): RunError {
  return { code, detail, canRetry: runCodes[code].canRetry, suggestion }
}

export type CallEndDraft = Extract<EventDraft, { type: 'tool_call_end' }>

/** A `tool_call_end` that carries an error, for a call that did not run or did not finish. */
export function callFailed (
  runId: string, call: Pick<CallState, 'callId' | 'tool'>, code: ToolCode, error: string, suggestion: string | null = null
): CallEndDraft {
  return {
    type: 'tool_call_end',
    runId,
    callId: call.callId,
    tool: call.tool,
    ok: false,
    error: toolError(code, error, suggestion),
    diff: null,
    verified: null,
    durationMs: 0,
    truncated: false
  }
}

export function approvalResolved (
  runId: string, call: { callId: string, round: number, digest: string }, outcome: ApprovalOutcome, by: By, reason: string | null = null
): EventDraft {
  return { type: 'approval_resolved', runId, callId: call.callId, round: call.round, digest: call.digest, outcome, by, reason, rule: null }
}

/** Everything that must stand before `run_end`, and `run_end`: open approvals, missing ends. One append. */
export function endRun (run: ActiveRun, outcome: RunOutcome, now: string): EventDraft[] {
  const cancelled = outcome.status === 'cancelled'
  const by: By = { kind: cancelled ? 'cancel' : 'policy' }
  const events: EventDraft[] = []
  for (const call of openCalls(run)) {
    if (call.status === 'waiting') events.push(approvalResolved(run.runId, call, 'cancelled', by))
    events.push(call.status === 'started'
      ? callFailed(run.runId, call, 'interrupted', 'The call had started; whether it took effect is not known.', 'Look at what is there before you go on.')
      : cancelled
        ? callFailed(run.runId, call, 'cancelled', 'The run was cancelled before this call ran. Nothing was done.')
        : callFailed(run.runId, call, 'not_run', 'The run ended before this call ran. Nothing was done.'))
  }
  events.push({
    type: 'run_end',
    runId: run.runId,
    status: outcome.status,
    finishReason: outcome.finishReason satisfies RunFinishReason,
    text: run.text,
    error: outcome.status === 'failed' ? outcome.error : null,
    usage: run.usage,
    steps: run.steps,
    durationMs: workedMs(run, now)
  })
  return events
}

/** A run that never started is only ever cancelled. */
export function endQueued (run: AcceptedRun): EventDraft {
  return {
    type: 'run_end',
    runId: run.runId,
    status: 'cancelled',
    finishReason: 'cancelled',
    text: null,
    error: null,
    usage: unknownUsage,
    steps: 0,
    durationMs: 0
  }
}
