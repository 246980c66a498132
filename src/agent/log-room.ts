import { AgentError } from '../errors.ts'
import type { AgentContext } from './agent-context.ts'
import type { LiveSession } from './live-session.ts'

/** The log of the session has reached its bound: only what settles what is open is appended from here on. */
export function isLogFull ({ logBytesMax }: Pick<AgentContext, 'logBytesMax'>, live: LiveSession): boolean {
  return live.logBytes >= logBytesMax
}

/** @throws AgentError log_full */
export function requireLogRoom (context: Pick<AgentContext, 'logBytesMax'>, live: LiveSession): void {
  if (isLogFull(context, live)) {
    throw new AgentError('log_full', 'The log of this session has reached its bound.', { suggestion: 'Go on in a new session.' })
  }
}
