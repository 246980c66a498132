import { AgentError } from '../errors.ts'
import { conflictsMax, eventBytesMax, replayPageBytes, replayPageEvents } from '../limits.ts'
import type { SessionEvent } from '../protocol/events.ts'
import type { AppendResult, EventLog, HeadRow, IdempotencyRow, RunRow, StoredEvent } from '../store/event-log.ts'
import { Drafting } from './drafting.ts'
import type { Committed } from './committed.ts'
import { LiveSession } from './live-session.ts'
import { toApprovalRows, toHead, toRunRows } from './project.ts'
import { reduce } from './reduce.ts'
import { stateVersion, type EventDraft, type SessionState } from './state.ts'

/**
 * A pure decision: what a command makes of the state as it is now. No events: there is nothing to do.
 * @throws AgentError when the command is refused
 */
export type Decide = (state: SessionState | null, now: string) => readonly EventDraft[]

export type CommitResult =
  | { readonly status: 'committed', readonly events: readonly SessionEvent[], readonly runs: readonly RunRow[] }
  | { readonly status: 'unchanged' }
  | Extract<AppendResult, { status: 'external_id_taken' | 'idempotency_key_known' }>

/** What a commit changed, told to those who act on it. */
export interface CommitNotice {
  readonly live: LiveSession
  readonly before: SessionState | null
  readonly after: SessionState
  readonly events: readonly SessionEvent[]
  /** Of `after`. */
  readonly head: HeadRow
}

interface Holding { readonly loaded: Promise<LiveSession>, holders: number }

/** The one door: a session changes only by `commit`. Also keeps the live sessions, one object for each id. */
export class Sessions {
  readonly log: EventLog
  readonly now: () => string
  readonly #held = new Map<string, Holding>()
  onCommit: (notice: CommitNotice) => void = () => {}
  onLive: (live: LiveSession) => void = () => {}

  constructor (log: EventLog, now: () => string) {
    this.log = log
    this.now = now
  }

