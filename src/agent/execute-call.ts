import { performance } from 'node:perf_hooks'
import { toolError, ToolFailure } from '../errors.ts'
import { shownLengthMax } from '../limits.ts'
import type { JsonObject, Usage } from '../protocol/common.ts'
import type { Plan, ToolResult } from '../tools/tool.ts'
import type { Drive } from './drive.ts'
import { mayShow } from './policy/may-show.ts'
import type { UsableCall } from './plan-step.ts'
import type { CallEndDraft } from './settle.ts'

export interface EndedCall {
  readonly usable: UsableCall
  readonly plan: Plan
  readonly outcome: ToolResult | ToolFailure
  readonly durationMs: number
}

/** Rejects only when the server stops: whatever else goes wrong is the call's result. */
export async function execute (drive: Drive, usable: UsableCall, plan: Plan): Promise<EndedCall> {
  const startedAt = performance.now()
  const outcome = await outcomeOf(drive, usable, plan)
  return { usable, plan, outcome, durationMs: Math.round(performance.now() - startedAt) }
}

async function outcomeOf (drive: Drive, { call, tool }: UsableCall, plan: Plan): Promise<ToolResult | ToolFailure> {
  try {
    const context = await drive.executeContext(drive.run?.runId ?? '', call.callId)
    return await tool.execute(plan, { ...context, mayShow: (path) => mayShow(drive.context.serverPolicy, drive.state.policy, plan, path) })
  } catch (error) {
    if (error instanceof ToolFailure) return error.code === 'cancelled' && drive.callSignal.reason === 'shutdown' ? cutShort(error) : error
    // It stays as started: the next server finds out by its effects whether it was done, and does it if not.
    if (drive.callSignal.reason === 'shutdown') throw error
    if (drive.callSignal.aborted) return new ToolFailure('cancelled', 'The call was stopped.')
    drive.context.logger.error({ err: error, tool: tool.name, callId: call.callId }, 'a tool failed in a way that it does not name')
    return new ToolFailure('internal', 'The tool failed.')
  }
}

/** Nobody cancelled it, and the run goes on with the next start. */
function cutShort ({ message }: ToolFailure): ToolFailure {
  return new ToolFailure('interrupted', `The server was stopped while this call ran. ${message}`, 'Look at what is there before you go on; do not repeat the call blindly.')
}

export function callEnd (runId: string, { usable, plan, outcome, durationMs }: EndedCall): CallEndDraft {
  return outcome instanceof ToolFailure
    ? failedCall(runId, usable, outcome, durationMs)
    : succeededCall(runId, usable, plan.arguments, outcome, durationMs)
}

export function succeededCall (runId: string, { call, tool }: UsableCall, args: JsonObject, result: ToolResult, durationMs: number): CallEndDraft {
  const diff = result.diff === null ? null : result.diff.slice(0, shownLengthMax)
  const note = call.edited ? `A person changed the arguments of this call; what ran: ${JSON.stringify(args)}\n` : ''
  return {
    type: 'tool_call_end',
    runId,
    callId: call.callId,
    tool: tool.name,
    ok: true,
    content: note + result.content,
    diff,
    verified: result.verified,
    durationMs,
    truncated: result.truncated || diff !== result.diff,
    ...(result.seen.length === 0 ? {} : { seen: [...result.seen] })
  }
}

/** @param usage what the model was asked for to plan it, where no event has told */
export function failedCall (runId: string, { call, tool }: UsableCall, failure: ToolFailure, durationMs: number, usage: Usage | null = null): CallEndDraft {
  const note = call.edited ? 'A person changed the arguments of this call. ' : ''
  return {
    type: 'tool_call_end',
    runId,
    callId: call.callId,
    tool: tool.name,
    ok: false,
    error: toolError(failure.code, note + failure.message, failure.suggestion),
    diff: null,
    verified: null,
    durationMs,
    truncated: false,
    ...(usage === null ? {} : { usage })
  }
}
