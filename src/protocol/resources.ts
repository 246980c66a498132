import { Type, type Static, type TSchema } from '@sinclair/typebox'
import {
  By, ContentPart, Digest, JsonObject, Metadata, OnApproval, Policy, Rule, RunError, RunLimits, RunLimitsInput, Seq, Timestamp, ToolError,
  Usage, nullable, oneOf
} from './common.ts'
import { RunFinishReason, RunStatus } from './events.ts'
import { Preview } from './plan.ts'
import * as limits from '../limits.ts'

export function page<T extends TSchema> (title: string, item: T) {
  return Type.Object({
    items: Type.Array(item),
    nextCursor: nullable(Type.String({ description: 'Give it as ?cursor= to go on; null: that was all' }))
  }, { title })
}

export const SessionStatus = oneOf(['idle', 'running', 'awaiting_approval'])
export type SessionStatus = Static<typeof SessionStatus>

export const Session = Type.Object({
  id: Type.String(),
  externalId: nullable(Type.String()),
  status: SessionStatus,
  title: nullable(Type.String()),
  model: Type.String(),
  instructions: nullable(Type.String()),
  policy: Policy,
  limits: RunLimits,
  metadata: Metadata,
  usage: Usage,
  createdBy: By,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  lastSeq: Seq
}, { title: 'Session' })
export type Session = Static<typeof Session>
export const SessionPage = page('SessionPage', Session)

const Title = nullable(Type.String({ maxLength: limits.titleLengthMax }))
const ModelName = Type.String({ minLength: 1, maxLength: limits.modelNameLengthMax, description: '`provider/name`, or `demo`' })

export const PolicyInput = Type.Partial(Policy, { title: 'PolicyInput', additionalProperties: false })
export type PolicyInput = Static<typeof PolicyInput>

export const CreateSession = Type.Object({
  externalId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: limits.externalIdLengthMax, description: 'Your own name for it, unique for your team; known: that session is returned with 200' }))),
  title: Type.Optional(Title),
  model: Type.Optional(ModelName),
  instructions: Type.Optional(nullable(Type.String({ maxLength: limits.instructionsLengthMax }))),
  policy: Type.Optional(PolicyInput),
  limits: Type.Optional(RunLimitsInput),
  metadata: Type.Optional(Metadata)
}, { title: 'CreateSession', additionalProperties: false })
export type CreateSession = Static<typeof CreateSession>

/** JSON merge patch: null removes a title or a metadata key. */
export const UpdateSession = Type.Object({
  title: Type.Optional(Title),
  model: Type.Optional(ModelName),
  policy: Type.Optional(PolicyInput),
  limits: Type.Optional(RunLimitsInput),
  metadata: Type.Optional(nullable(Type.Record(
    Type.String({ pattern: '^[A-Za-z0-9_.-]{1,64}$' }), nullable(Type.String({ maxLength: 512 })),
    { maxProperties: 32, additionalProperties: false })))
}, { title: 'UpdateSession', additionalProperties: false, minProperties: 1 })
export type UpdateSession = Static<typeof UpdateSession>

export const ApprovalStatus = oneOf(['pending', 'approved', 'denied', 'expired', 'cancelled'])
export type ApprovalStatus = Static<typeof ApprovalStatus>

export const Approval = Type.Object({
  callId: Type.String(),
  sessionId: Type.String(),
  runId: Type.String(),
  round: Type.Integer({ minimum: 1 }),
  tool: Type.String(),
  arguments: JsonObject,
  preview: Preview,
  rememberRule: nullable(Rule),
  digest: Digest,
  status: ApprovalStatus,
  requestedAt: Timestamp,
  expiresAt: nullable(Timestamp),
  decidedAt: nullable(Timestamp),
  by: nullable(By),
  reason: nullable(Type.String())
}, { title: 'Approval' })
export type Approval = Static<typeof Approval>
export const ApprovalPage = page('ApprovalPage', Approval)

