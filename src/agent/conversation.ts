import type { Echo, ModelMessage } from '../model/model.ts'
import type { EventOf, SessionEvent, ToolDeclaration } from '../protocol/events.ts'

/** The events that the conversation is made from. */
export const conversationEvents = [
  'prompt_set', 'user_message', 'run_start', 'assistant_message', 'tool_call_end', 'run_end'
] as const satisfies ReadonlyArray<SessionEvent['type']>

/** The private part of an `assistant_message`. */
export interface AssistantPrivate { readonly echo: Echo }

/**
 * The log as the model gets it. Grows by appending only: request N is a prefix of request N+1, over steps, turns
 * and restarts, until a new prompt is set.
 */
export class Conversation {
  #system = ''
  #tools: readonly ToolDeclaration[] = []
  #messages: ModelMessage[] = []
  readonly #accepted = new Map<string, string>()
  /** The last assistant message whose results are not all there, and those that are. */
  #open: { calls: EventOf<'assistant_message'>['calls'], results: Map<string, EventOf<'tool_call_end'>> } | null = null
  /** Seq up to which the log has been taken in. */
  seq = 0

  absorb (event: SessionEvent, hidden: AssistantPrivate | null): void {
    this.seq = event.seq
    switch (event.type) {
      case 'prompt_set':
        this.#system = event.system
        this.#tools = event.tools
        break
      case 'user_message':
        // A queued message joins when its run starts, else it would stand between another run's calls and results.
        this.#accepted.set(event.runId, event.content.map((part) => part.text).join('\n\n'))
        break
      case 'run_start':
        if (!event.resumed) this.#user(event)
        break
      case 'assistant_message': this.#assistant(event, hidden); break
      case 'tool_call_end': this.#toolResult(event); break
      case 'run_end': this.#runEnd(event); break
      case 'session_start': case 'session_update': case 'session_end': case 'approval_required': case 'approval_resolved':
      case 'tool_call_start': case 'files_changed': case 'cancel_requested': case 'compaction': break
      default: event satisfies never
    }
  }

  /** Whole when every call of the last message has its result, as the law of the log says before a model call. */
  request (): { messages: ModelMessage[], tools: readonly ToolDeclaration[] } {
    return { messages: [{ role: 'system', content: this.#system }, ...this.#messages], tools: this.#tools }
  }

  #user (event: EventOf<'run_start'>): void {
    const text = this.#accepted.get(event.runId) ?? ''
    this.#accepted.delete(event.runId)
    this.#messages.push({ role: 'user', content: event.environment === null ? text : `${text}\n\n${event.environment}` })
  }

  #assistant (event: EventOf<'assistant_message'>, hidden: AssistantPrivate | null): void {
    if (event.text === '' && event.calls.length === 0) return
    this.#messages.push({ role: 'assistant', text: event.text, reasoning: event.reasoning, calls: event.calls, echo: hidden?.echo ?? null })
    this.#open = event.calls.length === 0 ? null : { calls: event.calls, results: new Map() }
  }

  /** Results follow in the order of the calls, whatever ended first. */
  #toolResult (event: EventOf<'tool_call_end'>): void {
    if (this.#open === null) return
    this.#open.results.set(event.callId, event)
    if (this.#open.results.size < this.#open.calls.length) return
    for (const { callId } of this.#open.calls) {
      const end = this.#open.results.get(callId)
      if (end !== undefined) this.#messages.push({ role: 'tool', callId, content: toldToModel(end), ok: end.ok })
    }
    this.#open = null
  }

  /** Every turn of the user has an answer, since chat templates want the roles to alternate. */
  #runEnd (event: EventOf<'run_end'>): void {
    // A queued run that is cancelled has no turn, and another's may be under way.
    if (this.#accepted.delete(event.runId)) return
    const last = this.#messages.at(-1)
    if (last === undefined || last.role === 'assistant') return
    this.#messages.push({ role: 'assistant', text: `(This turn ended without an answer: ${event.finishReason}.)`, reasoning: '', calls: [], echo: null })
  }
}

/** The exact string that the model is told. */
export function toldToModel (end: EventOf<'tool_call_end'>): string {
  return end.ok ? end.content ?? '' : JSON.stringify(end.error)
}
