import type { EphemeralEvent } from '../protocol/ephemeral.ts'
import type { Committed } from './committed.ts'
import type { FeedListener, Joined, Published } from './feed.ts'
import { LivePreview } from './live-preview.ts'
import { RecentEvents } from './recent-events.ts'
import { reduce } from './reduce.ts'
import { isPaused, type SessionState } from './state.ts'

/** A fold that has been made already: `to` is `from` with the events that come with it. */
export interface Folded { readonly from: SessionState | null, readonly to: SessionState }

/**
 * A session that somebody works on or follows, in memory for as long as that is so: its state as of the last
 * published event, who listens, and the previews.
 */
export class LiveSession {
  readonly id: string
  readonly preview: LivePreview
  readonly #listeners = new Set<FeedListener>()
  readonly #watchers = new Set<() => void>()
  readonly #readers = new Set<(committed: Committed) => void>()
  readonly #recent = new RecentEvents()
  #state: SessionState | null
  #logBytes: number
  #followers = 0
  /** Told when the number of followers falls to none or rises from none. */
  onFollowed: (followed: boolean) => void = () => {}

  constructor (id: string, state: SessionState | null, logBytes: number) {
    this.id = id
    this.#state = state
    this.#logBytes = logBytes
    this.preview = new LivePreview(id)
  }

  /** Null before the session's first event is in the log. */
  get state (): SessionState | null { return this.#state }

  /** Size of the log up to that state, bytes. */
  get logBytes (): number { return this.#logBytes }

  /**
   * Takes in what was committed, in the order of the log, and publishes it. What is known already is skipped, so
   * the same events may come both from the append and from a read of the log.
   */
  absorb (committed: readonly Committed[], folded: Folded | null = null): void {
    let moved = false
    let seq = this.#state?.seq ?? 0
    const known = folded !== null && folded.from === this.#state ? folded.to : null
    if (known !== null) this.#state = known
    for (const one of committed) {
      const { event, bytes } = one
      if (event.seq !== seq + 1) continue
      seq = event.seq
      if (known === null) this.#state = reduce(this.#state, event)
      this.#logBytes += bytes
      this.#recent.add(one)
      this.preview.supersede(event)
      for (const reader of this.#readers) reader(one)
      this.#tell(published(one))
      moved = true
    }
    if (this.#state?.run == null || isPaused(this.#state.run)) this.#recent.clear()
    if (moved) for (const watcher of [...this.#watchers]) watcher()
    if (this.#state?.ended === true) this.closeListeners()
  }

  /** The events after `seq`, while a run is at work and if they are no older than it; else null: the log has them. */
  recent (seq: number): readonly Committed[] | null { return this.#recent.after(seq) }

  /** A preview: told to those who listen now, and to nobody else. */
  tell (event: EphemeralEvent): void {
    if (this.#listeners.size === 0) return
    this.#tell(ephemeral(event))
  }

  join (listener: FeedListener): Joined {
    this.#listeners.add(listener)
    const unfollow = this.follow()
    return {
      snapshot: ephemeral(this.preview.snapshot()),
      leave: () => { if (this.#listeners.delete(listener)) unfollow() }
    }
  }

  /** Counts somebody who waits for the session without a stream. Returns how to stop. */
  follow (): () => void {
    if (this.#followers++ === 0) this.onFollowed(true)
    let done = false
    return () => {
      if (done) return
      done = true
      if (--this.#followers === 0) this.onFollowed(false)
    }
  }

  get followed (): boolean { return this.#followers > 0 }

  /** Called after each change of the state. Returns how to stop. */
  watch (watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => { this.#watchers.delete(watcher) }
  }

  /** Called with each event that comes from here on, before those who follow see it. Returns how to stop. */
  onEvent (reader: (committed: Committed) => void): () => void {
    this.#readers.add(reader)
    return () => { this.#readers.delete(reader) }
  }

  closeListeners (): void {
    for (const listener of [...this.#listeners]) listener.onClosed()
  }

  #tell (published: Published): void {
    for (const listener of this.#listeners) listener.onPublished(published)
  }
}

export function published ({ event, json }: Committed): Published {
  return { seq: event.seq, type: event.type, runId: 'runId' in event ? event.runId : null, json }
}

function ephemeral (event: EphemeralEvent): Published {
  return { seq: null, type: event.type, runId: 'runId' in event ? event.runId : null, json: JSON.stringify(event) }
}
