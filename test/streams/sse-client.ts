import { createParser, type EventSourceMessage } from 'eventsource-parser'

export interface SseClient {
  readonly response: Response
  readonly events: EventSourceMessage[]
  readonly comments: string[]
  /** What `retry:` said, ms. */
  readonly retries: number[]
  /** Reads on until `enough` holds, or the stream ends: then true. */
  read (enough: () => boolean): Promise<boolean>
  leave (): void
}

export async function openSse (url: string, headers: Record<string, string> = {}): Promise<SseClient> {
  const controller = new AbortController()
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: controller.signal })
  const events: EventSourceMessage[] = []
  const comments: string[] = []
  const retries: number[] = []
  const parser = createParser({
    onEvent: (event) => { events.push(event) }, onComment: (comment) => { comments.push(comment) }, onRetry: (ms) => { retries.push(ms) }
  })
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  return {
    response,
    events,
    comments,
    retries,
    async read (enough) {
      while (!enough()) {
        const chunk = await reader?.read()
        if (chunk?.value === undefined) return true
        parser.feed(decoder.decode(chunk.value, { stream: true }))
      }
      return false
    },
    leave: () => controller.abort()
  }
}

/** The seqs that a client would keep as its cursor, in order. */
export function idsOf (client: SseClient): number[] {
  return client.events.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]))
}
