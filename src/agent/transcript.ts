import type { EventOf, SessionEvent } from '../protocol/events.ts'
import type { TranscriptItem } from '../protocol/resources.ts'

export const transcriptEvents = ['user_message', 'assistant_message', 'tool_call_end'] as const satisfies ReadonlyArray<SessionEvent['type']>

/** The transcript as a fold of the log: what was said, with what came of each call. */
export class Transcript {
  readonly items: TranscriptItem[] = []
  /** Seq of each item. */
  readonly seqs: number[] = []
  readonly #open = new Map<string, TranscriptItem['toolCalls'][number]>()

  absorb (event: SessionEvent): void {
    if (event.type === 'user_message') this.#add(event.seq, { ...head(event), role: 'user', content: event.content, toolCalls: [] })
    if (event.type === 'assistant_message') this.#assistant(event)
    if (event.type === 'tool_call_end') this.#ended(event)
  }

  /** Calls of the items so far whose end has not come by. */
  get openCalls (): number { return this.#open.size }

  #assistant (event: EventOf<'assistant_message'>): void {
    const toolCalls = event.calls.map(({ callId, tool, arguments: args }) => ({
      callId, tool, arguments: args, ok: null, content: null, error: null
    }) as TranscriptItem['toolCalls'][number])
    for (const call of toolCalls) this.#open.set(call.callId, call)
    this.#add(event.seq, { ...head(event), role: 'assistant', content: event.text === '' ? [] : [{ type: 'text', text: event.text }], toolCalls })
  }

  #ended (event: EventOf<'tool_call_end'>): void {
    const call = this.#open.get(event.callId)
    if (call === undefined) return
    this.#open.delete(event.callId)
    Object.assign(call, { ok: event.ok, content: event.content ?? null, error: event.error ?? null })
  }

  #add (seq: number, item: TranscriptItem): void {
    this.items.push(item)
    this.seqs.push(seq)
  }
}

function head (event: EventOf<'user_message'> | EventOf<'assistant_message'>) {
  return { id: event.messageId, runId: event.runId, at: event.at }
}
