import type { EventOf, SessionEvent } from '../api/types.ts'

/** One thing in the column of the conversation. */
export type Said =
  | { readonly kind: 'user', readonly id: string, readonly text: string, readonly at: string, readonly by: string | null, readonly queued: boolean }
  | { readonly kind: 'assistant', readonly id: string, readonly text: string, readonly reasoning: string, readonly callIds: readonly string[], readonly incomplete: boolean }
  | { readonly kind: 'end', readonly id: string, readonly end: EventOf<'run_end'> }

export interface Talk {
  /** What was said, in order; empty steps without text, reasoning or calls are left out. */
  readonly said: readonly Said[]
  /** The run that is at work: begun and not ended. Null: none. */
  readonly run: string | null
}

/** The conversation of a log that grows: takes what is new of it, and gives what was said so far. */
export function talkFold (): (more: readonly SessionEvent[]) => Talk {
  const said: Said[] = []
  const waiting = new Map<string, number>() // runs that have not begun: the place of their message
  let run: string | null = null
  const begin = (runId: string): void => {
    const place = waiting.get(runId)
    const message = place === undefined ? undefined : said[place]
    if (place !== undefined && message?.kind === 'user') said[place] = { ...message, queued: false }
    waiting.delete(runId)
  }
  const take = (event: SessionEvent): void => {
    if (event.type === 'user_message') {
      waiting.set(event.runId, said.length)
      said.push({ kind: 'user', id: event.messageId, text: event.content.map(({ text }) => text).join('\n'), at: event.at, by: event.by.name ?? null, queued: true })
    }
    if (event.type === 'assistant_message' && (event.text !== '' || event.reasoning !== '' || event.calls.length > 0)) {
      said.push({
        kind: 'assistant',
        id: event.messageId,
        text: event.text,
        reasoning: event.reasoning,
        callIds: event.calls.map(({ callId }) => callId),
        incomplete: event.incomplete === true
      })
    }
    if (event.type === 'run_start') {
      begin(event.runId)
      run = event.runId
    }
    if (event.type === 'run_end') {
      begin(event.runId)
      if (run === event.runId) run = null // one that waited for its turn may end before it had it
      said.push({ kind: 'end', id: event.runId, end: event })
    }
  }
  return (more) => {
    for (const event of more) take(event)
    return { said: said.slice(), run }
  }
}
