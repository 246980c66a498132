import type { FastifyInstance, FastifyRequest } from 'fastify'
import { scopes, type Caller } from '../../agent/caller.ts'
import { AgentError } from '../../errors.ts'
import { findCaller, type ApiKey } from './keys.ts'
import './types.ts'

const nobody: Caller = { name: null, keyId: null, scopes: new Set() }
const everybody: Caller = { name: null, keyId: null, scopes: new Set(scopes) }

/**
 * Sets `request.caller`, and refuses every request without a valid `Authorization: Bearer KEY` but those to
 * routes with `config: { public: true }`. A key in the query counts for nothing.
 * @param keys null: authentication is off, everybody may do everything
 */
export function addAuth (app: FastifyInstance, keys: readonly ApiKey[] | null): void {
  app.decorateRequest('caller')
  app.addHook('onRequest', async (request, reply) => {
    if (keys === null) {
      request.caller = everybody
      return
    }
    const key = bearer(request)
    const caller = key === null ? null : findCaller(keys, key)
    request.caller = caller ?? nobody
    if (caller !== null || request.routeOptions.config.public === true) return
    reply.header('www-authenticate', key === null ? 'Bearer realm="ecluse"' : 'Bearer realm="ecluse", error="invalid_token"')
    throw new AgentError('unauthorized', key === null ? 'The request carries no API key.' : 'The API key is not known here.', {
      suggestion: 'Send the header `Authorization: Bearer KEY`.'
    })
  })
}

function bearer (request: FastifyRequest): string | null {
  const match = /^bearer +([\x21-\x7e]+) *$/i.exec(request.headers.authorization ?? '')
  return match?.[1] ?? null
}
