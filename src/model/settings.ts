import type { JsonObject } from '../protocol/common.ts'
import { anthropicOutputTokensDefault } from '../limits.ts'
import type { Price } from './price.ts'
import type { ProviderOverrides, ProviderTraits } from './providers.ts'

export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type ReasoningEffort = typeof reasoningEfforts[number]

/** What the operator says about one model; what is left out is the provider's own. */
export interface ModelSettings extends ProviderOverrides {
  /** Tokens of a request and its answer together. */
  readonly contextWindow?: number
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly reasoningEffort?: ReasoningEffort
  /** For Anthropic's models that think within a budget; others take an effort. */
  readonly thinkingBudgetTokens?: number
  /** Members added to the request, as they are; they win over all the others. */
  readonly extraBody?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
  /** Asked in turn when this model fails for good before its answer begins. */
  readonly fallback?: readonly string[]
  readonly price?: Price
}

/** Members of a request that make it what it is: no setting replaces them. */
export const reservedMembers = ['model', 'stream', 'messages', 'input', 'tools', 'system', 'instructions'] as const

/** The members of the request that the settings come to, in the words of the dialect. */
export function requestParams (settings: ModelSettings, traits: ProviderTraits): JsonObject {
  const { temperature, extraBody } = settings
  return { ...traits.params, ...(temperature === undefined ? {} : { temperature }), ...dialectParams(settings, traits), ...extraBody }
}

function dialectParams ({ maxOutputTokens, reasoningEffort: effort, thinkingBudgetTokens }: ModelSettings, traits: ProviderTraits): JsonObject {
  switch (traits.dialect) {
    case 'chat-completions': return {
      ...(maxOutputTokens === undefined ? {} : { [traits.maxTokensField]: maxOutputTokens }),
      ...(effort === undefined ? {} : traits.effortField === 'reasoning' ? { reasoning: { effort } } : { reasoning_effort: effort })
    }
    case 'openai-responses': return {
      ...(maxOutputTokens === undefined ? {} : { max_output_tokens: maxOutputTokens }),
      ...(effort === undefined ? {} : { reasoning: { effort, summary: 'auto' } })
    }
    case 'anthropic': return {
      ...(thinkingBudgetTokens !== undefined
        ? { thinking: { type: 'enabled', budget_tokens: thinkingBudgetTokens } }
        : effort === undefined || effort === 'none' ? {} : { thinking: { type: 'adaptive' } }),
      ...(effort === undefined || effort === 'none' ? {} : { output_config: { effort } })
    }
    default: return traits.dialect satisfies never
  }
}

/** Anthropic's API wants a bound on every answer; a thinking budget counts into it. */
export function messagesMaxTokens ({ maxOutputTokens, thinkingBudgetTokens = 0 }: ModelSettings): number {
  return maxOutputTokens ?? anthropicOutputTokensDefault + thinkingBudgetTokens
}
