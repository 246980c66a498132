import type { Socket } from 'node:net'
import { createParser } from 'eventsource-parser'
import { buildConnector, Client } from 'undici'
import { headersOf } from './request.ts'

export interface StreamItem {
  readonly id: string | undefined
  readonly event: string | undefined
  /** Parsed JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- an event of whatever type the test waits for
  readonly data: any
}

export interface StreamOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly lastEventId?: string
  readonly key?: string | null
  readonly method?: string
  /** Sent as JSON. */
  readonly body?: unknown
}

/**
 * One SSE answer on a connection of its own. Iterate over it, or wait with `until`; what was handed out is in `items`.
 * It reads as fast as the server sends unless it is paused.
 */
export interface EventStream extends AsyncIterable<StreamItem> {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Every event that has arrived, also those that nobody has waited for. */
  readonly items: readonly StreamItem[]
  readonly comments: readonly string[]
  /** Everything that has arrived, as it came; of an answer that is no stream, its body. */
  readonly text: string
  /** What the server's `retry:` said last, ms. */
  readonly retryMs: number | null
  readonly lastEventId: string | undefined
  /** Null: the stream has ended. @throws Error when nothing comes within `timeoutMs` (10 s) */
  next (timeoutMs?: number): Promise<StreamItem | null>
  /** Events up to the first that is of this type, or that fits; it included. @throws Error when the stream ends before, or after `timeoutMs` (10 s) */
  until (wanted: string | ((item: StreamItem) => boolean), timeoutMs?: number): Promise<StreamItem[]>
  /** Resolves with what has not been handed out yet when the server has ended the stream. */
  rest (timeoutMs?: number): Promise<StreamItem[]>
  /** Stops reading from the socket: a slow reader. */
  pause (): void
  resume (): void
  /** Leaves as a client that is done. */
  close (): Promise<void>
  /** Leaves as a client that crashed: the connection is reset. */
  destroySocket (): void
}

export async function openStream (url: string, options: StreamOptions = {}): Promise<EventStream> {
  const { origin, pathname, search } = new URL(url)
  let socket: Socket | null = null
  const connect = buildConnector({})
  const client = new Client(origin, {
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (given, callback) => {
      connect(given, (...result) => {
        socket = result[1]
        callback(...result)
      })
    }
  })
  const { body, method = 'GET', lastEventId, key } = options
  const answer = await client.request({
    path: `${pathname}${search}`,
    method: method as 'GET', // undici's list of methods
    headers: { accept: 'text/event-stream', ...headersOf(key, body), ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }), ...options.headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

  const items: StreamItem[] = []
  const comments: string[] = []
  let handedOut = 0
  let ended = false
  let retryMs: number | null = null
  let wake = () => {}
  let text = ''
  const isStream = String(answer.headers['content-type']).startsWith('text/event-stream')
  const parser = createParser({
    onEvent: ({ id, event, data }) => { items.push({ id, event, data: JSON.parse(data) }) },
    onComment: (comment) => { comments.push(comment) },
    onRetry: (ms) => { retryMs = ms },
    onError: (error) => { throw error }
  })
  const decoder = new TextDecoder()
  answer.body.on('data', (chunk: Buffer) => {
    const decoded = decoder.decode(chunk, { stream: true })
    text += decoded
    if (isStream) parser.feed(decoded)
    wake()
  })
  const onEnd = () => {
    ended = true
    wake()
  }
  answer.body.on('end', onEnd).on('close', onEnd).on('error', onEnd)

  const isWaiting = () => handedOut === items.length && !ended

  async function next (timeoutMs = 10_000): Promise<StreamItem | null> {
    const deadline = performance.now() + timeoutMs
    while (isWaiting()) {
      const left = deadline - performance.now()
      if (left <= 0) throw new Error(`No event within ${timeoutMs} ms after ${describe(items)}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    return items[handedOut] === undefined ? null : items[handedOut++] ?? null
  }

  async function collect (isLast: (item: StreamItem) => boolean, timeoutMs: number): Promise<{ found: boolean, collected: StreamItem[] }> {
    const deadline = performance.now() + timeoutMs
    const collected: StreamItem[] = []
    for (;;) {
      const item = await next(Math.max(1, deadline - performance.now()))
      if (item === null) return { found: false, collected }
      collected.push(item)
      if (isLast(item)) return { found: true, collected }
    }
  }

  return {
    status: answer.statusCode,
    headers: answer.headers,
    items,
    comments,
    get text () { return text },
    get retryMs () { return retryMs },
    get lastEventId () { return items.findLast((item) => item.id !== undefined)?.id },
    next,
    until: async (wanted, timeoutMs = 10_000) => {
      const { found, collected } = await collect(typeof wanted === 'string' ? (item) => item.event === wanted : wanted, timeoutMs)
      if (!found) throw new Error(`The stream ended without ${typeof wanted === 'string' ? wanted : 'what was waited for'}, after ${describe(items)}`)
      return collected
    },
    rest: async (timeoutMs = 10_000) => (await collect(() => false, timeoutMs)).collected,
    pause: () => { answer.body.pause() },
    resume: () => { answer.body.resume() },
    close: async () => { await client.destroy() },
    destroySocket: () => { socket?.resetAndDestroy() },
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const value = await next(2 ** 31 - 1)
        return value === null ? { done: true, value } : { done: false, value }
      }
    })
  }
}

function describe (items: readonly StreamItem[]): string {
  return `${items.length} events: ${items.slice(-20).map((item) => item.event).join(', ')}`
}
