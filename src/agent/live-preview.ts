import type { EphemeralEvent, PreviewedMessage, PreviewedOutput } from '../protocol/ephemeral.ts'
import type { SessionEvent } from '../protocol/events.ts'
import { outputPreviewLength } from '../limits.ts'

interface Output { runId: string, text: string, omitted: number }
interface Message { runId: string, messageId: string, text: string, reasoning: string, calls: Array<{ tool: string, arguments: string }> }

/**
 * What streams have shown of events to come: the text of the message that is being generated, the output of
 * running calls. Each is void when its durable event is there. Lives in memory only.
 */
export class LivePreview {
  readonly #sessionId: string
  readonly #outputs = new Map<string, Output>()
  #message: Message | null = null

  constructor (sessionId: string) { this.#sessionId = sessionId }

  /** Each of these takes in new text and returns the event that tells it. */
  text (runId: string, messageId: string, text: string): EphemeralEvent {
    const message = this.#of(runId, messageId)
    const offset = message.text.length
    message.text += text
    return { type: 'text_delta', sessionId: this.#sessionId, runId, messageId, offset, text }
  }

  reasoning (runId: string, messageId: string, text: string): EphemeralEvent {
    const message = this.#of(runId, messageId)
    const offset = message.reasoning.length
    message.reasoning += text
    return { type: 'reasoning_delta', sessionId: this.#sessionId, runId, messageId, offset, text }
  }

  call (runId: string, messageId: string, index: number, tool: string, text: string): EphemeralEvent {
    const message = this.#of(runId, messageId)
    const call = message.calls[index] ??= { tool, arguments: '' }
    call.tool = tool
    const offset = call.arguments.length
    call.arguments += text
    return { type: 'tool_call_delta', sessionId: this.#sessionId, runId, messageId, index, tool, offset, text }
  }

  output (runId: string, callId: string, text: string): EphemeralEvent {
    const output = this.#outputs.get(callId) ?? { runId, text: '', omitted: 0 }
    const offset = output.omitted + output.text.length
    const whole = output.text + text
    output.text = whole.slice(-outputPreviewLength)
    output.omitted += whole.length - output.text.length
    this.#outputs.set(callId, output)
    return { type: 'tool_output_delta', sessionId: this.#sessionId, runId, callId, offset, text }
  }

  dropMessage (): void { this.#message = null }

  /** A durable event supersedes its previews. */
  supersede (event: SessionEvent): void {
    if (event.type === 'assistant_message' || event.type === 'run_end') this.#message = null
    if (event.type === 'tool_call_end') this.#outputs.delete(event.callId)
  }

  snapshot (): Extract<EphemeralEvent, { type: 'snapshot' }> {
    const outputs: PreviewedOutput[] = [...this.#outputs].map(([callId, output]) => ({ callId, ...output }))
    const message = this.#message === null ? null : previewed(this.#message)
    return { type: 'snapshot', sessionId: this.#sessionId, ...(message === null ? {} : { message }), outputs }
  }

  #of (runId: string, messageId: string): Message {
    if (this.#message?.messageId === messageId) return this.#message
    return (this.#message = { runId, messageId, text: '', reasoning: '', calls: [] })
  }
}

function previewed (message: Message): PreviewedMessage {
  // Calls may come sparse: a gap is a call of which nothing has arrived.
  return { ...message, calls: message.calls.flatMap((call, index) => [{ index, tool: call.tool, arguments: call.arguments }]) }
}
