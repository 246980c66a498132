import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** On every answer: none of it is for a cache, and none of it is what a browser might guess. */
export const baseHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

export function newRequestId (): string {
  return `req_${randomBytes(12).toString('base64url')}`
}

/** The client's `X-Request-Id` if it is harmless in a log and a header, else a new one. */
export function requestIdOf (request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : newRequestId()
}

export function addBaseHeaders (app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...baseHeaders, 'x-request-id': request.id })
    done()
  })
}
