import { follow } from '../api/follow.ts'
import type { Refused } from '../api/refused.ts'
import type { StreamEvent } from '../api/types.ts'
import { emptyLog, takeIn, type LogState } from './log-state.ts'
import { nothingTold, Teller, type Told } from './told.ts'

export type Connection = 'connecting' | 'live' | 'lost' | 'refused'

export interface SessionView extends LogState, Told {
  readonly connection: Connection
  /** Why it is lost or refused. */
  readonly problem: Refused | null
}

export const emptyView: SessionView = { ...emptyLog, ...nothingTold, connection: 'connecting', problem: null }

/** The log of one session, followed for as long as it is open. What comes within a frame is shown at once. */
export class SessionLog {
  readonly sessionId: string
  #view = emptyView
  readonly #teller = new Teller()
  #batch: StreamEvent[] = []
  #scheduled = false
  readonly #listeners = new Set<() => void>()
  readonly #ended = new AbortController()

  constructor (sessionId: string) {
    this.sessionId = sessionId
    void follow(`/sessions/${encodeURIComponent(sessionId)}/events`, {
      lastId: () => {
        this.#flush()
        return this.#view.events.at(-1)?.seq.toString() ?? null
      },
      onOpen: () => {},
      onFrame: ({ data }) => {
        this.#batch.push(JSON.parse(data) as StreamEvent) // the contract says what a stream carries
        this.#schedule()
      },
      onLost: (problem) => { this.#change({ connection: 'lost', problem }) },
      onRefused: (problem) => { this.#change({ connection: 'refused', problem }) }
    }, this.#ended.signal)
  }

  readonly subscribe = (listener: () => void): () => void => {
    this.#listeners.add(listener)
    return () => { this.#listeners.delete(listener) }
  }

  readonly view = (): SessionView => this.#view

  close (): void { this.#ended.abort() }

  /** A hidden tab paints no frames; it is told all the same. */
  #schedule (): void {
    if (this.#scheduled) return
    this.#scheduled = true
    if (document.hidden) setTimeout(this.#flush, 200)
    else requestAnimationFrame(this.#flush)
  }

  readonly #flush = (): void => {
    this.#scheduled = false
    if (this.#batch.length === 0) return
    const batch = this.#batch
    this.#batch = []
    const live = batch.some(({ type }) => type === 'snapshot')
    const state = takeIn(this.#view, batch)
    this.#change({ ...state, ...this.#teller.told(state.events), ...(live ? { connection: 'live', problem: null } as const : {}) })
  }

  #change (change: Partial<SessionView>): void {
    this.#view = { ...this.#view, ...change }
    for (const listener of this.#listeners) listener()
  }
}
