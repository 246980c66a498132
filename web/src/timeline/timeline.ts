import type { By, EventOf, Rule, SessionEvent, ToolError, Usage } from '../api/types.ts'
import { targetOf } from './target.ts'

/** One question about a call, and its answer. */
export interface Round {
  readonly round: number
  readonly askedAt: string
  readonly digest: string
  readonly summary: string
  readonly diff: string | null
  readonly editedBy: By | null
  readonly answer: { readonly outcome: EventOf<'approval_resolved'>['outcome'], readonly at: string, readonly by: By, readonly reason: string | null, readonly rule: Rule | null } | null
}

export type CallStatus = 'planned' | 'waiting' | 'approved' | 'running' | 'done' | 'failed' | 'denied'

export interface CallItem {
  readonly kind: 'call'
  /** The callId. */
  readonly id: string
  readonly runId: string
  readonly messageId: string
  readonly tool: string
  readonly target: string
  readonly arguments: Record<string, unknown>
  readonly status: CallStatus
  readonly at: string
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly durationMs: number | null
  readonly result: string | null
  readonly error: ToolError | null
  readonly diff: string | null
  readonly verified: boolean | null
  readonly truncated: boolean
  readonly rounds: readonly Round[]
}

export interface StepItem {
  readonly kind: 'step'
  /** The messageId. */
  readonly id: string
  readonly runId: string
  /** Of its run: 1, 2, 3 … */
  readonly number: number
  readonly at: string
  readonly durationMs: number
  readonly model: string
  readonly usage: Usage
  readonly finishReason: string
  readonly incomplete: boolean
  readonly text: string
  readonly calls: number
}

export interface MessageItem { readonly kind: 'message', readonly id: string, readonly runId: string, readonly at: string, readonly by: By, readonly text: string }

export interface RunItem {
  readonly kind: 'run'
  readonly id: string
  readonly runId: string
  readonly at: string
  readonly change: 'resumed' | 'cancel_requested' | 'ended'
  readonly by: By | null
  readonly reason: string | null
  readonly end: EventOf<'run_end'> | null
}

/** What happened beside runs: settings, files over HTTP, compaction. */
export interface OtherItem { readonly kind: 'other', readonly id: string, readonly at: string, readonly event: EventOf<'session_update' | 'files_changed' | 'compaction'> }

export type TimelineItem = MessageItem | StepItem | CallItem | RunItem | OtherItem

/** What happened in a session, in order: a function of its log and nothing else. */
export function timelineOf (events: readonly SessionEvent[]): TimelineItem[] {
  return timelineFold()(events)
}

/** The same for a log that grows: takes what is new of it, and gives what happened so far. */
export function timelineFold (): (more: readonly SessionEvent[]) => TimelineItem[] {
  const items: TimelineItem[] = []
  const places = new Map<string, number>()
  const steps = new Map<string, number>()
  const change = (callId: string, next: (call: CallItem) => Partial<CallItem>): void => {
    const place = places.get(callId)
    const call = place === undefined ? undefined : items[place]
    if (place !== undefined && call?.kind === 'call') items[place] = { ...call, ...next(call) }
  }
  const take = (event: SessionEvent): void => {
    switch (event.type) {
      case 'user_message':
        items.push({ kind: 'message', id: event.messageId, runId: event.runId, at: event.at, by: event.by, text: event.content.map(({ text }) => text).join('\n') })
        break
      case 'assistant_message': {
        const number = (steps.get(event.runId) ?? 0) + 1
        steps.set(event.runId, number)
        items.push(stepOf(event, number))
        for (const call of event.calls) {
          places.set(call.callId, items.length)
          items.push(plannedCall(event, call))
        }
        break
      }
      case 'approval_required':
        change(event.callId, ({ rounds, arguments: args }) => ({
          status: 'waiting',
          arguments: event.editedArguments?.arguments ?? args,
          ...(event.editedArguments === undefined ? {} : { target: targetOf(event.editedArguments.arguments) }),
          rounds: [...rounds, {
            round: event.round,
            askedAt: event.at,
            digest: event.digest,
            summary: event.preview.summary,
            diff: event.preview.diff,
            editedBy: event.editedArguments?.by ?? null,
            answer: null
          }]
        }))
        break
      case 'approval_resolved':
        change(event.callId, ({ rounds }) => ({
          status: statusAfter(event.outcome),
          rounds: rounds.map((round) => round.round !== event.round
            ? round
            : { ...round, answer: { outcome: event.outcome, at: event.at, by: event.by, reason: event.reason, rule: event.rule } })
        }))
        break
      case 'tool_call_start':
        change(event.callId, () => ({ status: 'running', startedAt: event.at }))
        break
      case 'tool_call_end':
        change(event.callId, ({ status }) => ({
          status: event.ok ? 'done' : status === 'denied' ? 'denied' : 'failed',
          endedAt: event.at,
          durationMs: event.durationMs,
          result: event.content ?? null,
          error: event.error ?? null,
          diff: event.diff,
          verified: event.verified,
          truncated: event.truncated
        }))
        break
      case 'run_start':
        if (event.resumed) items.push({ kind: 'run', id: `resumed-${event.seq}`, runId: event.runId, at: event.at, change: 'resumed', by: null, reason: null, end: null })
        break
      case 'cancel_requested':
        items.push({ kind: 'run', id: `cancel-${event.seq}`, runId: event.runId, at: event.at, change: 'cancel_requested', by: event.by, reason: event.reason, end: null })
        break
      case 'run_end':
        items.push({ kind: 'run', id: `end-${event.runId}`, runId: event.runId, at: event.at, change: 'ended', by: null, reason: null, end: event })
        break
      case 'session_update':
      case 'files_changed':
      case 'compaction':
        items.push({ kind: 'other', id: `other-${event.seq}`, at: event.at, event })
        break
      case 'session_start':
      case 'session_end':
      case 'prompt_set':
        break
      default: event satisfies never
    }
  }
  return (more) => {
    for (const event of more) take(event)
    return items.slice()
  }
}

function stepOf (event: EventOf<'assistant_message'>, number: number): StepItem {
  const { messageId, runId, at, durationMs, model, usage, finishReason, text, calls } = event
  return { kind: 'step', id: messageId, runId, number, at, durationMs, model, usage, finishReason, incomplete: event.incomplete === true, text, calls: calls.length }
}

function plannedCall ({ runId, messageId, at }: EventOf<'assistant_message'>, call: EventOf<'assistant_message'>['calls'][number]): CallItem {
  return {
    kind: 'call',
    id: call.callId,
    runId,
    messageId,
    tool: call.tool,
    target: targetOf(call.arguments),
    arguments: call.arguments,
    status: 'planned',
    at,
    startedAt: null,
    endedAt: null,
    durationMs: null,
    result: null,
    error: null,
    diff: null,
    verified: null,
    truncated: false,
    rounds: []
  }
}

function statusAfter (outcome: EventOf<'approval_resolved'>['outcome']): CallStatus {
  switch (outcome) {
    case 'approved': return 'approved'
    case 'replaced': return 'waiting'
    case 'denied': case 'expired': case 'cancelled': return 'denied'
    default: return outcome satisfies never
  }
}
