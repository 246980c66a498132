import { quickCallMs, safeCallsAtOnce } from '../limits.ts'
import { ToolFailure } from '../errors.ts'
import { setImmediate } from 'node:timers/promises'
import { decidePlanned, type PlannedCall } from './decide-calls.ts'
import type { Drive } from './drive.ts'
import { callEnd, execute, failedCall, type EndedCall } from './execute-call.ts'
import { planCall, planInOrder, sortOut, type UsableCall } from './plan-step.ts'
import type { CommitResult } from './sessions.ts'
import type { EventDraft, SessionState } from './state.ts'

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
  if (first.tool.dangerous) await actOn(drive, first)
  else await actSideBySide(drive, leadingSafe(usable))
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

/** What ends the run ends it alone: it settles the other calls too. */
function onlyRunEnd (drafts: readonly EventDraft[][]): EventDraft[] {
  return drafts.find((some) => some.some(({ type }) => type === 'run_end')) ?? drafts.flat()
}

function leadingSafe (usable: readonly UsableCall[]): UsableCall[] {
  const end = usable.findIndex(({ tool }) => tool.dangerous)
  return usable.slice(0, end === -1 ? usable.length : end).slice(0, safeCallsAtOnce)
}

/**
 * Safe calls only read, so they begin before their start is in the log: those that end at once have start and end in
 * one append. A call that is not started in the end, for a cancel came first, is awaited and comes to nothing.
 */
async function actSideBySide (drive: Drive, calls: readonly UsableCall[]): Promise<void> {
  const planned = await Promise.all(calls.map(async (usable) => ({ usable, outcome: await planCall(drive, usable, new Map(), true) })))
  const decide = (outcome: PlannedCall, state: SessionState, now: string): EventDraft[] => decidePlanned(state, outcome, drive.context.serverPolicy, now)
  const done = new Map<string, EndedCall>()
  const running = planned.flatMap(({ usable, outcome }) => {
    if (outcome instanceof ToolFailure || !decide(outcome, drive.state, drive.context.sessions.now()).some(isStart)) return []
    const ended = execute(drive, usable, outcome.plan)
    void ended.then((ended) => { done.set(usable.call.callId, ended) })
    return [{ callId: usable.call.callId, ended }]
  })
  await within(quickCallMs, Promise.all(running.map(({ ended }) => ended)))
  const result = await drive.commit((state, run, now) => {
    if (run.cancelRequested) return []
    const drafts = onlyRunEnd(planned.map(({ usable, outcome }) => outcome instanceof ToolFailure
      ? [failedCall(run.runId, usable, outcome, 0)]
      : decide(outcome, state, now)))
    const ends = drafts.filter(isStart).flatMap(({ callId }) => {
      const ended = done.get(callId)
      return ended === undefined ? [] : [callEnd(run.runId, ended)]
    })
    return [...drafts, ...ends]
  })
  const started = idsOf(result, 'tool_call_start')
  const ended = idsOf(result, 'tool_call_end')
  if (started.size > 0) drive.context.checkpoint('started')
  const left = running.filter(({ callId }) => !ended.has(callId))
  await endAsTheyCome(drive, left.filter(({ callId }) => started.has(callId)).map(({ ended }) => ended))
  await Promise.all(left.map(({ ended }) => ended))
}

/** Resolves when `work` does, and after `ms` at the latest. `work` must not reject. */
async function within (ms: number, work: Promise<unknown>): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    void work.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Results that are there at the same time share an append; a slow call keeps no quick one waiting. */
async function endAsTheyCome (drive: Drive, running: ReadonlyArray<Promise<EndedCall>>): Promise<void> {
  const done: EndedCall[] = []
  const pending = new Set<Promise<void>>()
  for (const promise of running) {
    const noted: Promise<void> = promise.then((ended) => {
      done.push(ended)
      pending.delete(noted)
    })
    pending.add(noted)
  }
  while (pending.size + done.length > 0) {
    if (done.length === 0) await Promise.race(pending)
    await setImmediate()
    const batch = done.splice(0)
    await drive.commit((_state, run) => batch.map((ended) => callEnd(run.runId, ended)))
  }
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

function isStart (draft: EventDraft): draft is Extract<EventDraft, { type: 'tool_call_start' }> {
  return draft.type === 'tool_call_start'
}

function idsOf (result: CommitResult, type: 'tool_call_start' | 'tool_call_end'): ReadonlySet<string> {
  return new Set(result.status === 'committed' ? result.events.flatMap((event) => event.type === type ? [event.callId] : []) : [])
}
