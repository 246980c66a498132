import { replayPageBytes, replayPageEvents } from '../limits.ts'
import type { EventLog } from '../store/event-log.ts'
import type { Feed, FeedListener, Joined, Published } from './feed.ts'
import { published, type LiveSession } from './live-session.ts'

/** The feed of a live session; holds it in memory until it is closed. */
export class SessionFeed implements Feed {
  readonly sessionId: string
  readonly #live: LiveSession
  readonly #log: EventLog
  readonly #release: () => void

  constructor (live: LiveSession, log: EventLog, release: () => void) {
    this.sessionId = live.id
    this.#live = live
    this.#log = log
    this.#release = release
  }

  publishedSeq (): number { return this.#live.state?.seq ?? 0 }

  async read (after: number, runId?: string): Promise<readonly Published[]> {
    const level = this.publishedSeq()
    if (after >= level) return []
    const recent = this.#live.recent(after)?.map(published)
    if (recent !== undefined) return runId === undefined ? recent : recent.filter((event) => event.runId === runId)
    const page = await this.#log.readEvents(this.sessionId, {
      after, limit: replayPageEvents, maxBytes: replayPageBytes, ...(runId === undefined ? {} : { runId })
    })
    // What is committed and not yet published comes by the subscription.
    return page.filter(({ seq }) => seq <= level)
  }

  join (listener: FeedListener): Joined { return this.#live.join(listener) }

  close (): void { this.#release() }
}
