import { setImmediate } from 'node:timers/promises'
import { ToolFailure } from '../errors.ts'
import { quickCallMs } from '../limits.ts'
import { decidePlanned, type PlannedCall } from './decide-calls.ts'
import { Drafting } from './drafting.ts'
import type { Drive } from './drive.ts'
import { callEnd, execute, failedCall, type EndedCall } from './execute-call.ts'
import { planCall, type UsableCall } from './plan-step.ts'
import type { CommitResult } from './sessions.ts'
import type { EventDraft, SessionState } from './state.ts'

/** Safe calls that have begun, before the log tells that they have. */
export interface BegunCalls {
  readonly planned: ReadonlyArray<{ readonly usable: UsableCall, readonly outcome: PlannedCall | ToolFailure }>
  readonly running: ReadonlyArray<{ readonly callId: string, readonly ended: Promise<EndedCall> }>
  /** By call, as they end. */
  readonly done: ReadonlyMap<string, EndedCall>
}

export const noCalls: BegunCalls = { planned: [], running: [], done: new Map() }

/**
 * Safe calls only read, so they begin before their start is in the log: those that end at once have start and end in
 * one append.
 * @param state in which the calls are open; it may be ahead of the log
 */
export async function beginCalls (drive: Drive, calls: readonly UsableCall[], state: SessionState): Promise<BegunCalls> {
  const planned = await Promise.all(calls.map(async (usable) => ({ usable, outcome: await planCall(drive, usable, new Map(), true) })))
  const done = new Map<string, EndedCall>()
  const running = planned.flatMap(({ usable, outcome }) => {
    if (outcome instanceof ToolFailure || !decide(drive, outcome, state, drive.context.sessions.now()).some(isStart)) return []
    const ended = execute(drive, usable, outcome.plan)
    ended.then((ended) => { done.set(usable.call.callId, ended) }, () => {}) // awaited by `seeThrough`
    return [{ callId: usable.call.callId, ended }]
  })
  await within(quickCallMs, Promise.allSettled(running.map(({ ended }) => ended)))
  return { planned, running, done }
}

/**
 * Commits what the calls came to so far, behind what leads to them.
 * @param leading what stands before the calls, in the same append
 */
export async function commitCalls (drive: Drive, calls: BegunCalls, leading: readonly EventDraft[]): Promise<CommitResult> {
  return await drive.commit((before, run, now) => {
    if (run.cancelRequested) return leading
    const state = new Drafting(before.sessionId, before, now).add(...leading).state ?? before
    const drafts = onlyRunEnd(calls.planned.map(({ usable, outcome }) => outcome instanceof ToolFailure
      ? [failedCall(run.runId, usable, outcome, 0)]
      : decide(drive, outcome, state, now)))
    const ends = drafts.filter(isStart).flatMap(({ callId }) => {
      const ended = calls.done.get(callId)
      return ended === undefined ? [] : [callEnd(run.runId, ended)]
    })
    return [...leading, ...drafts, ...ends]
  })
}

/** Sees the rest through. A call that was not started in the end, for a cancel came first, is awaited and comes to nothing. */
export async function seeThrough (drive: Drive, calls: BegunCalls, result: CommitResult): Promise<void> {
  const started = idsOf(result, 'tool_call_start')
  const ended = idsOf(result, 'tool_call_end')
  if (started.size > 0) drive.context.checkpoint('started')
  const left = calls.running.filter(({ callId }) => !ended.has(callId))
  await endAsTheyCome(drive, left.filter(({ callId }) => started.has(callId)).map(({ ended }) => ended))
  await Promise.all(left.map(({ ended }) => ended))
}

/** What ends the run ends it alone: it settles the other calls too. */
export function onlyRunEnd (drafts: readonly EventDraft[][]): EventDraft[] {
  return drafts.find((some) => some.some(({ type }) => type === 'run_end')) ?? drafts.flat()
}

export function idsOf (result: CommitResult, type: 'tool_call_start' | 'tool_call_end'): ReadonlySet<string> {
  return new Set(result.status === 'committed' ? result.events.flatMap((event) => event.type === type ? [event.callId] : []) : [])
}

function decide (drive: Drive, outcome: PlannedCall, state: SessionState, now: string): EventDraft[] {
  return decidePlanned(state, outcome, drive.context.serverPolicy, now)
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

function isStart (draft: EventDraft): draft is Extract<EventDraft, { type: 'tool_call_start' }> {
  return draft.type === 'tool_call_start'
}
