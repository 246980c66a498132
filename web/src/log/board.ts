import { answer, client } from '../api/client.ts'
import { follow } from '../api/follow.ts'
import type { Refused } from '../api/refused.ts'
import type { Approval, Notice, Session } from '../api/types.ts'
import { fetchEach, fetchPage, fetchPages } from './fetch-sessions.ts'

export interface BoardView {
  /** Newest first: the pages fetched so far, and single older ones of which something was heard. Null: not fetched yet. */
  readonly sessions: readonly Session[] | null
  readonly nextCursor: string | null
  /** What waits for a decision in any session, in the order of the questions. */
  readonly pending: readonly Approval[]
  readonly connected: boolean
  /** The key is refused. */
  readonly refused: Refused | null
}

const gatherMs = 60 // notices of one change come together
const refreshedMax = 2_000 // sessions that are fetched anew after a lost connection; older ones are fetched when they are wanted
const pendingMax = 200
const fetchedOneByOneMax = 8

/** The sessions and all open questions, kept fresh by notices. A notice only says what to fetch. */
export class Board {
  #view: BoardView = { sessions: null, nextCursor: null, pending: [], connected: false, refused: null }
  readonly #listeners = new Set<() => void>()
  readonly #ended = new AbortController()
  readonly #changed = new Set<string>()
  /** Ids never come back: an answer that was on its way when a session was deleted does not bring it back either. */
  readonly #dropped = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | null = null
  #open: string | null = null
  #paged = 0
  #walking: Promise<void> | null = null
  #asked = 0
  #answered = 0

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

  /** The session that is shown: it is known also when it is older than the pages that were fetched. */
  async keep (sessionId: string | null): Promise<void> {
    this.#open = sessionId
    if (sessionId === null || this.#view.sessions === null) return // the first refresh brings it
    this.#take(await this.#fetchOthers(this.#view.sessions, []))
  }

  /** The pages that are there, anew. */
  async refresh (): Promise<void> {
    const before = this.#view.sessions
    const [{ items, nextCursor }, pending] = await Promise.all([fetchPages(Math.min(this.#paged, refreshedMax)), this.#fetchPending()])
    const others = await this.#fetchOthers(items, pending ?? [])
    const since = this.#view.sessions?.filter(({ id }) => before?.some((session) => session.id === id) !== true) ?? []
    this.#paged = items.length
    this.#change({ sessions: this.#merged(since, [...items, ...others]), nextCursor, ...(pending === null ? {} : { pending }) })
  }

  /** The next page; who asks while one is on its way waits for that one. */
  async more (): Promise<void> {
    this.#walking ??= this.#fetchMore().finally(() => { this.#walking = null })
    await this.#walking
  }

  async refreshPending (): Promise<void> {
    const pending = await this.#fetchPending()
    if (pending === null) return
    const others = await this.#fetchOthers(this.#view.sessions ?? [], pending)
    this.#take(others, { pending })
  }

  put (session: Session): void { this.#take([session]) }

  drop (sessionId: string): void {
    this.#dropped.add(sessionId)
    this.#take([], { pending: this.#view.pending.filter((approval) => approval.sessionId !== sessionId) })
  }

  async #fetchMore (): Promise<void> {
    const cursor = this.#view.nextCursor
    if (cursor === null) return
    const page = await fetchPage(cursor)
    this.#paged += page.items.length
    this.#take(page.items, { nextCursor: page.nextCursor })
  }

  /** Null: what was asked later has been answered already. */
  async #fetchPending (): Promise<readonly Approval[] | null> {
    const turn = ++this.#asked
    const { items } = await answer(client.GET('/approvals', { params: { query: { status: 'pending', limit: pendingMax } } }))
    if (turn < this.#answered) return null
    this.#answered = turn
    return items.reverse()
  }

  /** Those that are shown or asked about and not among `known`. */
  async #fetchOthers (known: readonly Session[], pending: readonly Approval[]): Promise<Session[]> {
    const wanted = new Set([...(this.#open === null ? [] : [this.#open]), ...pending.map(({ sessionId }) => sessionId)])
    for (const { id } of known) wanted.delete(id)
    return await fetchEach([...wanted].slice(0, fetchedOneByOneMax))
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
    if (ids.length > fetchedOneByOneMax) await this.#fetchMany(ids)
    else this.#take(await fetchEach(ids))
    if (approvals) await this.refreshPending()
  }

  /** The newest at once; of the others those that are in the list. */
  async #fetchMany (ids: readonly string[]): Promise<void> {
    const { items } = await fetchPage(null)
    const known = new Set(this.#view.sessions?.map(({ id }) => id))
    for (const { id } of items) known.delete(id)
    this.#take([...items, ...await fetchEach(ids.filter((id) => known.has(id)))])
  }

  #take (sessions: readonly Session[], change: Partial<BoardView> = {}): void {
    const known = this.#view.sessions // what comes before the first refresh is in it
    this.#change({ ...(known === null ? {} : { sessions: this.#merged(known, sessions) }), ...change })
  }

  /** Ids sort by time. */
  #merged (known: readonly Session[], news: readonly Session[]): Session[] {
    const all = new Map([...known, ...news].map((session) => [session.id, session]))
    for (const id of this.#dropped) all.delete(id)
    return [...all.values()].sort((a, b) => a.id < b.id ? 1 : -1)
  }

  #change (change: Partial<BoardView>): void {
    this.#view = { ...this.#view, ...change }
    for (const listener of this.#listeners) listener()
  }
}
