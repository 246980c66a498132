import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Feed, Published } from '../agent/feed.ts'
import type { NoticeListener } from '../agent/notices.ts'
import { AgentError } from '../errors.ts'
import { stalledReaderMs, streamBufferBytes, streamRetryMs, streamsRetryAfterS } from '../limits.ts'
import type { Position } from './cursor.ts'
import { EventStream, type AskedRound } from './event-stream.ts'
import { Flusher } from './flusher.ts'
import { frame, heartbeat, retryAfter } from './frame.ts'
import { NoticeStream } from './notice-stream.ts'
import { SseWriter } from './sse-writer.ts'

export interface EventStreamsOptions {
  /** A comment is sent so often, ms: proxies cut connections that are silent for a minute. */
  readonly heartbeatMs: number
  /** Streams open at once. */
  readonly streamsMax: number
  /** Bytes that may wait for a slow reader; default `limits.streamBufferBytes`. */
  readonly bufferBytes?: number
  /** A reader that takes no byte for so long is dead; default `limits.stalledReaderMs`. */
  readonly stalledMs?: number
}

/** Room for one stream, held from before anything is stored until the stream has ended. `release` it, once or more. */
export interface Place { release (): void }

export interface OpenOptions {
  readonly position: Position
  readonly runId: string | null
  readonly ephemeral: boolean
}

export interface OpenStream {
  /** Aborts when the response is over, by its end or because the client has gone. */
  readonly signal: AbortSignal
  /** Ends the response as soon as these rounds have been sent. */
  endAfter (rounds: readonly AskedRound[]): void
  /** Ends the response after what has been sent. */
  end (): void
}

/** Streams of the first slot get their heartbeat together, then those of the next: never ten thousand in one turn. */
const heartbeatSlots = 8

interface Entry { readonly stream: { end (): void }, readonly writer: SseWriter }

/** What proxies need to let a stream through as it comes. */
export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-store, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff'
} as const

/** The open event streams of one app: their number, their heartbeat and their end. */
export class EventStreams {
  readonly #options: EventStreamsOptions
  readonly #flusher = new Flusher()
  readonly #slots: Array<Set<Entry>> = Array.from({ length: heartbeatSlots }, () => new Set())
  #places = 0
  #opened = 0
  #beat = 0
  #timer: NodeJS.Timeout | null = null
  #closing = false
  #framed: { published: Published, text: string } | null = null

  constructor (options: EventStreamsOptions) { this.#options = options }

  /** Streams that are open, or about to be. */
  get count (): number { return this.#places }

  /** @throws AgentError too_many_streams, shutting_down */
  reserve (): Place {
    if (this.#closing) throw new AgentError('shutting_down', 'The server is shutting down.', { retryAfterS: streamsRetryAfterS })
    if (this.#places >= this.#options.streamsMax) {
      throw new AgentError('too_many_streams', `${this.#places} event streams are open.`, {
        suggestion: 'Close streams that nobody reads, or poll: GET the run with "Prefer: wait=30".', retryAfterS: streamsRetryAfterS
      })
    }
    this.#places++
    let held = true
    return { release: () => { if (held) { held = false; this.#places-- } } }
  }

  /** Takes over the response, the feed and the place. Headers that hooks have set go along. */
  open (reply: FastifyReply, place: Place, feed: Feed, { position, runId, ephemeral }: OpenOptions): OpenStream {
    const writer = this.#takeOver(reply)
    const gone = new AbortController()
    const stream = new EventStream(feed, writer, {
      position,
      runId,
      ephemeral,
      retryMs: streamRetryMs,
      frame: this.#frame,
      onError: (error) => reply.log.error({ err: error }, 'an event stream was cut: its log could not be read')
    })
    this.#begin(reply, place, { stream, writer }, () => stream.start())
    writer.onClosed(() => { gone.abort() })
    return { signal: gone.signal, endAfter: (rounds) => stream.endAfter(rounds), end: () => stream.end() }
  }

  /** Takes over the response and the place for notices; `subscribe` is called once, and what it returns when the client has gone. */
  openNotices (reply: FastifyReply, place: Place, subscribe: (listener: NoticeListener) => () => void): void {
    const writer = this.#takeOver(reply)
    const stream = new NoticeStream(writer, streamRetryMs, subscribe)
    this.#begin(reply, place, { stream, writer }, () => stream.start())
  }

  #takeOver (reply: FastifyReply): SseWriter {
    reply.hijack()
    return new SseWriter(reply.raw, {
      flusher: this.#flusher, bufferBytes: this.#options.bufferBytes ?? streamBufferBytes, stalledMs: this.#options.stalledMs ?? stalledReaderMs
    })
  }

  #begin (reply: FastifyReply, place: Place, entry: Entry, start: () => void): void {
    const leave = this.#enter(entry)
    entry.writer.onClosed(() => { leave(); place.release() })
    if (entry.writer.closed) return
    // Fastify's header values are those of node:http, and undefined for none.
    reply.raw.writeHead(200, { ...reply.getHeaders() as OutgoingHttpHeaders, ...streamHeaders })
    if (this.#closing) entry.stream.end()
    else start()
  }

  /**
   * Ends every stream and opens none from here on: clients come back after `retryMs`.
   * Resolves when the last byte is taken; readers that do not take it within `graceMs` are cut.
   */
  async endAll (retryMs: number, graceMs: number): Promise<void> {
    this.#closing = true
    const entries = this.#slots.flatMap((slot) => [...slot])
    const closed = entries.map(({ writer }) => new Promise<void>((resolve) => { writer.onClosed(resolve) }))
    for (const { stream, writer } of entries) {
      writer.write(retryAfter(retryMs))
      stream.end()
    }
    const timer = setTimeout(() => { for (const { writer } of entries) writer.cut() }, graceMs)
    await Promise.all(closed)
    clearTimeout(timer)
  }

  #enter (entry: Entry): () => void {
    const slot = this.#slots[this.#opened++ % heartbeatSlots]
    slot?.add(entry)
    this.#timer ??= setInterval(this.#sendHeartbeats, Math.max(1, this.#options.heartbeatMs / heartbeatSlots)).unref()
    return () => {
      slot?.delete(entry)
      if (this.#timer === null || this.#slots.some(({ size }) => size > 0)) return
      clearInterval(this.#timer)
      this.#timer = null
    }
  }

  readonly #sendHeartbeats = (): void => {
    // Where bytes wait for the reader, a heartbeat would only wait behind them.
    for (const { writer } of this.#slots[this.#beat++ % heartbeatSlots] ?? []) if (writer.idle) writer.write(heartbeat)
  }

  readonly #frame = (published: Published): string => {
    if (this.#framed?.published !== published) this.#framed = { published, text: frame(published) }
    return this.#framed.text
  }
}
