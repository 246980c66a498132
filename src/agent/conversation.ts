import { charactersPerToken, charactersPerTokenMax } from '../limits.ts'
import type { Echo, ModelMessage } from '../model/model.ts'
import type { EventOf, SessionEvent, ToolDeclaration } from '../protocol/events.ts'

/** The events that the conversation is made from. */
export const conversationEvents = [
  'prompt_set', 'user_message', 'run_start', 'assistant_message', 'tool_call_end', 'compaction', 'run_end'
] as const satisfies ReadonlyArray<SessionEvent['type']>

/** The private part of an `assistant_message`. */
export interface AssistantPrivate { readonly echo: Echo }

/** A message with its place in the log: the results of a step have that of the message that asked for them. */
export interface ConversationEntry {
  readonly seq: number
  readonly runId: string
  readonly message: ModelMessage
  /** Characters, about. */
  readonly size: number
}

/**
 * The log as the model gets it. Grows by appending only: request N is a prefix of request N+1, over steps, turns
 * and restarts, until a new prompt is set or a compaction puts something shorter in the place of what is old.
 */
export class Conversation {
  #system = ''
  #tools: readonly ToolDeclaration[] = []
  #fixedSize = 0
  #entries: ConversationEntry[] = []
  #summary: string | null = null
  /** What the provider counted, and how many characters that were. */
  #counted: { readonly tokens: number, readonly size: number } | null = null
  #compactions = 0
  readonly #accepted = new Map<string, string>()
  /** The last assistant message whose results are not all there, and those that are. */
  #open: { seq: number, calls: EventOf<'assistant_message'>['calls'], results: Map<string, EventOf<'tool_call_end'>> } | null = null
  /** Seq up to which the log has been taken in. */
  seq = 0

  absorb (event: SessionEvent, hidden: AssistantPrivate | null): void {
    this.seq = event.seq
    switch (event.type) {
      case 'prompt_set':
        this.#system = event.system
        this.#tools = event.tools
        this.#fixedSize = event.system.length + JSON.stringify(event.tools).length
        this.#counted = null
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
      case 'compaction': this.#compact(event); break
      case 'run_end': this.#runEnd(event); break
      case 'session_start': case 'session_update': case 'session_end': case 'approval_required': case 'approval_resolved':
      case 'tool_call_start': case 'files_changed': case 'cancel_requested': break
      default: event satisfies never
    }
  }

  /** Whole when every call of the last message has its result, as the law of the log says before a model call. */
  request (): { messages: ModelMessage[], tools: readonly ToolDeclaration[] } {
    const messages = this.#entries.map(({ message }) => message)
    const [first] = messages
    if (this.#summary !== null) {
      // Roles alternate: it stands before what the user says next, or for it.
      if (first?.role === 'user') messages[0] = { role: 'user', content: `${this.#summary}\n\n${first.content}` }
      else messages.unshift({ role: 'user', content: this.#summary })
    }
    return { messages: [{ role: 'system', content: this.#system }, ...messages], tools: this.#tools }
  }

  get entries (): readonly ConversationEntry[] { return this.#entries }

  /** What stands in for older turns. */
  get summary (): string | null { return this.#summary }

  /** Compactions since the model answered, or since the run began. */
  get compactions (): number { return this.#compactions }

  /** Characters of a request that no compaction can take away. */
  get fixedSize (): number { return this.#fixedSize }

  get size (): number { return this.#fixedSize + (this.#summary?.length ?? 0) + sizeOf(this.#entries) }

  /** Tokens of the next request, about: what the provider counted last, and what came since. */
  get tokens (): number {
    const { tokens, size } = this.#counted ?? { tokens: 0, size: 0 }
    return Math.ceil(tokens + (this.size - size) / charactersPerToken)
  }

  #user (event: EventOf<'run_start'>): void {
    const text = this.#accepted.get(event.runId) ?? ''
    this.#accepted.delete(event.runId)
    this.#compactions = 0
    this.#add(event.seq, event.runId, { role: 'user', content: event.environment === null ? text : `${text}\n\n${event.environment}` })
  }

  #assistant (event: EventOf<'assistant_message'>, hidden: AssistantPrivate | null): void {
    this.#compactions = 0
    const sent = this.size
    if (event.text === '' && event.calls.length === 0) return
    this.#add(event.seq, event.runId, { role: 'assistant', text: event.text, reasoning: event.reasoning, calls: event.calls, echo: hidden?.echo ?? null })
    this.#open = event.calls.length === 0 ? null : { seq: event.seq, calls: event.calls, results: new Map() }
    const { inputTokens, outputTokens } = event.usage
    const { size } = this
    // Some leave out what they had cached, some make numbers up.
    const believable = inputTokens !== null && inputTokens * charactersPerTokenMax >= sent
    this.#counted = believable ? { tokens: inputTokens + (outputTokens ?? 0), size } : null
  }

  /** Results follow in the order of the calls, whatever ended first. */
  #toolResult (event: EventOf<'tool_call_end'>): void {
    if (this.#open === null) return
    const { seq, calls, results } = this.#open
    results.set(event.callId, event)
    if (results.size < calls.length) return
    for (const { callId } of calls) {
      const end = results.get(callId)
      if (end !== undefined) this.#add(seq, event.runId, { role: 'tool', callId, content: toldToModel(end), ok: end.ok })
    }
    this.#open = null
  }

  /** The request that is being answered stays as it was said, also when what was done for it is summarised. */
  #compact (event: EventOf<'compaction'>): void {
    const notes = new Map(event.replacedResults.map(({ callId, note }) => [callId, note]))
    this.#entries = this.#entries.map((entry) => {
      const note = entry.message.role === 'tool' ? notes.get(entry.message.callId) : undefined
      return note === undefined || entry.message.role !== 'tool' ? entry : { ...entry, message: { ...entry.message, content: note }, size: note.length }
    })
    const { summary } = event
    if (summary !== null) {
      this.#summary = summary.text
      this.#entries = this.#entries.filter(({ seq, runId, message }) => seq > summary.throughSeq || (message.role === 'user' && runId === event.runId))
    }
    this.#counted = null
    this.#compactions++
  }

  /** Every turn of the user has an answer, since chat templates want the roles to alternate. */
  #runEnd (event: EventOf<'run_end'>): void {
    // A queued run that is cancelled has no turn, and another's may be under way.
    if (this.#accepted.delete(event.runId)) return
    const last = this.#entries.at(-1)
    if (last === undefined || last.message.role === 'assistant') return
    this.#add(event.seq, event.runId, { role: 'assistant', text: `(This turn ended without an answer: ${event.finishReason}.)`, reasoning: '', calls: [], echo: null })
  }

  #add (seq: number, runId: string, message: ModelMessage): void {
    this.#entries.push({ seq, runId, message, size: lengthOf(message) })
  }
}

export function sizeOf (entries: readonly ConversationEntry[]): number {
  return entries.reduce((sum, { size }) => sum + size, 0)
}

function lengthOf (message: ModelMessage): number {
  return message.role === 'assistant'
    ? message.text.length + message.calls.reduce((sum, call) => sum + call.tool.length + JSON.stringify(call.arguments).length, 0)
    : message.content.length
}

/** The exact string that the model is told. */
export function toldToModel (end: EventOf<'tool_call_end'>): string {
  return end.ok ? end.content ?? '' : JSON.stringify(end.error)
}
