import type { FastifyInstance } from 'fastify'
import { AgentError } from '../../errors.ts'

/**
 * From `drain()` on, and while the app closes, new requests are refused with 503 `shutting_down`, but those to
 * public routes: a supervisor may still ask how it goes.
 */
export function addDraining (app: FastifyInstance): () => void {
  let draining = false
  app.addHook('preClose', (done) => {
    draining = true
    done()
  })
  app.addHook('onRequest', async (request, reply) => {
    if (!draining) return
    reply.header('connection', 'close')
    if (request.routeOptions.config.public !== true) throw new AgentError('shutting_down', 'The server is shutting down.', { retryAfterS: 2 })
  })
  return () => { draining = true }
}
