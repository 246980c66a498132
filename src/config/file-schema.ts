import { Type, type Static } from '@sinclair/typebox'
import { JsonObject, oneOf } from '../protocol/common.ts'
import { modelNameLengthMax } from '../limits.ts'
import { dialects } from '../model/providers.ts'
import { reasoningEfforts } from '../model/settings.ts'

const closed = { additionalProperties: false } as const
const ModelName = Type.String({ pattern: '^(demo|[a-z][a-z0-9-]{0,63}/\\S+)$', maxLength: modelNameLengthMax, description: '`provider/name`, or `demo`' })
const Fallback = Type.Array(ModelName, { maxItems: 10, description: 'Asked in turn when the model fails for good before its answer begins' })
const Headers = Type.Record(Type.String({ pattern: '^[A-Za-z0-9!#$%&\'*+.^_`|~-]{1,128}$' }), Type.String({ pattern: '^[\\x20-\\x7e]*$', maxLength: 4096 }), {
  description: 'Sent with every request; keys belong into the environment', ...closed
})

const wire = {
  reasoningEcho: Type.Optional(oneOf(['reasoning_content', 'reasoning', 'off'], { description: 'In which field an assistant message with calls gives the model its reasoning back; some servers refuse requests without it, others with it' })),
  streamOptions: Type.Optional(Type.Boolean({ description: 'Whether `stream_options` is understood; false for servers that refuse it' })),
  callIds: Type.Optional(oneOf(['any', 'nine_alphanumeric'], { description: 'What ids of calls must look like' })),
  maxTokensField: Type.Optional(oneOf(['max_tokens', 'max_completion_tokens'], { description: 'What the bound on the answer is called' }))
}

export const ProviderEntry = Type.Object({
  type: Type.Optional(oneOf(dialects, { description: 'Which API it speaks; `chat-completions` when left out. Only for names of your own' })),
  baseUrl: Type.Optional(Type.String({ pattern: '^https?://[^/?#@\\s]+[^#\\s]*$', description: 'Usually ends in `/v1`' })),
  apiKeyEnv: Type.Optional(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$', description: 'The variable of the environment that holds the key' })),
  headers: Type.Optional(Headers),
  ...wire
}, { description: 'One provider; those known by name (openrouter, openai, openai-responses, anthropic, ollama, llamacpp, custom) need only what differs', ...closed })

export const ModelEntry = Type.Object({
  contextWindow: Type.Optional(Type.Integer({ minimum: 1024, maximum: 100_000_000, description: 'Tokens of a request and its answer together; before they are reached the conversation is shortened' })),
  maxOutputTokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Most tokens of one answer' })),
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
  reasoningEffort: Type.Optional(oneOf(reasoningEfforts, { description: 'In the words that the model knows' })),
  thinkingBudgetTokens: Type.Optional(Type.Integer({ minimum: 1024, maximum: 1_000_000, description: 'Anthropic only: a budget instead of an effort' })),
  extraBody: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Members added to the request as they are' })),
  headers: Type.Optional(Headers),
  fallback: Type.Optional(Fallback),
  ...wire
}, { description: 'Settings of one model', ...closed })

const usd = (description: string) => Type.Number({ minimum: 0, maximum: 1_000_000, description })

export const PriceEntry = Type.Object({
  input: usd('Input'),
  output: usd('Output, reasoning included'),
  cachedInput: Type.Optional(usd('Input read from the provider\'s cache; left out: as other input')),
  cacheWrite: Type.Optional(usd('Input written to the provider\'s cache; left out: as other input'))
}, { description: 'US dollars for a million tokens', ...closed })

/** `ecluse.config.json`. */
export const ConfigFile = Type.Object({
  $schema: Type.Optional(Type.String()),
  defaultModel: Type.Optional(ModelName),
  fallback: Type.Optional(Fallback),
  providers: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]{0,63}$' }), ProviderEntry, closed)),
  models: Type.Optional(Type.Record(ModelName, ModelEntry, { description: 'Offered by GET /models, with their settings', ...closed })),
  prices: Type.Optional(Type.Record(ModelName, PriceEntry, { description: 'By model; without a price a cost is what the provider says, or null', ...closed }))
}, { title: 'Écluse configuration', description: 'Providers, models, fallbacks and prices', ...closed })
export type ConfigFile = Static<typeof ConfigFile>

/** The published JSON Schema, as text of the file. */
export function configFileSchema (): string {
  return `${JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', ...plain(ConfigFile) }, null, 2)}\n`
}

/** Without TypeBox's symbols, and unions of constants as `enum`, which editors show better. */
function plain (schema: object): JsonObject {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('anyOf' in value) || !Array.isArray(value.anyOf)) return value
    const { anyOf, ...rest } = value
    return anyOf.every((branch: unknown) => typeof branch === 'object' && branch !== null && 'const' in branch)
      ? { ...rest, type: 'string', enum: anyOf.map((branch: { const: unknown }) => branch.const) }
      : value
  }) as JsonObject // a schema is an object
}
