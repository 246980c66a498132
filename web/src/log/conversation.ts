import type { EventOf, SessionEvent } from '../api/types.ts'

/** One thing in the column of the conversation. */
export type Said =
  | { readonly kind: 'user', readonly id: string, readonly text: string, readonly at: string, readonly by: string | null, readonly queued: boolean }
  | { readonly kind: 'assistant', readonly id: string, readonly text: string, readonly reasoning: string, readonly callIds: readonly string[], readonly incomplete: boolean }
  | { readonly kind: 'end', readonly id: string, readonly end: EventOf<'run_end'> }

/** What was said, in order; empty steps without text, reasoning or calls are left out. Pure. */
export function conversationOf (events: readonly SessionEvent[]): Said[] {
  const said: Said[] = []
  const begun = new Set(events.flatMap((event) => event.type === 'run_start' || event.type === 'run_end' ? [event.runId] : []))
  for (const event of events) {
    if (event.type === 'user_message') {
      said.push({
        kind: 'user',
        id: event.messageId,
        text: event.content.map(({ text }) => text).join('\n'),
        at: event.at,
        by: event.by.name ?? null,
        queued: !begun.has(event.runId)
      })
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
    if (event.type === 'run_end') said.push({ kind: 'end', id: event.runId, end: event })
  }
  return said
}

/** The run that is at work: begun and not ended. Null: none. */
export function activeRun (events: readonly SessionEvent[]): string | null {
  for (let i = events.length - 1; i >= 0; i--) {
    const event = events[i]
    if (event?.type === 'run_end') return null
    if (event?.type === 'run_start') return event.runId
  }
  return null
}
