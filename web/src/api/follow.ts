import { createParser } from 'eventsource-parser'
import { base } from './client.ts'
import { authorization } from './key.ts'
import { Refused, unreachable } from './refused.ts'
import type { Problem } from './types.ts'

export interface Frame { readonly id: string | null, readonly event: string, readonly data: string }

export interface Follower {
  /** The id to go on after; null: from the beginning. */
  lastId (): string | null
  onOpen (): void
  onFrame (frame: Frame): void
  /** The connection is lost, and is tried again. */
  onLost (problem: Refused): void
  /** The server refuses for good: nothing follows. */
  onRefused (problem: Refused): void
}

const silenceMs = 45_000 // three heartbeats
const firstWaitMs = 500
const longestWaitMs = 8_000
/** Once one stream has come back the others need not wait any longer. */
const serverSeen = new EventTarget()

/** Follows a stream until `signal` aborts, coming back by itself. An EventSource cannot send a key; fetch can. */
export async function follow (path: string, follower: Follower, signal: AbortSignal): Promise<void> {
  let waitMs = firstWaitMs
  while (!signal.aborted) {
    try {
      await readOnce(path, follower, signal, () => { waitMs = firstWaitMs })
      if (!signal.aborted) follower.onLost(unreachable('the stream ended'))
    } catch (error) {
      if (signal.aborted) return
      const problem = error instanceof Refused ? error : unreachable(error)
      if (problem.status >= 400 && problem.status < 500 && problem.status !== 429) {
        follower.onRefused(problem)
        return
      }
      follower.onLost(problem)
    }
    await pause(waitMs * (0.75 + Math.random() / 2), signal)
    waitMs = Math.min(waitMs * 2, longestWaitMs)
  }
}

async function readOnce (path: string, follower: Follower, signal: AbortSignal, onOpen: () => void): Promise<void> {
  const silence = new AbortController()
  let timer = setTimeout(() => { silence.abort() }, silenceMs)
  try {
    const lastId = follower.lastId()
    const response = await fetch(`${base}${path}`, {
      headers: { ...authorization(), accept: 'text/event-stream', ...(lastId === null ? {} : { 'last-event-id': lastId }) },
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal])
    })
    if (!response.ok) throw new Refused(response.status, await response.json().catch(() => undefined) as Problem | undefined) // every refusal is a problem document
    if (response.body === null) return
    onOpen()
    serverSeen.dispatchEvent(new Event('open'))
    follower.onOpen()
    const parser = createParser({ onEvent: ({ id, event, data }) => { follower.onFrame({ id: id ?? null, event: event ?? 'message', data }) } })
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(() => { silence.abort() }, silenceMs)
      parser.feed(value)
    }
  } finally {
    clearTimeout(timer)
  }
}

async function pause (ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      removeEventListener('online', done)
      serverSeen.removeEventListener('open', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
    addEventListener('online', done)
    serverSeen.addEventListener('open', done)
  })
}
