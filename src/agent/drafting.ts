import type { SessionEvent } from '../protocol/events.ts'
import { nextStep } from './next-step.ts'
import { reduce } from './reduce.ts'
import { withRepeatNote } from './repeats.ts'
import type { EventDraft, SessionState } from './state.ts'

export interface DraftedEvent { readonly event: SessionEvent, readonly private: object | null }

/**
 * Events in the making: each draft gets its place after the one before, and the state is that after all of them,
 * so a decision of several events is made step by step on what the earlier ones change.
 */
export class Drafting {
  readonly #sessionId: string
  readonly #now: string
  readonly events: DraftedEvent[] = []
  #state: SessionState | null

  constructor (sessionId: string, state: SessionState | null, now: string) {
    this.#sessionId = sessionId
    this.#state = state
    this.#now = now
  }

  get state (): SessionState | null { return this.#state }

  add (...drafts: readonly EventDraft[]): this {
    for (const given of drafts) {
      const draft = withRepeatNote(this.#state?.run ?? null, given)
      const { type, private: hidden, ...rest } = draft
      // The draft is a SessionEvent less these fields; the compiler cannot follow a spread through the union.
      const event = { type, seq: (this.#state?.seq ?? 0) + 1, at: this.#now, sessionId: this.#sessionId, ...rest } as SessionEvent
      this.#state = reduce(this.#state, event)
      this.events.push({ event, private: hidden ?? null })
    }
    return this
  }

  /** Adds what follows from the log alone, so that it stands in the same append as its cause. */
  settle (): this {
    while (this.#state !== null) {
      const next = nextStep(this.#state, this.#now)
      if (next.type !== 'append') break
      this.add(...next.events)
    }
    return this
  }
}
