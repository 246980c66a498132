import type { MessagePlan, PlannedToolCall } from '../support/plan-model.ts'
import type { Approval } from '../../src/protocol/resources.ts'

/** What the clients know, because a server said so. It is all that a checker may hold against the server. */
export interface Notes {
  readonly sessions: SessionNotes[]
  /** Answers that no client should get. */
  readonly faults: string[]
}

export interface SessionNotes {
  readonly id: string
  /** DELETE was answered. */
  deleted: boolean
  readonly messages: MessageNote[]
  readonly decisions: DecisionNote[]
  /** Runs for which a cancel was sent, whatever came back. */
  readonly cancels: Set<string>
  /** Each connection to the session's events. */
  readonly streams: StreamNote[]
}

export interface MessageNote {
  readonly plan: MessagePlan
  /** It was said with `onBusy: interrupt`: it cancels what runs. */
  readonly interrupts: boolean
  readonly runId: string
}

/** The last word on a question, as the server gave it. */
export interface DecisionNote {
  readonly callId: string
  readonly asked: 'approve' | 'deny'
  /** What the person put in place of the model's arguments. */
  readonly edited: PlannedToolCall['arguments'] | null
  readonly status: Approval['status']
}

export interface StreamNote {
  /** The cursor that it was opened with. */
  readonly after: number
  /** Durable events in the order in which they came. */
  readonly events: Array<{ readonly seq: number, readonly json: string }>
  /** The server did not know the cursor. */
  reset: boolean
}
