import type { Published } from '../agent/feed.ts'

/** What a parser of lines may take for the end of one: LF and CR by the standard, the others by wide-spread libraries. */
const lineBreak = /[\n\r\u0085\u2028\u2029]/
const lineBreaks = /[\n\r\u0085\u2028\u2029]/g

/**
 * One event as Server-Sent Events carry it. A preview has no `id`, so that it never becomes a client's cursor.
 * Line separators inside of strings leave as JSON escapes.
 */
export function frame ({ seq, type, json }: Published): string {
  const data = lineBreak.test(json) ? json.replace(lineBreaks, escape) : json
  return seq === null ? `event: ${type}\ndata: ${data}\n\n` : `id: ${seq}\nevent: ${type}\ndata: ${data}\n\n`
}

// JSON has CR and LF between its tokens only, and the other three within strings only.
function escape (character: string): string {
  return character === '\n' || character === '\r' ? ' ' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The first bytes of a stream: they open an EventSource, and tell it how long to wait before it comes back. */
export function greeting (retryMs: number): string { return `: ecluse\nretry: ${retryMs}\n\n` }

export function retryAfter (retryMs: number): string { return `retry: ${retryMs}\n\n` }

export const heartbeat = ': \n\n'
