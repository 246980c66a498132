import type { EventOf, SessionEvent, StreamEvent } from '../api/types.ts'

/** A message that is being generated. */
export interface LiveMessage {
  readonly runId: string
  readonly messageId: string
  readonly text: string
  readonly reasoning: string
  readonly calls: ReadonlyArray<{ readonly tool: string, readonly arguments: string }>
}

export interface LiveOutput { readonly text: string, readonly omitted: number }

/** What a client knows of a session: the log as far as it came, and previews of what comes. */
export interface LogState {
  readonly events: readonly SessionEvent[]
  readonly message: LiveMessage | null
  /** By callId. */
  readonly outputs: ReadonlyMap<string, LiveOutput>
  /** The model call is made again. */
  readonly retry: EventOf<'retry'> | null
}

export const emptyLog: LogState = { events: [], message: null, outputs: new Map(), retry: null }

const outputKept = 64 * 1024 // UTF-16 units of a running command

/** The state after a batch of a stream. Events of the log that came before are left out. Pure. */
export function takeIn (state: LogState, batch: readonly StreamEvent[]): LogState {
  let { message, outputs, retry } = state
  let events = state.events
  let added: SessionEvent[] = []
  const settle = (): void => {
    if (added.length > 0) events = events.concat(added)
    added = []
  }
  for (const event of batch) {
    switch (event.type) {
      case 'text_delta':
        message = { ...started(message, event), text: joined(started(message, event).text, event) }
        retry = null
        break
      case 'reasoning_delta':
        message = { ...started(message, event), reasoning: joined(started(message, event).reasoning, event) }
        retry = null
        break
      case 'tool_call_delta': {
        const begun = started(message, event)
        const calls = [...begun.calls]
        calls[event.index] = { tool: event.tool, arguments: joined(calls[event.index]?.arguments ?? '', event) }
        message = { ...begun, calls: Array.from(calls, (call) => call ?? { tool: '', arguments: '' }) }
        break
      }
      case 'tool_output_delta': {
        const before = outputs.get(event.callId) ?? { text: '', omitted: 0 }
        outputs = new Map(outputs).set(event.callId, cutOutput({ ...before, text: before.text.slice(0, Math.max(0, event.offset - before.omitted)) + event.text }))
        break
      }
      case 'retry':
        message = null
        retry = event
        break
      case 'snapshot':
        message = event.message === undefined ? null : { ...event.message, calls: event.message.calls.map(({ tool, arguments: args }) => ({ tool, arguments: args })) }
        outputs = new Map(event.outputs.map(({ callId, text, omitted }) => [callId, { text, omitted }]))
        retry = null
        break
      case 'reset':
        [events, added, message, outputs, retry] = [[], [], null, new Map(), null]
        break
      default: {
        const last = added.at(-1)?.seq ?? events.at(-1)?.seq ?? 0
        if (event.seq <= last) break
        added.push(event)
        if (event.type === 'assistant_message' || event.type === 'run_end') [message, retry] = [null, null]
        if (event.type === 'tool_call_end' && outputs.has(event.callId)) {
          outputs = new Map(outputs)
          ;(outputs as Map<string, LiveOutput>).delete(event.callId) // the copy made in the line before
        }
      }
    }
  }
  settle()
  return { events, message, outputs, retry }
}

function started (message: LiveMessage | null, { runId, messageId }: { runId: string, messageId: string }): LiveMessage {
  return message?.messageId === messageId ? message : { runId, messageId, text: '', reasoning: '', calls: [] }
}

/** `offset` is where the piece belongs: one that came twice changes nothing. */
function joined (text: string, { offset, text: piece }: { offset: number, text: string }): string {
  return text.slice(0, offset) + piece
}

function cutOutput ({ text, omitted }: LiveOutput): LiveOutput {
  const over = text.length - outputKept
  return over <= 0 ? { text, omitted } : { text: text.slice(over), omitted: omitted + over }
}
