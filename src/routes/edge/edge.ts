import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import * as limits from '../../limits.ts'
import { addAuth } from './auth.ts'
import { answerClientError } from './client-error.ts'
import { addDraining } from './draining.ts'
import { addErrors, sendProblem } from './errors.ts'
import type { OwnNames } from './hosts.ts'
import { addJsonBodies } from './json.ts'
import type { ApiKey } from './keys.ts'
import { addRequestLog } from './log.ts'
import { addOrigins } from './origins.ts'
import { addBaseHeaders, baseHeaders, requestIdOf } from './request-id.ts'
import { schemaController } from './validation.ts'
import './types.ts'

export interface EdgeOptions {
  readonly own: OwnNames
  /** Null: authentication is off. */
  readonly keys: readonly ApiKey[] | null
  readonly logger: FastifyBaseLogger
  /** Bytes of a JSON body. */
  readonly bodyBytesMax?: number
  /** Time for a whole request to arrive, body included. */
  readonly requestTimeoutMs?: number
  readonly headersTimeoutMs?: number
  /** How often the two timeouts are looked at. */
  readonly timeoutCheckMs?: number
}

export interface Edge {
  /** Register routes on it. Routes need a key unless they say `config: { public: true }`. */
  readonly app: FastifyInstance
  /** From here on everything but public routes answers 503 `shutting_down`. */
  drain (): void
}

/**
 * The HTTP edge without any route: limits, log, who may, from where, bodies, errors. The hooks run in the order in
 * which they stand here: an answer of any of them has the headers and the log line of those before.
 *
 * `HEAD` is derived from `GET` only where a route says `exposeHeadRoute: true`: a derived one would run the handler
 * of a stream for nobody.
 */
export function createEdge (options: EdgeOptions): Edge {
  const app = Fastify({
    loggerInstance: options.logger,
    genReqId: requestIdOf,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }), // addRequestLog has its own line
    bodyLimit: options.bodyBytesMax ?? limits.bodyBytesMax,
    requestTimeout: options.requestTimeoutMs ?? limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    http: {
      headersTimeout: options.headersTimeoutMs ?? limits.headersTimeoutMs,
      connectionsCheckingInterval: options.timeoutCheckMs ?? limits.timeoutCheckMs,
      maxHeaderSize: limits.headerBytesMax
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    schemaController,
    routerOptions: { maxParamLength: limits.paramLengthMax },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      // A path that cannot be decoded gets here before any hook.
      reply.headers({ ...baseHeaders, 'x-request-id': request.id })
      sendProblem(error, request, reply)
    }
  })
  addErrors(app)
  addRequestLog(app)
  addBaseHeaders(app)
  addOrigins(app, options.own)
  addAuth(app, options.keys)
  const drain = addDraining(app)
  addJsonBodies(app)
  return { app, drain }
}
