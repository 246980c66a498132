import type { SessionEvent } from '../protocol/events.ts'

/** An event that is in the log, with its stored JSON and its private part. */
export interface Committed {
  readonly event: SessionEvent
  readonly json: string
  readonly private: object | null
  /** What it takes in the log. */
  readonly bytes: number
}
