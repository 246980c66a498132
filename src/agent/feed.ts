/** One event as streams carry it. */
export interface Published {
  /** Null: a preview, which has no place in the log. */
  readonly seq: number | null
  readonly type: string
  readonly runId: string | null
  /** The wire object as one line of JSON. */
  readonly json: string
}

export interface Joined {
  /** The `snapshot` event that belongs to the moment of joining. */
  readonly snapshot: Published
  leave (): void
}

export interface FeedListener {
  /** Called in the order of the log, previews between. Must not throw and must not block. */
  onPublished (published: Published): void
  /** The session is gone, or the server stops: nothing follows. */
  onClosed (): void
}

/** The events of one session: those in the log, and from a moment on those that come. `close` it. */
export interface Feed {
  readonly sessionId: string
  /** Seq of the last event that was published; the log may be ahead of it, never behind. */
  publishedSeq (): number
  /** The next page of the log after `after`, at most `publishedSeq()`; empty when level. With `runId` only events of that run. */
  read (after: number, runId?: string): Promise<readonly Published[]>
  /** Snapshot and subscription in one tick: call it in the tick in which `read` was found level. */
  join (listener: FeedListener): Joined
  close (): void
}
