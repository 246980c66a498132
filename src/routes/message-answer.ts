import type { FastifyReply } from 'fastify'
import type { Caller } from '../agent/caller.ts'
import type { AgentService, IdempotencyKey } from '../agent/service.ts'
import type { CreateMessage, Run } from '../protocol/resources.ts'
import type { EventStreams, OpenStream } from '../streams/event-streams.ts'
import { patienceOf } from './patience.ts'
import { preferenceApplied, type Preferences } from './prefer.ts'
import { presentRun } from './run-answer.ts'

export interface MessageRequest {
  readonly sessionId: string
  readonly input: CreateMessage
  readonly caller: Caller
  readonly idempotency: IdempotencyKey | null
  /** Null: as the form of the answer has it. */
  readonly until: 'end' | 'pause' | null
  readonly ephemeral: boolean
}

/** Posts the message and answers with the run when it has settled, asks, or the client's patience is over. */
export async function answerWithRun (
  reply: FastifyReply, message: MessageRequest, form: 'json' | 'text', preferences: Preferences, service: AgentService
): Promise<FastifyReply> {
  const { sessionId, caller } = message
  const posted = await service.postMessage(sessionId, message.input, caller, message.idempotency)
  reply.header('location', runPath(posted.run))
  const applied = preferenceApplied(preferences)
  if (applied !== null) reply.header('preference-applied', applied)
  if (preferences.respondAsync && preferences.waitMs === null) {
    return form === 'json' ? reply.code(202).send(posted.run) : reply.code(202).send()
  }
  const patience = patienceOf(reply, preferences.waitMs)
  try {
    return sendRun(reply, await service.waitForRun(sessionId, posted.run.id, message.until ?? 'pause', caller, patience.signal), form)
  } finally {
    patience.done()
  }
}

/** @throws AgentError when the run is no success */
function sendRun (reply: FastifyReply, run: Run, form: 'json' | 'text'): FastifyReply {
  const presented = presentRun(run, form)
  switch (presented.kind) {
    case 'json': return reply.code(presented.status).send(presented.body)
    case 'text': return reply.code(presented.status).type('text/plain; charset=utf-8').send(presented.body)
    case 'empty': return reply.code(presented.status).send()
    case 'problem': throw presented.error
  }
}

/** Posts the message and streams its run, from its first event on. */
export async function answerWithStream (
  reply: FastifyReply, message: MessageRequest, service: AgentService, streams: EventStreams
): Promise<FastifyReply> {
  const { sessionId, caller, ephemeral } = message
  // A message is not stored before it is clear that its answer can be streamed.
  const place = streams.reserve()
  try {
    const feed = await service.openFeed(sessionId, caller)
    try {
      const { run, range } = await service.postMessage(sessionId, message.input, caller, message.idempotency)
      reply.header('location', runPath(run))
      const stream = streams.open(reply, place, feed, { position: { after: range.firstSeq - 1, reset: null }, runId: run.id, ephemeral })
      if (message.until === 'pause') {
        endAtPause(stream, run, caller, service)
          .catch((error: unknown) => reply.log.warn({ err: error }, 'a stream that should end at a pause ends with its run'))
      }
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

async function endAtPause (stream: OpenStream, run: Run, caller: Caller, service: AgentService): Promise<void> {
  const { status, approvals } = await service.waitForRun(run.sessionId, run.id, 'pause', caller, stream.signal)
  if (status === 'awaiting_approval' && !stream.signal.aborted) stream.endAfter(approvals)
}

/** The run's URL, relative to the server's. */
export function runPath (run: Run): string { return `/sessions/${run.sessionId}/runs/${run.id}` }
