import { Type, type Static, type TLiteral, type TSchema, type TUnion } from '@sinclair/typebox'
import { ruleTextLengthMax, rulesMax } from '../limits.ts'

/** A string that is one of `values`; `openapi.yaml` shows it as an `enum`. */
export function oneOf<const T extends readonly string[]> (
  values: T, options: { description?: string } = {}
): TUnion<{ -readonly [K in keyof T]: T[K] extends string ? TLiteral<T[K]> : never }> {
  // The mapped tuple cannot be built by Array.map in the type system; the values are the same.
  return Type.Union(values.map((value) => Type.Literal(value)), options) as never
}

/** `schema` or null; `openapi.yaml` shows it as a list of types. */
export function nullable<T extends TSchema> (schema: T) {
  return Type.Union([schema, Type.Null()])
}

export const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339, UTC, with milliseconds' })
export const Seq = Type.Integer({ minimum: 1, description: 'Position in the log of the session: 1, 2, 3 …, without gaps' })
export const Digest = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, hex' })
export const JsonObject = Type.Record(Type.String(), Type.Unknown())
export type JsonObject = Static<typeof JsonObject>

/** Who did something. Set by the server only, never taken from a request. */
export const By = Type.Object({
  kind: oneOf(['key', 'policy', 'expiry', 'cancel']),
  name: Type.Optional(Type.String({ description: 'The name of the API key' }))
}, { title: 'By' })
export type By = Static<typeof By>

/** Token and money counts in one form for every provider. Null means that it is not known. */
export const Usage = Type.Object({
  inputTokens: nullable(Type.Integer({ minimum: 0, description: 'Tokens sent, those read from a cache included' })),
  outputTokens: nullable(Type.Integer({ minimum: 0 })),
  cachedInputTokens: nullable(Type.Integer({ minimum: 0 })),
  cacheWriteTokens: nullable(Type.Integer({ minimum: 0 })),
  reasoningTokens: nullable(Type.Integer({ minimum: 0 })),
  costUsd: nullable(Type.Number({ minimum: 0 }))
}, { title: 'Usage' })
export type Usage = Static<typeof Usage>

export const unknownUsage: Usage = Object.freeze({
  inputTokens: null, outputTokens: null, cachedInputTokens: null, cacheWriteTokens: null, reasoningTokens: null, costUsd: null
})

/** The bounds of a run, after the server's ceilings were applied. */
export const RunLimits = Type.Object({
  maxSteps: Type.Integer({ minimum: 1, description: 'Model calls in one run' }),
  maxTokens: nullable(Type.Integer({ minimum: 1, description: 'Input and output tokens of one run together' })),
  maxCostUsd: nullable(Type.Number({ exclusiveMinimum: 0, description: 'Of one run, as far as its cost is known' })),
  maxSessionTokens: Type.Optional(nullable(Type.Integer({ minimum: 1, description: 'Input and output tokens of all runs of the session together' }))),
  maxSessionCostUsd: Type.Optional(nullable(Type.Number({ exclusiveMinimum: 0, description: 'Of all runs of the session, as far as their cost is known' }))),
  runTimeoutMs: Type.Integer({ minimum: 1, description: 'Time that a run may work; waiting for an approval does not count' }),
  approvalTimeoutMs: nullable(Type.Integer({ minimum: 1, description: 'How long an approval can be given; null: for ever' }))
}, { title: 'RunLimits' })
export type RunLimits = Static<typeof RunLimits>

export const RunLimitsInput = Type.Partial(RunLimits, { title: 'RunLimitsInput', additionalProperties: false })
export type RunLimitsInput = Static<typeof RunLimitsInput>

export const Decision = oneOf(['allow', 'ask', 'deny'])
export type Decision = Static<typeof Decision>

/** One line of a policy. What is left out matches everything. */
export const Rule = Type.Object({
  tool: Type.String({ minLength: 1, maxLength: 128, description: 'A tool name or a glob over names' }),
  path: Type.Optional(Type.String({
    minLength: 1,
    maxLength: ruleTextLengthMax,
    description: 'A glob over paths in the workspace: *, ?, [a-z], {a,b}, and ** for any number of folders. For a command it is the directory it runs in; "." is the workspace itself.'
  })),
  command: Type.Optional(Type.String({
    minLength: 1,
    maxLength: ruleTextLengthMax,
    description: 'Words that a simple command begins with ("git log"). A * alone stands for any number of words, within a word for any characters, ' +
      'and then the whole command must match. "=" and a text is that one command, exactly, whatever it contains.'
  })),
  decision: Decision
}, { title: 'Rule', additionalProperties: false })
export type Rule = Static<typeof Rule>

export const PolicyMode = oneOf(['ask', 'auto', 'readOnly'])
export type PolicyMode = Static<typeof PolicyMode>

export const Policy = Type.Object({
  mode: PolicyMode,
  rules: Type.Array(Rule, { maxItems: rulesMax })
}, { title: 'Policy', additionalProperties: false })
export type Policy = Static<typeof Policy>

export const OnApproval = oneOf(['wait', 'deny', 'fail'])
export type OnApproval = Static<typeof OnApproval>

export const ContentPart = Type.Object({
  type: Type.Literal('text'),
  text: Type.String()
}, { title: 'ContentPart', additionalProperties: false })
export type ContentPart = Static<typeof ContentPart>

export const Metadata = Type.Record(
  Type.String({ pattern: '^[A-Za-z0-9_.-]{1,64}$' }), Type.String({ maxLength: 512 }),
  { title: 'Metadata', maxProperties: 32, additionalProperties: false })
export type Metadata = Static<typeof Metadata>

/** What a failed tool call tells the model, and the client. */
export const ToolError = Type.Object({
  error: Type.String({ description: 'What went wrong, in a sentence' }),
  code: Type.String(),
  canRetry: Type.Boolean(),
  suggestion: nullable(Type.String({ description: 'What to do instead' }))
}, { title: 'ToolError' })
export type ToolError = Static<typeof ToolError>

/** Why a run failed. `code` is from the table of codes. */
export const RunError = Type.Object({
  code: Type.String(),
  detail: Type.String(),
  canRetry: Type.Boolean(),
  suggestion: nullable(Type.String())
}, { title: 'RunError' })
export type RunError = Static<typeof RunError>
