import type { Usage } from '../protocol/common.ts'
import type { ActiveRun, SessionState } from './state.ts'

/** What has been used is what the run, or the whole session, may use. What is not known counts as nothing. */
export function overBudget (state: SessionState, run: ActiveRun): boolean {
  const { maxTokens, maxCostUsd, maxSessionTokens = null, maxSessionCostUsd = null } = run.limits
  return reached(run.usage, maxTokens, maxCostUsd) || reached(state.usage, maxSessionTokens, maxSessionCostUsd)
}

function reached ({ inputTokens, outputTokens, costUsd }: Usage, maxTokens: number | null, maxCostUsd: number | null): boolean {
  return (maxTokens !== null && (inputTokens ?? 0) + (outputTokens ?? 0) >= maxTokens) || (maxCostUsd !== null && (costUsd ?? 0) >= maxCostUsd)
}
