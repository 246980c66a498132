import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AgentError } from '../../errors.ts'
import { collectMethods } from './allowed-methods.ts'
import { problemOf, problemType, retryAfterS } from './problem.ts'
import { refusalOf } from './refusal.ts'

/** Answers with the problem document for whatever was thrown. For a reply that has not begun. */
export function sendProblem (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error)
  if (refusal.status >= 500) request.log.error({ err: refusal.cause ?? refusal, code: refusal.code }, 'request failed')
  const seconds = retryAfterS(refusal)
  if (seconds !== null) reply.header('retry-after', String(Math.max(0, Math.ceil(seconds))))
  // Fastify would close the connection on a refused body; a client that is still sending then loses the answer.
  // Node reads the rest and throws it away, and requestTimeout bounds that.
  if (request.raw.complete !== true) reply.removeHeader('connection')
  reply.problemCode = refusal.code
  return reply.code(refusal.status).type(problemType).serializer(JSON.stringify).send(problemOf(refusal, request.id))
}

/** The error handler, and the answers for what no route takes: 405 with `Allow` where the path exists, else 404. */
export function addErrors (app: FastifyInstance): void {
  const methodsAt = collectMethods(app)
  app.setErrorHandler(sendProblem)
  app.setNotFoundHandler(async (request, reply) => {
    const methods = methodsAt(request.raw.url?.split('?', 1)[0] ?? '')
    if (methods.length === 0) throw new AgentError('not_found', 'No route has this path.', { suggestion: 'The routes are listed in /openapi.json and /docs.' })
    reply.header('allow', methods.join(', '))
    throw new AgentError('method_not_allowed', `This path answers to ${methods.join(', ')} only.`)
  })
}
