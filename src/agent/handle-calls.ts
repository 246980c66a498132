import { ToolFailure } from '../errors.ts'
import { safeCallsAtOnce } from '../limits.ts'
import { decidePlanned, type PlannedCall } from './decide-calls.ts'
import type { Drive } from './drive.ts'
import { callEnd, execute, failedCall } from './execute-call.ts'
import { planCall, planInOrder, sortOut, type UsableCall } from './plan-step.ts'
import { beginCalls, commitCalls, idsOf, onlyRunEnd, seeThrough } from './safe-calls.ts'

/**
 * Moves the open calls of the step on by one: ends those that cannot be run, asks about the dangerous ones, all at
 * once, then acts on the first that has not ended. Nothing overtakes a dangerous call; neighbouring safe calls run
 * side by side.
 */
export async function handleCalls (drive: Drive): Promise<void> {
  const { usable, rejected } = await sortOut(drive)
  if (rejected.length > 0) {
    await drive.commit((_state, run) => rejected.filter(({ callId }) => run.calls.some((call) => call.status === 'new' && call.callId === callId)))
    return
  }
  if (await survey(drive, usable)) return
  const first = usable[0]
  if (first === undefined) return
  if (first.tool.dangerous) {
    await actOn(drive, first)
    return
  }
  const calls = await beginCalls(drive, leadingSafe(usable), drive.state)
  await seeThrough(drive, calls, await commitCalls(drive, calls, []))
}

/**
 * Plans the dangerous calls that nobody has looked at and asks where policy asks, in one append.
 * @returns whether anything was appended
 */
async function survey (drive: Drive, usable: readonly UsableCall[]): Promise<boolean> {
  const isFresh = ({ call }: UsableCall): boolean => call.status === 'new' && !drive.surveyed.has(call.callId)
  const dangerous = usable.filter(({ tool }) => tool.dangerous)
  if (!dangerous.some(isFresh)) return false
  const outcomes = (await planInOrder(drive, dangerous)).filter(({ usable, status }) => isFresh(usable) && status !== 'deferred')
  for (const { usable } of outcomes) drive.surveyed.add(usable.call.callId)
  drive.context.checkpoint('planned')
  const result = await drive.commit((state, run, now) => {
    if (run.cancelRequested) return []
    const drafts = outcomes.map((outcome) => outcome.status === 'planned'
      ? decidePlanned(state, outcome.planned, drive.context.serverPolicy, now)
      : outcome.status === 'failed' ? [failedCall(run.runId, outcome.usable, outcome.failure, 0, drive.planning.spent(outcome.usable.call.callId))] : [])
    return onlyRunEnd(drafts)
  })
  return result.status === 'committed'
}

function leadingSafe (usable: readonly UsableCall[]): UsableCall[] {
  const end = usable.findIndex(({ tool }) => tool.dangerous)
  return usable.slice(0, end === -1 ? usable.length : end).slice(0, safeCallsAtOnce)
}

async function actOn (drive: Drive, usable: UsableCall): Promise<void> {
  const planned = await planCall(drive, usable, new Map(), true)
  if (planned instanceof ToolFailure) {
    await drive.commit((_state, run) => run.cancelRequested ? [] : [failedCall(run.runId, usable, planned, 0, drive.planning.spent(usable.call.callId))])
    return
  }
  if (!await start(drive, planned)) return
  drive.context.checkpoint('started')
  const ended = await execute(drive, usable, planned.plan)
  drive.context.checkpoint('executed')
  await drive.commit((_state, run) => [callEnd(run.runId, ended)])
  drive.context.checkpoint('call_ended')
}

/** @returns whether the call may act: its start is in the log */
async function start (drive: Drive, planned: PlannedCall): Promise<boolean> {
  const result = await drive.commit((state, _run, now) => decidePlanned(state, planned, drive.context.serverPolicy, now))
  return idsOf(result, 'tool_call_start').has(planned.callId)
}
