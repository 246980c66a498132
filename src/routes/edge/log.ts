import type { FastifyInstance } from 'fastify'
import { pino, type DestinationStream, type Logger } from 'pino'

/**
 * The server's log: one line of JSON an entry. Of a request it shows method and route, never path, query, headers or
 * body; of an error its own text and stack, never what libraries attach to it (request headers, keys).
 */
export function createLogger (level: string, destination: DestinationStream): Logger {
  return pino({
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError, error: describeError, req: describeRequest, res: describeReply }
  }, destination)
}

interface ErrorText { type: string, message: string, code?: string, stack?: string, cause?: ErrorText }

function describeError (error: unknown, depth = 0): ErrorText {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  const cause = error.cause === undefined || depth === 3 ? {} : { cause: describeError(error.cause, depth + 1) }
  return { type: error.name, message: error.message, ...code, ...(error.stack === undefined ? {} : { stack: error.stack }), ...cause }
}

function describeRequest (request: unknown): unknown {
  const { method } = request as { method?: unknown } // a foreign object: whatever it is, only this is shown
  return { method: typeof method === 'string' ? method : null }
}

function describeReply (reply: unknown): unknown {
  const { statusCode } = reply as { statusCode?: unknown } // likewise
  return { status: typeof statusCode === 'number' ? statusCode : null }
}

/** One line a request, when its answer has gone out or its client has gone away; also for hijacked replies. */
export function addRequestLog (app: FastifyInstance): void {
  app.decorateReply('problemCode', null)
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      const complete = reply.raw.writableFinished
      request.log.info({
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.raw.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        ...(reply.problemCode === null ? {} : { code: reply.problemCode }),
        ...(complete ? {} : { aborted: true })
      }, 'request')
    })
    done()
  })
}
