import { recentEventsLength, recentEventsMax } from '../limits.ts'
import type { Committed } from './committed.ts'

/** The last events of a session at work, for those who join it: they need not ask the log for what has just been said. */
export class RecentEvents {
  #events: Committed[] = []
  #length = 0

  add (committed: Committed): void {
    this.#events.push(committed)
    this.#length += committed.json.length
    while (this.#events.length > recentEventsMax || this.#length > recentEventsLength) this.#length -= this.#events.shift()?.json.length ?? 0
  }

  clear (): void {
    this.#events = []
    this.#length = 0
  }

  /** All events after `seq`; null when they go further back than is kept. */
  after (seq: number): readonly Committed[] | null {
    const first = this.#events[0]
    if (first === undefined || first.event.seq > seq + 1) return null
    return this.#events.slice(seq + 1 - first.event.seq)
  }
}
