import type { Usage } from '../protocol/common.ts'

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
  /** Input read from the provider's cache; left out: as other input. */
  readonly cachedInput?: number
  /** Input written to it; left out: as other input. */
  readonly cacheWrite?: number
}

const million = 1_000_000

/** `usage` with its cost: what the provider says it is, else what the price makes it; null where neither is known. */
export function withCost (usage: Usage, price: Price | null): Usage {
  const { inputTokens, outputTokens } = usage
  if (usage.costUsd !== null || price === null || inputTokens === null || outputTokens === null) return usage
  const cached = Math.min(usage.cachedInputTokens ?? 0, inputTokens)
  const written = Math.min(usage.cacheWriteTokens ?? 0, inputTokens - cached)
  const cost = (inputTokens - cached - written) * price.input + cached * (price.cachedInput ?? price.input) +
    written * (price.cacheWrite ?? price.input) + outputTokens * price.output
  return { ...usage, costUsd: cost / million }
}
