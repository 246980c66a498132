import type { EventOf, SessionEvent } from '../protocol/events.ts'

interface CallFacts { runId: string, rounds: number, open: { round: number, digest: string } | null, approved: string | null, starts: number, ends: number }
interface RunFacts { starts: number, cancelled: boolean, ended: boolean, openCalls: Set<string> }

/**
 * The law of the log: what must hold in every log of every session, also of one whose server was killed.
 * Pure; used by the tests and by the torture test.
 * @returns the violations in words, none for a lawful log
 */
export function checkLog (events: readonly SessionEvent[]): string[] {
  const faults: string[] = []
  const calls = new Map<string, CallFacts>()
  const runs = new Map<string, RunFacts>()
  const messageIds = new Set<string>()
  let active: string | null = null
  let ended = false

  const fault = (event: SessionEvent, text: string): void => { faults.push(`seq ${event.seq} ${event.type}: ${text}`) }
  const runOf = (event: SessionEvent & { runId: string }): RunFacts => {
    const run = runs.get(event.runId)
    if (run !== undefined) {
      if (run.ended) fault(event, `run ${event.runId} had ended`)
      return run
    }
    fault(event, `run ${event.runId} was never accepted`)
    return { starts: 0, cancelled: false, ended: false, openCalls: new Set() }
  }
  const callOf = (event: SessionEvent & { callId: string, runId: string }): CallFacts => {
    const call = calls.get(event.callId)
    if (call !== undefined && call.runId === event.runId) return call
    fault(event, `call ${event.callId} was never made in this run`)
    return { runId: event.runId, rounds: 0, open: null, approved: null, starts: 0, ends: 0 }
  }
  const newMessage = (event: EventOf<'user_message'> | EventOf<'assistant_message'>): void => {
    if (messageIds.has(event.messageId)) fault(event, 'messageId used twice')
    messageIds.add(event.messageId)
  }

  for (const [index, event] of events.entries()) {
    if (event.seq !== index + 1) fault(event, `expected seq ${index + 1}`)
    if ((event.type === 'session_start') !== (index === 0)) fault(event, 'a log begins with session_start, once')
    if (ended) fault(event, 'follows session_end')
    if (event.sessionId !== events[0]?.sessionId) fault(event, 'another session')

    switch (event.type) {
      case 'session_start': case 'session_update': case 'files_changed': break
      case 'session_end': ended = true; break
      case 'prompt_set': case 'compaction': runOf(event); break
      case 'user_message':
        newMessage(event)
        if (runs.has(event.runId)) fault(event, 'runId used twice')
        runs.set(event.runId, { starts: 0, cancelled: false, ended: false, openCalls: new Set() })
        break
      case 'run_start': {
        const run = runOf(event)
        if (event.resumed !== (run.starts > 0)) fault(event, 'the first start is not resumed, every other is')
        if (active !== null && active !== event.runId) fault(event, `run ${active} is active`)
        run.starts++
        active = event.runId
        break
      }
      case 'assistant_message': {
        const run = runOf(event)
        newMessage(event)
        if (active !== event.runId) fault(event, 'the run is not active')
        for (const callId of run.openCalls) fault(event, `call ${callId} has no tool_call_end`)
        for (const call of event.calls) {
          if (calls.has(call.callId)) fault(event, `callId ${call.callId} used twice`)
          calls.set(call.callId, { runId: event.runId, rounds: 0, open: null, approved: null, starts: 0, ends: 0 })
          run.openCalls.add(call.callId)
        }
        break
      }
      case 'approval_required': {
        const call = callOf(event)
        runOf(event)
        if (event.round !== call.rounds + 1) fault(event, `round ${event.round} after ${call.rounds}`)
        if (call.open !== null) fault(event, 'the round before is not settled')
        if (call.starts + call.ends > 0) fault(event, 'the call had started or ended')
        call.rounds = event.round
        call.open = { round: event.round, digest: event.digest }
        call.approved = null
        break
      }
      case 'approval_resolved': {
        const call = callOf(event)
        runOf(event)
        if (call.open?.round !== event.round || call.open.digest !== event.digest) fault(event, 'settles nothing that was asked')
        call.open = null
        call.approved = event.outcome === 'approved' ? event.digest : null
        break
      }
      case 'tool_call_start': {
        const call = callOf(event)
        const run = runOf(event)
        if (call.starts++ > 0) fault(event, 'started twice')
        if (call.ends > 0) fault(event, 'had ended')
        if (run.cancelled) fault(event, 'follows cancel_requested')
        if (call.open !== null) fault(event, 'its approval is pending')
        if (call.rounds > 0 && (call.approved === null || call.approved !== event.digest)) fault(event, 'this digest was not approved')
        if (event.dangerous && event.digest === null) fault(event, 'a dangerous call without a digest')
        break
      }
      case 'tool_call_end': {
        const call = callOf(event)
        const run = runOf(event)
        if (call.ends++ > 0) fault(event, 'ended twice')
        if (call.open !== null) fault(event, 'its approval is pending')
        if (event.ok && call.starts === 0) fault(event, 'succeeded without a start')
        if (event.ok ? event.content === undefined : event.error === undefined) fault(event, 'carries neither content nor error')
        run.openCalls.delete(event.callId)
        break
      }
      case 'cancel_requested': {
        const run = runOf(event)
        if (run.cancelled) fault(event, 'requested twice')
        run.cancelled = true
        break
      }
      case 'run_end': {
        const run = runOf(event)
        for (const callId of run.openCalls) fault(event, `call ${callId} has no tool_call_end`)
        if (run.starts === 0 && event.status !== 'cancelled') fault(event, 'a run that never started can only be cancelled')
        if (run.cancelled && event.status !== 'cancelled') fault(event, 'a cancel was requested')
        run.ended = true
        if (active === event.runId) active = null
        break
      }
      default: event satisfies never
    }
  }
  return faults
}
