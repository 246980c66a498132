import type { JsonObject } from '../protocol/common.ts'

export const providerIds = ['openrouter', 'openai', 'openai-responses', 'anthropic', 'ollama', 'llamacpp', 'custom'] as const
export type ProviderId = typeof providerIds[number]

/** The kinds of API that are spoken. */
export const dialects = ['chat-completions', 'anthropic', 'openai-responses'] as const
export type DialectName = typeof dialects[number]

/** In which field an assistant message gives a provider its own reasoning back. */
export type ReasoningEcho = 'reasoning_content' | 'reasoning' | 'off'

/** How a provider differs from everybody else. What is about the wire is so for chat-completions only. */
export interface ProviderTraits {
  readonly dialect: DialectName
  /** Null: the operator names it. */
  readonly baseUrl: string | null
  readonly needsKey: boolean
  /** Whether `stream_options` is understood; without it usage comes by itself or not at all. */
  readonly streamOptions: boolean
  /** Further members of the request, before tools and messages. */
  readonly params: JsonObject
  readonly headers: Readonly<Record<string, string>>
  /** Some refuse call ids that are not nine letters and digits. */
  readonly callIds: 'any' | 'nine_alphanumeric'
  readonly reasoningEcho: ReasoningEcho
  /** `reasoning_details` are collected and sent back. */
  readonly reasoningDetails: boolean
  /** What the bound on the answer is called. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
  /** Where the effort of reasoning goes: a member of its own, or `reasoning: {effort}`. */
  readonly effortField: 'reasoning_effort' | 'reasoning'
  /** The first call of a step needs a thought signature, or the word that stands in for a foreign one. */
  readonly thoughtSignatures: boolean
}

const common: ProviderTraits = {
  dialect: 'chat-completions',
  baseUrl: null,
  needsKey: false,
  streamOptions: true,
  params: {},
  headers: {},
  callIds: 'any',
  reasoningEcho: 'off',
  reasoningDetails: false,
  maxTokensField: 'max_tokens',
  effortField: 'reasoning_effort',
  thoughtSignatures: false
}

export const providers: Readonly<Record<ProviderId, ProviderTraits>> = {
  openrouter: {
    ...common,
    baseUrl: 'https://openrouter.ai/api/v1',
    needsKey: true,
    params: { usage: { include: true } }, // the cost in money
    headers: { 'x-title': 'Ecluse' },
    reasoningDetails: true,
    effortField: 'reasoning'
  },
  openai: { ...common, baseUrl: 'https://api.openai.com/v1', needsKey: true, maxTokensField: 'max_completion_tokens' },
  'openai-responses': { ...common, dialect: 'openai-responses', baseUrl: 'https://api.openai.com/v1', needsKey: true },
  anthropic: { ...common, dialect: 'anthropic', baseUrl: 'https://api.anthropic.com/v1', needsKey: true },
  ollama: { ...common, baseUrl: 'http://127.0.0.1:11434/v1' },
  // Without this llama.cpp allows one call in an answer.
  llamacpp: { ...common, baseUrl: 'http://127.0.0.1:8080/v1', params: { parallel_tool_calls: true } },
  custom: common
}

/** Differences known by the host that is called. */
const hosts: ReadonlyArray<{ host: string, traits: Partial<ProviderTraits> }> = [
  { host: 'deepseek.com', traits: { reasoningEcho: 'reasoning_content' } },
  // Refuses members that it does not know, and sends usage unasked.
  { host: 'mistral.ai', traits: { streamOptions: false, callIds: 'nine_alphanumeric' } },
  { host: 'generativelanguage.googleapis.com', traits: { thoughtSignatures: true } },
  { host: 'openrouter.ai', traits: { reasoningDetails: true, params: { usage: { include: true } }, effortField: 'reasoning' } }
]

/** Switches that the operator can set for a provider or a model; they win over what is known of its host. */
export type ProviderOverrides = Partial<Pick<ProviderTraits, 'streamOptions' | 'callIds' | 'reasoningEcho' | 'maxTokensField'>>

/** What is known of a provider by its name; null for a name of the operator's own. */
export function knownProvider (name: string): ProviderTraits | null {
  const id = providerIds.find((id) => id === name)
  return id === undefined ? null : providers[id]
}

/** The traits of `name` at `baseUrl`: the table (for a name of the operator's own its `dialect`), then the host, then the operator. */
export function traitsOf (name: string, dialect: DialectName | undefined, baseUrl: URL, overrides: ProviderOverrides = {}): ProviderTraits {
  const host = hosts.find(({ host }) => baseUrl.hostname === host || baseUrl.hostname.endsWith(`.${host}`))
  return { ...knownProvider(name) ?? { ...common, dialect: dialect ?? common.dialect }, ...host?.traits, ...overrides }
}
