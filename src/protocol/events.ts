import { Type, type Static, type TProperties } from '@sinclair/typebox'
import {
  By, ContentPart, Digest, JsonObject, Metadata, OnApproval, Policy, Rule, RunError, RunLimits, Seq, Timestamp, ToolError, Usage, nullable, oneOf
} from './common.ts'
import { Effect, Preview } from './plan.ts'

/** Version of the stored shapes; `store` upcasts older ones on read and refuses to write to newer ones. */
export const logVersion = 1

const SessionId = Type.String()
const RunId = Type.String()
const MessageId = Type.String()
const CallId = Type.String()

/** An event of the log: committed before anyone sees it, never changed while the session exists. */
function durable<const T extends string, P extends TProperties> (type: T, title: string, description: string, properties: P) {
  return Type.Object({
    type: Type.Literal(type), seq: Seq, at: Timestamp, sessionId: SessionId, ...properties
  }, { title, description })
}

export const RunStatus = oneOf(['queued', 'running', 'awaiting_approval', 'completed', 'failed', 'cancelled'])
export type RunStatus = Static<typeof RunStatus>
export const SettledStatus = oneOf(['completed', 'failed', 'cancelled'])
export type SettledStatus = Static<typeof SettledStatus>
export const RunFinishReason = oneOf(['stop', 'max_steps', 'budget', 'loop_detected', 'error', 'cancelled'])
export type RunFinishReason = Static<typeof RunFinishReason>
export const ApprovalOutcome = oneOf(['approved', 'denied', 'expired', 'cancelled', 'replaced'])
export type ApprovalOutcome = Static<typeof ApprovalOutcome>
export const ModelFinishReason = oneOf(['stop', 'tool_calls', 'length', 'content_filter', 'cancelled', 'error'])
export type ModelFinishReason = Static<typeof ModelFinishReason>

export const SessionStart = durable('session_start', 'SessionStartEvent', 'The session was created.', {
  externalId: nullable(Type.String()),
  title: nullable(Type.String()),
  model: Type.String(),
  instructions: nullable(Type.String()),
  policy: Policy,
  limits: RunLimits,
  metadata: Metadata,
  createdBy: By,
  logVersion: Type.Integer()
})

export const SessionUpdate = durable('session_update', 'SessionUpdateEvent', 'Settings changed; only those named here.', {
  changes: Type.Object({
    title: Type.Optional(nullable(Type.String())),
    model: Type.Optional(Type.String()),
    policy: Type.Optional(Policy),
    limits: Type.Optional(RunLimits),
    metadata: Type.Optional(Metadata)
  }),
  callId: Type.Optional(Type.String({ description: 'The approval whose remembered rule this is' })),
  by: By
})

export const SessionEnd = durable('session_end', 'SessionEndEvent', 'The session was deleted; nothing follows.', { by: By })

export const ToolDeclaration = Type.Object({
  name: Type.String(), description: Type.String(), parameters: JsonObject
}, { title: 'ToolDeclaration' })
export type ToolDeclaration = Static<typeof ToolDeclaration>

export const PromptSet = durable('prompt_set', 'PromptSetEvent', 'The system prompt and the tools, as they are sent to the model from here on.', {
  runId: RunId,
  reason: oneOf(['first_run', 'model_switch', 'compaction']),
  model: Type.String(),
  system: Type.String(),
  tools: Type.Array(ToolDeclaration)
})

export const UserMessage = durable('user_message', 'UserMessageEvent', 'A message was accepted; a run answers it.', {
  runId: RunId,
  messageId: MessageId,
  content: Type.Array(ContentPart),
  model: Type.String(),
  limits: RunLimits,
  onApproval: OnApproval,
  cancelOnDisconnect: Type.Boolean(),
  by: By
})

export const RunStart = durable('run_start', 'RunStartEvent', 'The run starts, or goes on after a restart of the server.', {
  runId: RunId,
  messageId: MessageId,
  resumed: Type.Boolean(),
  limits: RunLimits,
  environment: nullable(Type.String({ description: 'The note at the end of the user\'s turn, as the model gets it; null when resumed' }))
})

export const ToolCall = Type.Object({
  callId: CallId,
  tool: Type.String(),
  arguments: JsonObject,
  invalidArguments: Type.Optional(Type.Object({
    reason: oneOf(['invalid_json', 'not_an_object', 'truncated']),
    text: Type.String({ description: 'What the model sent, as it was' })
  }, { description: 'The model sent no usable arguments; `arguments` is empty and the call is not run' }))
}, { title: 'ToolCall' })
export type ToolCall = Static<typeof ToolCall>

