import { AgentError } from '../errors.ts'
import { queuedRunsMax } from '../limits.ts'
import type { By, ContentPart, OnApproval, RunLimits } from '../protocol/common.ts'
import type { OnBusy } from '../protocol/resources.ts'
import { sessionGone } from './decide-session.ts'
import { endQueued } from './settle.ts'
import type { EventDraft, SessionState } from './state.ts'

export interface MessageCommand {
  readonly runId: string
  readonly messageId: string
  readonly content: readonly ContentPart[]
  readonly model: string
  readonly limits: RunLimits
  readonly onBusy: OnBusy
  readonly onApproval: OnApproval
  readonly cancelOnDisconnect: boolean
  readonly by: By
}

/** Accepts a message; the start of its run follows from the log where nothing else runs. */
export function decideMessage (state: SessionState | null, command: MessageCommand): EventDraft[] {
  if (state === null || state.ended) throw sessionGone()
  const { runId, messageId, content, model, limits, onApproval, cancelOnDisconnect, by } = command
  const message: EventDraft = { type: 'user_message', runId, messageId, content: [...content], model, limits, onApproval, cancelOnDisconnect, by }
  const active = state.run
  if (active === null && state.queue.length === 0) return [message]
  if (state.queue.length >= queuedRunsMax) {
    throw new AgentError('too_many_queued', `${queuedRunsMax} runs wait in this session already.`, { suggestion: 'Wait until some have ended, or cancel them.' })
  }
  switch (command.onBusy) {
    case 'reject':
      throw new AgentError('run_active', `The run ${active?.runId ?? state.queue[0]?.runId ?? ''} is active in this session.`, {
        suggestion: 'Wait for it, cancel it, or send the message with onBusy: queue or interrupt.',
        extra: { runId: active?.runId ?? state.queue[0]?.runId ?? null }
      })
    case 'queue': return [message]
    case 'interrupt': return [
      ...(active === null ? [] : decideCancel(state, active.runId, by, 'Another message came with onBusy: interrupt.')),
      message
    ]
    default: return command.onBusy satisfies never
  }
}

/** Nothing for a run that is settled, or whose cancel is under way: a second cancel is the same cancel. */
export function decideCancel (state: SessionState | null, runId: string, by: By, reason: string | null): EventDraft[] {
  if (state === null || state.ended) throw sessionGone()
  const queued = state.queue.find((run) => run.runId === runId)
  if (queued !== undefined) return [{ type: 'cancel_requested', runId, by, reason }, endQueued(queued)]
  if (state.run?.runId !== runId || state.run.cancelRequested) return []
  return [{ type: 'cancel_requested', runId, by, reason }]
}