export const DecideApproval = Type.Object({
  decision: Type.Optional(oneOf(['approve', 'deny'])),
  digest: Type.Optional(Digest),
  reason: Type.Optional(Type.String({ maxLength: limits.reasonLengthMax, description: 'Told to the model when denied' })),
  remember: Type.Optional(Type.Literal('session', { description: 'Add the narrowest rule that covers the call to the session' })),
  arguments: Type.Optional(JsonObject)
}, { title: 'DecideApproval', additionalProperties: false, minProperties: 1 })
export type DecideApproval = Static<typeof DecideApproval>

export const Run = Type.Object({
  id: Type.String(),
  sessionId: Type.String(),
  messageId: Type.String(),
  status: RunStatus,
  finishReason: nullable(RunFinishReason),
  text: nullable(Type.String()),
  error: nullable(RunError),
  usage: Usage,
  steps: Type.Integer({ minimum: 0 }),
  approvals: Type.Array(Approval, { description: 'What waits for a decision' }),
  createdAt: Timestamp,
  startedAt: nullable(Timestamp),
  endedAt: nullable(Timestamp)
}, { title: 'Run' })
export type Run = Static<typeof Run>
export const RunPage = page('RunPage', Run)

export const OnBusy = oneOf(['reject', 'queue', 'interrupt'])
export type OnBusy = Static<typeof OnBusy>

export const CreateMessage = Type.Object({
  content: Type.Union([
    Type.String({ minLength: 1, maxLength: limits.messageLengthMax }),
    Type.Array(ContentPart, { minItems: 1, maxItems: limits.contentPartsMax })
  ]),
  onBusy: Type.Optional(OnBusy),
  onApproval: Type.Optional(OnApproval),
  cancelOnDisconnect: Type.Optional(Type.Boolean()),
  limits: Type.Optional(RunLimitsInput),
  model: Type.Optional(ModelName)
}, { title: 'CreateMessage', additionalProperties: false })
export type CreateMessage = Static<typeof CreateMessage>

/** The answer to a message as JSON when the run completed. */
export const RunAnswer = Type.Object({
  run: Run, text: nullable(Type.String()), usage: Usage
}, { title: 'RunAnswer' })
export type RunAnswer = Static<typeof RunAnswer>

export const CancelRun = Type.Object({
  reason: Type.Optional(Type.String({ maxLength: limits.reasonLengthMax }))
}, { title: 'CancelRun', additionalProperties: false })
export type CancelRun = Static<typeof CancelRun>

export const TranscriptToolCall = Type.Object({
  callId: Type.String(),
  tool: Type.String(),
  arguments: JsonObject,
  ok: nullable(Type.Boolean({ description: 'null: not settled yet' })),
  content: nullable(Type.String()),
  error: nullable(ToolError)
}, { title: 'TranscriptToolCall' })

export const TranscriptItem = Type.Object({
  id: Type.String(),
  role: oneOf(['user', 'assistant']),
  runId: Type.String(),
  at: Timestamp,
  content: Type.Array(ContentPart),
  toolCalls: Type.Array(TranscriptToolCall)
}, { title: 'TranscriptItem' })
export type TranscriptItem = Static<typeof TranscriptItem>
export const TranscriptPage = page('TranscriptPage', TranscriptItem)

export const ToolInfo = Type.Object({
  name: Type.String(),
  description: Type.String(),
  dangerous: Type.Boolean(),
  parameters: JsonObject
}, { title: 'ToolInfo' })
export type ToolInfo = Static<typeof ToolInfo>

export const ModelInfo = Type.Object({
  name: Type.String({ description: '`provider/name`, or `demo`' }),
  default: Type.Boolean({ description: 'New sessions get it' }),
  provider: Type.String(),
  contextWindow: nullable(Type.Integer({ minimum: 1, description: 'Tokens of a request and its answer together; null: not known' })),
  maxOutputTokens: nullable(Type.Integer({ minimum: 1, description: 'Most tokens of one answer; null: the provider\'s own bound' })),
  price: nullable(Type.Object({
    input: Type.Number(), output: Type.Number(), cachedInput: Type.Optional(Type.Number()), cacheWrite: Type.Optional(Type.Number())
  }, { description: 'US dollars for a million tokens; null: costs are what the provider says, or not known' })),
  fallback: Type.Array(Type.String(), { description: 'Asked in turn when it fails for good before its answer begins' })
}, { title: 'ModelInfo' })
export type ModelInfo = Static<typeof ModelInfo>
