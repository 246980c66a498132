import { Type, type Static, type TProperties } from '@sinclair/typebox'
import { nullable } from './common.ts'
import { durableEvents } from './events.ts'

/** A preview of a durable event to come: never stored, no `id`. A client may ignore them all. */
function ephemeral<const T extends string, P extends TProperties> (type: T, title: string, description: string, properties: P) {
  return Type.Object({ type: Type.Literal(type), sessionId: Type.String(), ...properties }, { title, description })
}

const Offset = Type.Integer({ minimum: 0, description: 'UTF-16 units of this text that came before' })

export const TextDelta = ephemeral('text_delta', 'TextDeltaEvent', 'The answer as it is generated.', {
  runId: Type.String(), messageId: Type.String(), offset: Offset, text: Type.String()
})
export const ReasoningDelta = ephemeral('reasoning_delta', 'ReasoningDeltaEvent', 'The model\'s reasoning as it is generated.', {
  runId: Type.String(), messageId: Type.String(), offset: Offset, text: Type.String()
})
export const ToolCallDelta = ephemeral('tool_call_delta', 'ToolCallDeltaEvent', 'The arguments of a call as they are generated.', {
  runId: Type.String(),
  messageId: Type.String(),
  index: Type.Integer({ minimum: 0, description: 'Which call of the message' }),
  tool: Type.String(),
  offset: Offset,
  text: Type.String()
})
export const ToolOutputDelta = ephemeral('tool_output_delta', 'ToolOutputDeltaEvent', 'The output of a running call as it appears.', {
  runId: Type.String(), callId: Type.String(), offset: Offset, text: Type.String()
})
export const Retry = ephemeral('retry', 'RetryEvent', 'The model call failed and is made again; what was shown of this message is void.', {
  runId: Type.String(),
  messageId: Type.String(),
  attempt: Type.Integer({ minimum: 1 }),
  delayMs: Type.Integer({ minimum: 0 }),
  code: Type.String(),
  detail: Type.String()
})

export const PreviewedMessage = Type.Object({
  runId: Type.String(),
  messageId: Type.String(),
  text: Type.String(),
  reasoning: Type.String(),
  calls: Type.Array(Type.Object({ index: Type.Integer(), tool: Type.String(), arguments: Type.String() }))
}, { title: 'PreviewedMessage' })
export type PreviewedMessage = Static<typeof PreviewedMessage>

export const PreviewedOutput = Type.Object({
  runId: Type.String(),
  callId: Type.String(),
  text: Type.String(),
  omitted: Type.Integer({ minimum: 0, description: 'UTF-16 units before `text` that are left out' })
}, { title: 'PreviewedOutput' })
export type PreviewedOutput = Static<typeof PreviewedOutput>

export const Snapshot = ephemeral('snapshot', 'SnapshotEvent', 'From here on the stream is live; this replaces every preview that the client had.', {
  message: Type.Optional(PreviewedMessage),
  outputs: Type.Array(PreviewedOutput)
})
export const Reset = ephemeral('reset', 'ResetEvent', 'The cursor is not known; the log follows from 1.', {
  reason: nullable(Type.String())
})

export const ephemeralEvents = [TextDelta, ReasoningDelta, ToolCallDelta, ToolOutputDelta, Retry, Snapshot, Reset] as const

export const EphemeralEvent = Type.Union([...ephemeralEvents], { title: 'EphemeralEvent' })
export type EphemeralEvent = Static<typeof EphemeralEvent>

export const StreamEvent = Type.Union([...durableEvents, ...ephemeralEvents], {
  title: 'Event', description: 'What a stream carries: the events of the log, and previews of those to come.'
})
export type StreamEvent = Static<typeof StreamEvent>
