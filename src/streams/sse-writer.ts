import type { ServerResponse } from 'node:http'
import { eventBytesMax, replayGatherLength } from '../limits.ts'
import type { Flusher } from './flusher.ts'

export interface WriterOptions {
  readonly flusher: Flusher
  /** Bytes that may wait for a slow reader from one turn of the event loop to the next. */
  readonly bufferBytes: number
  /** A socket that takes no byte for so long is destroyed. */
  readonly stalledMs: number
}

/**
 * Writes to one response. Writing never throws and never waits: after the client has gone it does nothing.
 * What waits in memory is at most `bufferBytes` and what came in one turn; beyond it the connection is cut,
 * never a frame: the client resumes from the log.
 */
export class SseWriter {
  readonly #raw: ServerResponse
  readonly #options: WriterOptions
  #pending = ''
  #scheduled = false
  #onClosed: Array<() => void> = []
  #onDrain: (() => void) | null = null

  constructor (raw: ServerResponse, options: WriterOptions) {
    this.#raw = raw
    this.#options = options
    raw.on('error', () => {}) // between a reset and its 'close' a write reports here; 'close' follows
    raw.on('drain', this.#drained)
    raw.once('close', this.#closed)
    // The socket's own timer knows about progress within a write, which nothing else can see.
    raw.setTimeout(options.stalledMs, () => { if (raw.writableLength > 0) this.cut() })
  }

  get closed (): boolean { return this.#raw.destroyed || this.#raw.writableEnded || this.#raw.socket?.destroyed === true }

  /** Nothing waits to be taken by the socket. */
  get idle (): boolean { return this.#pending === '' && this.#raw.writableLength === 0 }

  /** Called once when the connection is closed or the response is finished. */
  onClosed (listener: () => void): void {
    if (this.#raw.destroyed || this.#raw.socket?.destroyed === true) listener()
    else this.#onClosed.push(listener)
  }

  /** At the end of this turn; cuts the connection when the reader has fallen too far behind. */
  write (text: string): void {
    if (this.closed) return
    if (this.#raw.writableLength > this.#options.bufferBytes || this.#pending.length > eventBytesMax) {
      this.cut()
      return
    }
    this.#pending += text
    this.#schedule()
  }

  /**
   * Writes a page of a replay without regard to the bound, and waits until the reader has taken it. What is small goes
   * at the end of this turn, with what follows in it.
   */
  async writeAndDrain (text: string): Promise<void> {
    if (this.closed) return
    this.#pending += text
    if (this.#pending.length < replayGatherLength) {
      this.#schedule()
      return
    }
    this.#flush()
    if (!this.#raw.writableNeedDrain) return
    await new Promise<void>((resolve) => { this.#onDrain = resolve })
  }

  end (): void {
    if (this.closed) return
    this.#flush()
    this.#raw.end()
  }

  cut (): void {
    this.#pending = ''
    this.#raw.destroy()
  }

  #schedule (): void {
    if (this.#scheduled) return
    this.#scheduled = true
    this.#options.flusher.add(this.#flush)
  }

  readonly #flush = (): void => {
    this.#scheduled = false
    if (this.#pending === '' || this.closed) return
    const bytes = Buffer.from(this.#pending)
    this.#pending = ''
    this.#raw.write(bytes)
  }

  readonly #drained = (): void => {
    this.#onDrain?.()
    this.#onDrain = null
  }

  readonly #closed = (): void => {
    this.#pending = ''
    this.#drained()
    const listeners = this.#onClosed
    this.#onClosed = []
    for (const listener of listeners) listener()
  }
}
