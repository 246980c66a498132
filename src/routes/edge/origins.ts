import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AgentError } from '../../errors.ts'
import { hostAllowed, judgeOrigin, type Arrival, type OwnNames } from './hosts.ts'

const corsAllow = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, Accept, Last-Event-ID, Idempotency-Key, Prefer, If-Match, If-None-Match, X-Request-Id',
  'access-control-max-age': '600'
}
const corsExpose = 'Location, Retry-After, ETag, Idempotency-Key, Preference-Applied, Content-Disposition, WWW-Authenticate, X-Request-Id'

/**
 * Refuses foreign hosts (421) and origins (403), answers preflights of configured origins, and sets the CORS
 * headers. They are set with `reply.header` before any handler runs: a handler that hijacks the reply takes them
 * along by writing `reply.getHeaders()`.
 */
export function addOrigins (app: FastifyInstance, own: OwnNames): void {
  app.addHook('onRequest', async (request, reply) => {
    const arrival = arrivalOf(request)
    if (own.corsOrigins.length > 0) reply.header('vary', 'Origin')
    if (!hostAllowed(arrival, own)) {
      throw new AgentError('host_not_allowed', 'The server does not answer for the host in the Host header.', {
        suggestion: 'Use its address or localhost, or let the operator add the name to ALLOWED_HOSTS or set PUBLIC_URL.'
      })
    }
    const verdict = judgeOrigin(arrival, own)
    switch (verdict) {
      case 'none':
      case 'own':
        return
      case 'refused':
        throw new AgentError('origin_not_allowed', 'Pages of this origin may not call the server.', {
          suggestion: 'Let the operator add the origin to CORS_ORIGINS, or set PUBLIC_URL if it is the server\'s own.'
        })
      case 'configured':
        reply.header('access-control-allow-origin', arrival.origin)
        reply.header('access-control-expose-headers', corsExpose)
        if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return
        return await reply.code(204).headers(corsAllow).send()
      default:
        return verdict satisfies never
    }
  })
}

function arrivalOf (request: FastifyRequest): Arrival {
  const { headers, socket } = request.raw
  return { host: headers.host, origin: headers.origin, localAddress: socket.localAddress ?? '', localPort: socket.localPort ?? 0 }
}
