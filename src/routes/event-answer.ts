import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OutgoingHttpHeaders } from 'node:http'
import type { AgentService } from '../agent/service.ts'
import { AgentError } from '../errors.ts'
import { positionOf, readCursor } from '../streams/cursor.ts'
import { streamHeaders, type EventStreams } from '../streams/event-streams.ts'

interface StreamRequest extends FastifyRequest {
  readonly query: { readonly after?: string, readonly ephemeral?: '0' | '1' }
}

/** Streams the events of a session, or those of one of its runs. 204: there is nothing more to come of the run. */
export async function streamEvents (
  request: StreamRequest, reply: FastifyReply, target: { sessionId: string, runId?: string }, service: AgentService, streams: EventStreams
): Promise<FastifyReply> {
  const { sessionId, runId } = target
  const lastEventId = request.headers['last-event-id']
  const cursor = readCursor(lastEventId === undefined ? undefined : String(lastEventId), request.query.after)
  const ephemeral = request.query.ephemeral !== '0'
  const place = streams.reserve()
  try {
    const feed = await service.openFeed(sessionId, request.caller)
    try {
      // `latest` becomes a number before the run is read: a run that ends in between is not waited for in vain.
      const position = positionOf(cursor, feed.publishedSeq())
      if (runId === undefined) {
        streams.open(reply, place, feed, { position, runId: null, ephemeral })
        return reply
      }
      const { range } = await service.getRun(sessionId, runId, request.caller)
      const known = cursor.kind === 'after' ? cursor.seq : position.after
      if (range.endSeq !== null && known >= range.endSeq) {
        feed.close()
        place.release()
        return reply.code(204).send()
      }
      streams.open(reply, place, feed, { position: { ...position, after: Math.max(position.after, range.firstSeq - 1) }, runId, ephemeral })
    } catch (error) {
      feed.close()
      throw error
    }
  } catch (error) {
    place.release()
    throw error
  }
  return reply
}

/** What a stream would begin with, and nothing else: a HEAD request that stayed open would be a stream that nobody reads. */
export function headOfStream (reply: FastifyReply): FastifyReply {
  reply.hijack()
  // Fastify's header values are those of node:http, and undefined for none.
  reply.raw.writeHead(200, { ...reply.getHeaders() as OutgoingHttpHeaders, ...streamHeaders }).end()
  return reply
}

/** The seq that a page of events goes on after. @throws AgentError invalid_request */
export function pageCursor (text: string | undefined): number {
  if (text === undefined) return 0
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new AgentError('invalid_request', 'The cursor of a page of events is the seq of an event, or 0.')
}
