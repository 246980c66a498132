import type { SessionEvent } from '../api/types.ts'
import { timelineFold, type CallItem, type TimelineItem } from '../timeline/timeline.ts'
import { talkFold, type Talk } from './conversation.ts'

/** What the views show of a log. */
export interface Told extends Talk {
  readonly timeline: readonly TimelineItem[]
  /** By callId. */
  readonly calls: ReadonlyMap<string, CallItem>
}

export const nothingTold: Told = { said: [], run: null, timeline: [], calls: new Map() }

/** Tells a log that grows: of a longer one only what is new is read, however long it is. A reset begins anew. */
export class Teller {
  #told: Told = nothingTold
  #events: readonly SessionEvent[] = []
  #talk = talkFold()
  #timeline = timelineFold()

  told (events: readonly SessionEvent[]): Told {
    if (events === this.#events) return this.#told
    if (events.length < this.#events.length || events[0] !== this.#events[0]) {
      this.#talk = talkFold()
      this.#timeline = timelineFold()
      this.#events = []
    }
    const more = events.slice(this.#events.length)
    this.#events = events
    const timeline = this.#timeline(more)
    const calls = new Map<string, CallItem>()
    for (const item of timeline) if (item.kind === 'call') calls.set(item.id, item)
    this.#told = { ...this.#talk(more), timeline, calls }
    return this.#told
  }
}
