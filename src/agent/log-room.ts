import { AgentError } from '../errors.ts'
import type { AgentContext } from './agent-context.ts'

type Room = Pick<AgentContext, 'sessions' | 'logBytesMax'>

/** The log of the session has reached its bound: only what settles what is open is appended from here on. */
export async function isLogFull ({ sessions, logBytesMax }: Room, sessionId: string): Promise<boolean> {
  return await sessions.log.logBytes(sessionId) >= logBytesMax
}

/** @throws AgentError log_full */
export async function requireLogRoom (room: Room, sessionId: string): Promise<void> {
  if (await isLogFull(room, sessionId)) {
    throw new AgentError('log_full', 'The log of this session has reached its bound.', { suggestion: 'Go on in a new session.' })
  }
}
