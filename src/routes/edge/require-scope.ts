import type { FastifyRequest } from 'fastify'
import { may, type Scope } from '../../agent/caller.ts'
import { AgentError } from '../../errors.ts'
import './types.ts'

/**
 * A hook for a route: `{ onRequest: requireScope('run') }`, which answers before the body is read, or `preHandler`.
 * @throws AgentError scope_missing
 */
export function requireScope (scope: Scope): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    if (may(request.caller, scope)) return
    throw new AgentError('scope_missing', `The API key lacks the scope \`${scope}\`.`, {
      suggestion: `Use a key that has \`${scope}\` or \`admin\`.`
    })
  }
}
