import type { Feed, FeedListener, Joined, Published } from '../agent/feed.ts'
import { greeting } from './frame.ts'
import type { Position } from './cursor.ts'
import type { SseWriter } from './sse-writer.ts'
import { narrowSnapshot, resetEvent } from './previews.ts'

/** One round of asking about a call. */
export interface AskedRound { readonly callId: string, readonly round: number }

export interface StreamOptions {
  readonly position: Position
  /** Only the events of this run, until its `run_end`. */
  readonly runId: string | null
  /** Whether previews are sent. `snapshot` and `reset` always are: they say where the client stands. */
  readonly ephemeral: boolean
  /** How long a client shall wait before it comes back after a cut. */
  readonly retryMs: number
  /** A published event as text; given from outside, so that one event is framed once for all its readers. */
  readonly frame: (published: Published) => string
  /** The log could not be read in mid-stream; the connection is cut after it. */
  readonly onError: (error: unknown) => void
}

/**
 * One reader of a session's events. Replays the log until it is level with what was published and joins in
 * the same tick, so that no event is missed and none is sent twice.
 */
export class EventStream implements FeedListener {
  readonly #feed: Feed
  readonly #writer: SseWriter
  readonly #options: StreamOptions
  #lastSeq: number
  #joined: Joined | null = null
  #ended = false
  /** Rounds that must have been sent before the stream ends; null: it does not end at a pause. */
  #endAfter: Set<string> | null = null
  readonly #asked = new Set<string>()

  constructor (feed: Feed, writer: SseWriter, options: StreamOptions) {
    this.#feed = feed
    this.#writer = writer
    this.#options = options
    this.#lastSeq = options.position.after
    writer.onClosed(() => this.#leave())
  }

  /** Begins to write; once. */
  start (): void {
    const { position, retryMs, frame } = this.#options
    this.#writer.write(greeting(retryMs))
    if (position.reset !== null) this.#writer.write(frame(resetEvent(this.#feed.sessionId, position.reset)))
    this.#replay().catch((error: unknown) => {
      this.#options.onError(error)
      this.#writer.cut()
    })
  }

  onPublished (published: Published): void {
    if (this.#ended || !this.#wants(published)) return
    this.#writer.write(this.#options.frame(published))
    this.#noteSent(published)
  }

  onClosed (): void { this.end() }

  /** Ends as soon as these rounds have been sent: the run has come to wait for them. */
  endAfter (rounds: readonly AskedRound[]): void {
    this.#endAfter = new Set(rounds.map(roundKey))
    this.#endIfPaused()
  }

  /** Ends the response after what has been written. */
  end (): void {
    this.#leave()
    this.#writer.end()
  }

  async #replay (): Promise<void> {
    const { runId, frame } = this.#options
    while (!this.#ended) {
      const published = this.#feed.publishedSeq()
      if (published <= this.#lastSeq) return this.#join()
      const page = await this.#feed.read(this.#lastSeq, runId ?? undefined)
      const wanted = page.filter((event) => this.#wants(event))
      // Nothing of this run up to there; what was published since is looked at in the next round.
      if (wanted.length === 0) this.#lastSeq = Math.max(published, this.#lastSeq)
      await this.#writer.writeAndDrain(wanted.map(frame).join(''))
      for (const event of wanted) this.#noteSent(event)
    }
  }

  #join (): void {
    this.#joined = this.#feed.join(this)
    if (this.#ended) { // the feed was closed before
      this.#joined.leave()
      return
    }
    const { runId, ephemeral, frame } = this.#options
    this.#writer.write(frame(narrowSnapshot(this.#joined.snapshot, this.#feed.sessionId, { runId, ephemeral })))
  }

  #wants ({ seq, runId }: Published): boolean {
    if (seq === null ? !this.#options.ephemeral : seq <= this.#lastSeq) return false
    return this.#options.runId === null || runId === this.#options.runId
  }

  #noteSent (published: Published): void {
    if (published.seq === null) return
    this.#lastSeq = published.seq
    if (published.type === 'session_end') this.end()
    if (this.#options.runId === null) return
    if (published.type === 'run_end') this.end()
    if (published.type === 'approval_required') {
      // The feed's JSON is the wire object of the type that it names.
      this.#asked.add(roundKey(JSON.parse(published.json) as AskedRound))
      this.#endIfPaused()
    }
  }

  #endIfPaused (): void {
    if (this.#endAfter !== null && [...this.#endAfter].every((round) => this.#asked.has(round))) this.end()
  }

  #leave (): void {
    if (this.#ended) return
    this.#ended = true
    this.#joined?.leave()
    this.#feed.close()
  }
}

function roundKey ({ callId, round }: AskedRound): string { return `${callId} ${round}` }
