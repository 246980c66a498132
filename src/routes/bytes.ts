import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AgentError } from '../errors.ts'
import { stalledReaderMs } from '../limits.ts'

/** Bodies of this scope are bytes of any type, handed on as they come. */
export function addByteBodies (app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => { done(null, payload) })
}

/**
 * The body of a request, at most `bytesMax` by what it says of itself. A reader that stops early leaves the connection
 * as it is: the answer has to go out on it, and Node throws away what still comes.
 * @throws AgentError payload_too_large
 */
export function bodyOf (request: FastifyRequest, bytesMax: number): AsyncIterable<Uint8Array> {
  const length = Number(request.headers['content-length'] ?? 0)
  if (length > bytesMax) throw new AgentError('payload_too_large', `The body may have at most ${bytesMax} bytes here.`)
  if (request.headers['content-encoding'] !== undefined && request.headers['content-encoding'] !== 'identity') {
    throw new AgentError('unsupported_media_type', 'The body is taken as it is, without Content-Encoding.', { suggestion: 'Leave the header out.' })
  }
  const { body } = request
  if (!(body instanceof Readable)) return Readable.from([])
  return {
    [Symbol.asyncIterator]: () => {
      const pieces = body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array> // a socket gives buffers
      return {
        next: () => pieces.next(),
        return: async () => {
          await pieces.return?.()
          body.resume()
          return { done: true, value: undefined }
        }
      }
    }
  }
}

/** Sends bytes while they are made; `close` is called once, whatever comes. A reader that takes nothing is cut. */
export function sendBytes (request: FastifyRequest, reply: FastifyReply, bytes: AsyncIterable<Buffer>, close: () => void | Promise<void>): FastifyReply {
  const stream = Readable.from(bytes, { objectMode: false })
  stream.once('close', () => {
    Promise.resolve(close()).catch((error: unknown) => { request.log.error({ err: error }, 'what a download held could not be closed') })
  })
  reply.raw.setTimeout(stalledReaderMs, () => { reply.raw.destroy() })
  return reply.send(stream)
}

/** The answer to a HEAD whose headers are set; Fastify would take the length of any other empty body for that of the real one. */
export function sendHead (reply: FastifyReply): FastifyReply {
  return reply.send(Readable.from([]))
}

/** An answer of bytes that has none. */
export function sendNothing (reply: FastifyReply): FastifyReply {
  return reply.send('')
}

/** `attachment` with the name in both forms: for old clients in ASCII, and whole. */
export function attachment (name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(name).replace(/['()*]/g, (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}