  get liveCount (): number { return this.#held.size }

  /** Runs `work` with the live session; it stays in memory until all who hold it are done. */
  async with<T> (sessionId: string, work: (live: LiveSession) => Promise<T>): Promise<T> {
    const { live, release } = await this.hold(sessionId)
    try {
      return await work(live)
    } finally {
      release()
    }
  }

  async hold (sessionId: string): Promise<{ live: LiveSession, release: () => void }> {
    let holding = this.#held.get(sessionId)
    if (holding === undefined) {
      holding = { loaded: this.#load(sessionId), holders: 0 }
      this.#held.set(sessionId, holding)
    }
    const held = holding
    held.holders++
    let released = false
    const release = (): void => {
      if (released) return
      released = true
      if (--held.holders === 0 && this.#held.get(sessionId) === held) this.#held.delete(sessionId)
    }
    try {
      return { live: await held.loaded, release }
    } catch (error) {
      release()
      throw error
    }
  }

  /** The state as the head has it, without holding the session. */
  async read (sessionId: string): Promise<SessionState | null> {
    const live = await this.#held.get(sessionId)?.loaded
    if (live?.state) return live.state
    const head = await this.log.readHead(sessionId)
    return head === null ? null : await this.stateOf(head)
  }

  /** Decides on the state as it is, appends, publishes; when the log has moved, takes in what came and decides again. */
  async commit (live: LiveSession, decide: Decide, idempotency: IdempotencyRow | null = null): Promise<CommitResult> {
    for (let conflicts = 0; conflicts < conflictsMax; conflicts++) {
      const before = live.state
      const now = this.now()
      const drafting = new Drafting(live.id, before, now).add(...decide(before, now))
      if (drafting.events.length === 0) return { status: 'unchanged' }
      drafting.settle()
      const after = drafting.state
      if (after === null) throw new Error('a decision on no session creates one')
      const written = drafting.events.map(({ event, private: hidden }) => toWritten(event, hidden))
      const events = drafting.events.map(({ event }) => event)
      const head = toHead(after)
      const runs = toRunRows(before, events, after)
      const result = await this.log.append({
        sessionId: live.id,
        expectedSeq: before?.seq ?? 0,
        events: written.map(({ stored }) => stored),
        head,
        runs,
        approvals: toApprovalRows(before, events),
        idempotency
      })
      if (result.status === 'appended') {
        live.absorb(written, { from: before, to: after })
        this.onCommit({ live, before, after, events, head })
        return { status: 'committed', events, runs }
      }
      if (result.status !== 'conflict') return result
      await this.#refresh(live)
    }
    throw new AgentError('internal', 'The session changed too often while it was being written.')
  }

  /** Folds the head's cache, or the log where the cache is of another version. */
  async stateOf (head: HeadRow): Promise<SessionState> {
    if (head.stateVersion === stateVersion) return JSON.parse(head.state) as SessionState // written by `toHead`
    let state: SessionState | null = null
    for await (const event of this.events(head.sessionId)) state = reduce(state, event)
    if (state === null) throw new AgentError('internal', 'The log of the session is empty.')
    return state
  }

  /** Every event of a session, in pages. */
  async * events (sessionId: string, after = 0, types?: ReadonlyArray<SessionEvent['type']>): AsyncGenerator<SessionEvent> {
    for (let seq = after; ;) {
      const page = await this.log.readEvents(sessionId, {
        after: seq, limit: replayPageEvents, maxBytes: replayPageBytes, ...(types === undefined ? {} : { types })
      })
      if (page.length === 0) return
      for (const stored of page) {
        yield fromStored(stored)
        seq = stored.seq
      }
    }
  }

  async #load (sessionId: string): Promise<LiveSession> {
    const head = await this.log.readHead(sessionId)
    const live = new LiveSession(sessionId, head === null ? null : await this.stateOf(head), head?.logBytes ?? 0)
    this.onLive(live)
    return live
  }

  /**
   * Takes in what is in the log already though its own append has not been told yet. Lists and look-ups read the log:
   * without this a client could be refused what it has just been shown.
   */
  async catchUp (live: LiveSession): Promise<void> {
    const head = await this.log.readHead(live.id)
    if (head !== null && head.seq > (live.state?.seq ?? 0)) await this.#refresh(live)
  }

  async #refresh (live: LiveSession): Promise<void> {
    const seq = live.state?.seq ?? 0
    const page = await this.log.readEvents(live.id, { after: seq, limit: replayPageEvents, maxBytes: replayPageBytes })
    live.absorb(page.map((stored): Committed => ({ event: fromStored(stored), json: stored.json, private: privateOf(stored), bytes: sizeOf(stored) })))
  }
}

export function fromStored (stored: StoredEvent): SessionEvent {
  return JSON.parse(stored.json) as SessionEvent // written by `toStored`, upcast by the store
}

/** What the event keeps beside itself: written by `toStored`, read by what drafted the event. */
export function privateOf (stored: StoredEvent): object | null {
  return stored.private === null ? null : JSON.parse(stored.private) as object
}

function toWritten (event: SessionEvent, hidden: object | null): Committed & { readonly stored: StoredEvent } {
  const json = JSON.stringify(event)
  const stored: StoredEvent = {
    seq: event.seq, type: event.type, runId: 'runId' in event ? event.runId : null, json, private: hidden === null ? null : JSON.stringify(hidden)
  }
  const bytes = sizeOf(stored)
  if (bytes > eventBytesMax && Buffer.byteLength(json) > eventBytesMax) throw new AgentError('internal', `An event of ${bytes} bytes is larger than the log takes.`)
  return { event, json, private: hidden, bytes, stored }
}

/** Bytes of an event in the log. */
function sizeOf ({ json, private: hidden }: StoredEvent): number {
  return Buffer.byteLength(json) + (hidden === null ? 0 : Buffer.byteLength(hidden))
}
