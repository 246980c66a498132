import type { Usage } from '../protocol/common.ts'

/** Sums what is known; null only where nothing is known. */
export function addUsage (a: Usage, b: Usage): Usage {
  return {
    inputTokens: add(a.inputTokens, b.inputTokens),
    outputTokens: add(a.outputTokens, b.outputTokens),
    cachedInputTokens: add(a.cachedInputTokens, b.cachedInputTokens),
    cacheWriteTokens: add(a.cacheWriteTokens, b.cacheWriteTokens),
    reasoningTokens: add(a.reasoningTokens, b.reasoningTokens),
    costUsd: add(a.costUsd, b.costUsd)
  }
}

function add (a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b
}
