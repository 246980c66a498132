import { AgentError } from '../errors.ts'
import { approvalTimeoutMsMax } from '../limits.ts'
import type { RunLimits, RunLimitsInput } from '../protocol/common.ts'

/** What an operator lets a run have. */
export interface LimitCeilings {
  readonly maxSteps: number
  readonly runTimeoutMs: number
  /** Null: none. */
  readonly maxTokens: number | null
}

/**
 * Lays what a request wants over what holds already. What holds may be from a time of higher ceilings: it is lowered.
 * @throws AgentError invalid_request when the request wants more than a ceiling
 */
export function resolveLimits (standard: RunLimits, wanted: RunLimitsInput | undefined, ceilings: LimitCeilings): RunLimits {
  const limits = { ...lowered(standard, ceilings), ...wanted }
  const errors = [
    over('maxSteps', limits.maxSteps, ceilings.maxSteps),
    over('maxTokens', limits.maxTokens ?? Infinity, ceilings.maxTokens ?? Infinity),
    over('runTimeoutMs', limits.runTimeoutMs, ceilings.runTimeoutMs),
    over('approvalTimeoutMs', limits.approvalTimeoutMs ?? 0, approvalTimeoutMsMax)
  ].flat()
  if (errors.length > 0) throw new AgentError('invalid_request', 'A limit is above what this server allows.', { errors })
  return limits
}

function lowered (limits: RunLimits, ceilings: LimitCeilings): RunLimits {
  return {
    ...limits,
    maxSteps: Math.min(limits.maxSteps, ceilings.maxSteps),
    maxTokens: ceilings.maxTokens === null ? limits.maxTokens : Math.min(limits.maxTokens ?? Infinity, ceilings.maxTokens),
    runTimeoutMs: Math.min(limits.runTimeoutMs, ceilings.runTimeoutMs)
  }
}

function over (name: keyof RunLimits, value: number, ceiling: number) {
  return value > ceiling ? [{ pointer: `/limits/${name}`, detail: `At most ${ceiling} on this server.` }] : []
}