export const AssistantMessage = durable('assistant_message', 'AssistantMessageEvent', 'A model call ended.', {
  runId: RunId,
  messageId: MessageId,
  text: Type.String(),
  reasoning: Type.String(),
  calls: Type.Array(ToolCall),
  finishReason: ModelFinishReason,
  usage: Usage,
  model: Type.String(),
  durationMs: Type.Integer({ minimum: 0 }),
  incomplete: Type.Optional(Type.Literal(true, { description: 'It was cut: cancelled, or the model failed' }))
})

/** On the next event of a call whose plan the model was asked for. */
const PlanningUsage = Type.Optional(Type.Object(Usage.properties, { description: 'What the model was asked for to plan the call; counted in the run' }))

export const ApprovalRequired = durable('approval_required', 'ApprovalRequiredEvent', 'A call waits for a decision on this plan.', {
  runId: RunId,
  callId: CallId,
  round: Type.Integer({ minimum: 1 }),
  tool: Type.String(),
  preview: Preview,
  digest: Digest,
  expiresAt: nullable(Timestamp),
  usage: PlanningUsage,
  editedArguments: Type.Optional(Type.Object({
    arguments: JsonObject, by: By
  }, { description: 'Somebody changed the arguments; these are what would run' }))
})

export const ApprovalResolved = durable('approval_resolved', 'ApprovalResolvedEvent', 'The question is settled.', {
  runId: RunId,
  callId: CallId,
  round: Type.Integer({ minimum: 1 }),
  digest: Digest,
  outcome: ApprovalOutcome,
  by: By,
  reason: nullable(Type.String()),
  rule: nullable(Rule)
})

export const ToolCallStart = durable('tool_call_start', 'ToolCallStartEvent', 'The call is about to act.', {
  runId: RunId,
  callId: CallId,
  tool: Type.String(),
  dangerous: Type.Boolean(),
  digest: nullable(Digest),
  effects: Type.Array(Effect),
  usage: PlanningUsage
})

export const SeenFile = Type.Object({ path: Type.String(), sha256: nullable(Digest) }, { title: 'SeenFile' })
export type SeenFile = Static<typeof SeenFile>

export const ToolCallEnd = durable('tool_call_end', 'ToolCallEndEvent', 'The call ended; `content`, or `error` as JSON, is what the model is told.', {
  runId: RunId,
  callId: CallId,
  tool: Type.String(),
  ok: Type.Boolean(),
  content: Type.Optional(Type.String()),
  error: Type.Optional(ToolError),
  diff: nullable(Type.String()),
  verified: nullable(Type.Boolean({ description: 'What was written was read back and compared' })),
  durationMs: Type.Integer({ minimum: 0 }),
  truncated: Type.Boolean(),
  seen: Type.Optional(Type.Array(SeenFile, { description: 'Files as the model knows them after this call; null: not there' })),
  usage: PlanningUsage
})

export const FilesChanged = durable('files_changed', 'FilesChangedEvent', 'Files were changed over HTTP.', {
  how: oneOf(['put', 'delete', 'archive']),
  paths: Type.Array(Type.String()),
  omitted: Type.Integer({ minimum: 0, description: 'Paths left out of the list' }),
  by: By
})

export const CancelRequested = durable('cancel_requested', 'CancelRequestedEvent', 'The run shall stop; nothing starts from here on.', {
  runId: RunId, by: By, reason: nullable(Type.String())
})

export const Compaction = durable('compaction', 'CompactionEvent', 'History was shortened for the model; the log keeps all of it.', {
  runId: RunId,
  reason: oneOf(['window', 'overflow']),
  replacedResults: Type.Array(Type.Object({ callId: CallId, note: Type.String() })),
  summary: nullable(Type.Object({ throughSeq: Seq, text: Type.String(), usage: Usage }))
})

export const RunEnd = durable('run_end', 'RunEndEvent', 'The run is settled; nothing of it follows.', {
  runId: RunId,
  status: SettledStatus,
  finishReason: RunFinishReason,
  text: nullable(Type.String()),
  error: nullable(RunError),
  usage: Usage,
  steps: Type.Integer({ minimum: 0 }),
  durationMs: Type.Integer({ minimum: 0, description: 'Time at work: from start to end without the waits for approvals' })
})

export const durableEvents = [
  SessionStart, SessionUpdate, SessionEnd, PromptSet, UserMessage, RunStart, AssistantMessage, ApprovalRequired,
  ApprovalResolved, ToolCallStart, ToolCallEnd, FilesChanged, CancelRequested, Compaction, RunEnd
] as const

export const SessionEvent = Type.Union([...durableEvents], { title: 'SessionEvent', description: 'A fact in the log of a session.' })
export type SessionEvent = Static<typeof SessionEvent>
export type SessionEventType = SessionEvent['type']
export type EventOf<T extends SessionEventType> = Extract<SessionEvent, { type: T }>
