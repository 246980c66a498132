import type { preHandlerAsyncHookHandler } from 'fastify'
import { may, type Caller, type Scope } from '../../agent/caller.ts'
import { AgentError } from '../../errors.ts'

declare module 'fastify' {
  interface FastifyRequest { caller: Caller }
}

/** @throws AgentError scope_missing */
export function requireScope (scope: Scope): preHandlerAsyncHookHandler {
  return async (request) => {
    if (may(request.caller, scope)) return
    throw new AgentError('scope_missing', `This needs a key with the scope "${scope}".`)
  }
}
