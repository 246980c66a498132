import type { Feed, FeedListener, Published } from '../../src/agent/feed.ts'

export interface LogOptions {
  /** Events on a page. */
  readonly pageSize?: number
  /** Awaited in the middle of each read: where other things can happen. */
  readonly beforeRead?: () => Promise<void>
}

/** The log of one session in memory, with a publisher: all that a stream sees of the agent. */
export class MemoryLog {
  readonly sessionId = 'ses_1'
  readonly events: Published[] = []
  readonly listeners = new Set<FeedListener>()
  openFeeds = 0
  joins = 0
  snapshot: object = {}
  readonly #options: LogOptions
  #closed = false

  constructor (options: LogOptions = {}) { this.#options = options }

  append (type = 'files_changed', runId: string | null = null, more: object = {}): Published {
    const seq = this.events.length + 1
    const published = { seq, type, runId, json: JSON.stringify({ type, seq, sessionId: this.sessionId, ...(runId === null ? {} : { runId }), ...more }) }
    this.events.push(published)
    for (const listener of this.listeners) listener.onPublished(published)
    return published
  }

  preview (type: string, runId: string | null, more: object = {}): void {
    const published = { seq: null, type, runId, json: JSON.stringify({ type, sessionId: this.sessionId, runId, ...more }) }
    for (const listener of this.listeners) listener.onPublished(published)
  }

  close (): void {
    this.#closed = true
    for (const listener of this.listeners) listener.onClosed()
  }

  openFeed (): Feed {
    this.openFeeds++
    let open = true
    return {
      sessionId: this.sessionId,
      publishedSeq: () => this.events.length,
      read: async (after, runId) => {
        const level = this.events.length
        await this.#options.beforeRead?.()
        return this.events.slice(after, level).filter((event) => runId === undefined || event.runId === runId).slice(0, this.#options.pageSize ?? 50)
      },
      join: (listener) => {
        this.listeners.add(listener)
        this.joins++
        if (this.#closed) listener.onClosed()
        const json = JSON.stringify({ type: 'snapshot', sessionId: this.sessionId, outputs: [], ...this.snapshot })
        return { snapshot: { seq: null, type: 'snapshot', runId: null, json }, leave: () => { this.listeners.delete(listener) } }
      },
      close: () => {
        if (open) this.openFeeds--
        open = false
      }
    }
  }
}
