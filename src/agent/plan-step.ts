import { ToolFailure } from '../errors.ts'
import type { JsonObject } from '../protocol/common.ts'
import { shortenPreview } from '../tools/preview.ts'
import { findTool } from '../tools/find-tool.ts'
import type { Tool } from '../tools/tool.ts'
import { isBeyondBound, type PlannedCall } from './decide-calls.ts'
import type { CallArguments, Drive } from './drive.ts'
import { callFailed, type CallEndDraft } from './settle.ts'
import { openCalls, type ActiveRun, type CallState } from './state.ts'

/** A call that can be planned: its tool is known and its arguments are JSON. */
export interface UsableCall { readonly call: CallState, readonly tool: Tool, readonly arguments: JsonObject }

/** What planning a call came to. Deferred: what earlier calls do to its paths cannot be foreseen; it is planned when they have ended. */
export type PlanOutcome =
  | { readonly status: 'planned', readonly usable: UsableCall, readonly planned: PlannedCall }
  | { readonly status: 'failed', readonly usable: UsableCall, readonly failure: ToolFailure }
  | { readonly status: 'deferred', readonly usable: UsableCall }

/** The open calls of the step, and the ends of those that cannot be run: unknown tools, unusable arguments. */
export async function sortOut (
  drive: Drive, run: ActiveRun | null = drive.run, argumentsOf: (call: CallState) => Promise<CallArguments> = (call) => drive.arguments(call)
): Promise<{ usable: UsableCall[], rejected: CallEndDraft[] }> {
  const usable: UsableCall[] = []
  const rejected: CallEndDraft[] = []
  if (run === null) return { usable, rejected }
  for (const call of openCalls(run)) {
    const found = findTool(drive.context.tools, call.tool)
    const { arguments: args, invalid } = await argumentsOf(call)
    if ('error' in found) rejected.push({ ...callFailed(run.runId, call, 'unknown_tool', ''), error: found.error })
    else if (invalid !== null) rejected.push(callFailed(run.runId, call, 'invalid_arguments', invalidText(invalid), 'Make the call again with one JSON object as arguments.'))
    else if (isBeyondBound(run, call.callId)) rejected.push(callFailed(run.runId, call, 'not_run', 'Too many calls in one message. Nothing was done.', 'Make fewer calls at once.'))
    else usable.push({ call, tool: found.tool, arguments: args })
  }
  return { usable, rejected }
}

/** Plans dangerous calls in the model's order, each on what the ones before it will leave. */
export async function planInOrder (drive: Drive, calls: readonly UsableCall[]): Promise<PlanOutcome[]> {
  const outcomes: PlanOutcome[] = []
  const contents = new Map<string, Uint8Array | null>()
  const leaving: string[] = []
  for (const usable of calls) {
    if (overlaps(usable, usable.tool.seesPlanned ? leaving : [...leaving, ...contents.keys()])) {
      outcomes.push({ status: 'deferred', usable })
      continue
    }
    const planned = await planCall(drive, usable, contents, false)
    if (planned instanceof ToolFailure) {
      outcomes.push({ status: 'failed', usable, failure: planned })
      continue
    }
    for (const [path, content] of planned.plan.contents) contents.set(path, content)
    if (planned.plan.effects.some(({ after }) => after.type === 'absent')) leaving.push(...planned.plan.paths)
    outcomes.push({ status: 'planned', usable, planned })
  }
  return outcomes
}

/** The plan of one waiting call, with other arguments where a person changed them. Null: the call is not there, or deferred. */
export async function planStep (drive: Drive, callId: string, args: JsonObject | null): Promise<PlannedCall | ToolFailure | null> {
  const { usable } = await sortOut(drive)
  const until = usable.findIndex(({ call }) => call.callId === callId)
  const calls = usable.slice(0, until + 1).filter(({ tool }) => tool.dangerous)
    .map((usable) => usable.call.callId === callId && args !== null ? { ...usable, arguments: args } : usable)
  const outcome = (await planInOrder(drive, calls)).at(-1)
  if (outcome?.usable.call.callId !== callId || outcome.status === 'deferred') return null
  return outcome.status === 'planned' ? outcome.planned : outcome.failure
}

export async function planCall (
  drive: Drive, { call, tool, arguments: args }: UsableCall, contents: ReadonlyMap<string, Uint8Array | null>, mayStart: boolean
): Promise<PlannedCall | ToolFailure> {
  try {
    const plan = await tool.prepare(args, await drive.prepareContext(call, contents))
    if (plan.resolved !== undefined) drive.planning.keep(call.callId, plan.resolved)
    return { callId: call.callId, tool, plan, shortPreview: shortenPreview(plan.preview), mayStart, usage: drive.planning.spent(call.callId) }
  } catch (error) {
    if (error instanceof ToolFailure) return error
    throw error
  }
}

function overlaps ({ arguments: args }: UsableCall, leaving: readonly string[]): boolean {
  const paths = [args['path'], args['from'], args['to']].flatMap((path) => typeof path === 'string' ? [path.replace(/^(\.?\/+)+/, '').replace(/\/+$/, '')] : [])
  return paths.some((path) => leaving.some((left) => path === left || path.startsWith(`${left}/`) || left.startsWith(`${path}/`)))
}

function invalidText ({ reason, text }: { reason: string, text: string }): string {
  const shown = JSON.stringify(text.length > 200 ? `${text.slice(0, 100)} … ${text.slice(-100)}` : text)
  switch (reason) {
    case 'truncated': return `The arguments were cut at the model's output limit: ${shown}. Nothing was done.`
    case 'not_an_object': return `The arguments are JSON, but no object: ${shown}. Nothing was done.`
    default: return `The arguments are not valid JSON: ${shown}. Nothing was done.`
  }
}
