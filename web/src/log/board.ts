import { answer, client } from '../api/client.ts'
import { follow } from '../api/follow.ts'
import type { Refused } from '../api/refused.ts'
import type { Approval, Notice, Session } from '../api/types.ts'

export interface BoardView {
  /** Newest first; null: not fetched yet. */
  readonly sessions: readonly Session[] | null
  readonly nextCursor: string | null
  /** What waits for a decision in any session, in the order of the questions. */
  readonly pending: readonly Approval[]
  readonly connected: boolean
  /** The key is refused. */
  readonly refused: Refused | null
}

const gatherMs = 60 // notices of one change come together
const pageSize = 100
const pendingMax = 200
const fetchedOneByOneMax = 8

/** All sessions and all open questions, kept fresh by notices. A notice only says what to fetch. */
export class Board {
  #view: BoardView = { sessions: null, nextCursor: null, pending: [], connected: false, refused: null }
  readonly #listeners = new Set<() => void>()
  readonly #ended = new AbortController()
  readonly #changed = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor () {
    void follow('/events', {
      lastId: () => null,
      onOpen: () => {
        this.#change({ connected: true, refused: null })
        void this.refresh().catch(() => {}) // the stream says it when the server is gone
      },
      onFrame: ({ data }) => { this.#onNotice(JSON.parse(data) as Notice) }, // the contract says what the stream carries
      onLost: () => { this.#change({ connected: false }) },
      onRefused: (refused) => { this.#change({ connected: false, refused }) }
    }, this.#ended.signal)
  }

  readonly subscribe = (listener: () => void): () => void => {
    this.#listeners.add(listener)
    return () => { this.#listeners.delete(listener) }
  }

  readonly view = (): BoardView => this.#view

  close (): void { this.#ended.abort() }

  async refresh (): Promise<void> {
    const [page] = await Promise.all([answer(client.GET('/sessions', { params: { query: { limit: pageSize } } })), this.refreshPending()])
    this.#change({ sessions: page.items, nextCursor: page.nextCursor })
  }

  async more (): Promise<void> {
    const cursor = this.#view.nextCursor
    if (cursor === null) return
    const page = await answer(client.GET('/sessions', { params: { query: { limit: pageSize, cursor } } }))
    const known = this.#view.sessions ?? []
    this.#change({ sessions: [...known, ...page.items.filter(({ id }) => !known.some((session) => session.id === id))], nextCursor: page.nextCursor })
  }

  async refreshPending (): Promise<void> {
    const { items } = await answer(client.GET('/approvals', { params: { query: { status: 'pending', limit: pendingMax } } }))
    this.#change({ pending: items.reverse() })
  }

  put (session: Session): void {
    const sessions = this.#view.sessions ?? []
    const known = sessions.some(({ id }) => id === session.id)
    this.#change({ sessions: known ? sessions.map((other) => other.id === session.id ? session : other) : [session, ...sessions] })
  }

  drop (sessionId: string): void {
    this.#change({
      sessions: this.#view.sessions?.filter(({ id }) => id !== sessionId) ?? null,
      pending: this.#view.pending.filter((approval) => approval.sessionId !== sessionId)
    })
  }

  #onNotice (notice: Notice): void {
    if (notice.type === 'session_changed' && notice.status === 'deleted') {
      this.drop(notice.sessionId)
      return
    }
    this.#changed.add(notice.type === 'session_changed' ? notice.sessionId : '')
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#fetchChanged().catch(() => {}) // likewise
    }, gatherMs)
  }

  async #fetchChanged (): Promise<void> {
    const approvals = this.#changed.delete('')
    const ids = [...this.#changed]
    this.#changed.clear()
    if (ids.length > fetchedOneByOneMax) {
      await this.refresh()
      return
    }
    await Promise.all([
      ...(approvals ? [this.refreshPending()] : []),
      ...ids.map(async (sessionId) => { this.put(await answer(client.GET('/sessions/{sessionId}', { params: { path: { sessionId } } }))) })
    ])
  }

  #change (change: Partial<BoardView>): void {
    this.#view = { ...this.#view, ...change }
    for (const listener of this.#listeners) listener()
  }
}
