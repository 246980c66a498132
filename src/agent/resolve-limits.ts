import { AgentError } from '../errors.ts'
import { approvalTimeoutMsMax } from '../limits.ts'
import type { RunLimits, RunLimitsInput } from '../protocol/common.ts'

/** What an operator lets a run have. */
export interface LimitCeilings { readonly maxSteps: number, readonly runTimeoutMs: number }

/** Lays what a request wants over what holds already. @throws AgentError invalid_request above a ceiling */
export function resolveLimits (standard: RunLimits, wanted: RunLimitsInput | undefined, ceilings: LimitCeilings): RunLimits {
  const limits = { ...standard, ...wanted }
  const errors = [
    over('maxSteps', limits.maxSteps, ceilings.maxSteps),
    over('runTimeoutMs', limits.runTimeoutMs, ceilings.runTimeoutMs),
    over('approvalTimeoutMs', limits.approvalTimeoutMs ?? 0, approvalTimeoutMsMax)
  ].flat()
  if (errors.length > 0) throw new AgentError('invalid_request', 'A limit is above what this server allows.', { errors })
  return limits
}

function over (name: keyof RunLimits, value: number, ceiling: number) {
  return value > ceiling ? [{ pointer: `/limits/${name}`, detail: `At most ${ceiling} on this server.` }] : []
}
