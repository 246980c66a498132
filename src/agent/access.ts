import { AgentError } from '../errors.ts'
import type { By } from '../protocol/common.ts'
import { may, teamOf, type Caller, type Scope } from './caller.ts'
import { sessionGone } from './decide-session.ts'
import type { SessionState } from './state.ts'

export function byOf (caller: Caller): By {
  return caller.name === null ? { kind: 'key' } : { kind: 'key', name: caller.name }
}

/** @throws AgentError scope_missing */
export function requireScope (caller: Caller, scope: Scope): void {
  if (!may(caller, scope)) throw new AgentError('scope_missing', `This needs a key with the scope ${scope}.`)
}

/** A session of another team is not there, and neither is one that was deleted. @throws AgentError session_not_found */
export function visible (state: SessionState | null, caller: Caller): SessionState {
  if (state === null || state.ended || teamOf(state.createdBy.name ?? null) !== teamOf(caller.name)) throw sessionGone()
  return state
}
