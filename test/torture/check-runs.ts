import { stopsMax } from '../../src/limits.ts'
import type { EventOf, SessionEvent } from '../../src/protocol/events.ts'
import { readPlan } from '../support/plan-model.ts'
import type { SessionNotes } from './notes.ts'

type Say = (fault: string) => void
type Count = (name: string, by?: number) => void

/** Every message that was accepted is there once, and its run has settled in a way that somebody asked for. */
export function checkRuns (session: SessionNotes, events: readonly SessionEvent[], say: Say, count: Count): void {
  const messages = events.filter((event) => event.type === 'user_message')
  const tokens = messages.map((event) => readPlan(event.content[0]?.text ?? '')?.token)
  for (const { plan, runId } of session.messages) {
    count('messages')
    const found = messages.filter((_event, index) => tokens[index] === plan.token)
    if (found.length !== 1) say(`message ${plan.token} is in the log ${found.length} times`)
    else if (found[0]?.runId !== runId) say(`message ${plan.token} was given the run ${runId} and has ${found[0]?.runId ?? ''}`)
  }
  for (const [index, { seq }] of messages.entries()) {
    if (!session.messages.some(({ plan }) => plan.token === tokens[index])) say(`seq ${seq} is a message that nobody sent`)
  }
  for (const message of messages) {
    const plan = readPlan(message.content[0]?.text ?? '')
    const own = events.filter((event) => 'runId' in event && event.runId === message.runId)
    const end = own.find((event) => event.type === 'run_end')
    if (end === undefined) {
      say(`run ${message.runId} has not settled`)
      continue
    }
    count(`runs ${end.status}`)
    count('runs resumed', own.filter((event) => event.type === 'run_start' && event.resumed).length)
    const fault = faultOf(end, own, session, plan?.token ?? '')
    if (fault !== null) say(`run ${message.runId}: ${fault}`)
  }
}

function faultOf (end: EventOf<'run_end'>, own: readonly SessionEvent[], session: SessionNotes, token: string): string | null {
  switch (end.status) {
    case 'completed': return end.text === `done ${token}` ? null : `it ended with ${JSON.stringify(end.text)}`
    case 'cancelled': {
      const asked = session.cancels.has(end.runId) || session.messages.some(({ interrupts }) => interrupts)
      return asked ? null : 'it was cancelled, and nobody asked for that'
    }
    case 'failed': {
      if (end.error?.code !== 'interrupted') return `it failed: ${JSON.stringify(end.error)}`
      // What stands behind the last start was found out when the run was given up: with progress in between it would have gone on.
      const lastStart = own.findLastIndex((event) => event.type === 'run_start')
      const progress = own.slice(0, lastStart).findLastIndex((event) => ['assistant_message', 'tool_call_end', 'approval_required', 'approval_resolved'].includes(event.type))
      const resumes = own.slice(progress + 1, lastStart + 1).filter((event) => event.type === 'run_start' && event.resumed).length
      return resumes === stopsMax - 1 ? null : `it was given up after ${resumes} resumes without progress`
    }
    default: return end.status satisfies never
  }
}
