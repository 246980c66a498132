import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { AgentError } from '../errors.ts'
import { MessageHeaders, MessageQuery, pageQuery, SessionParams } from '../protocol/http.ts'
import { CreateMessage, Run, RunAnswer, TranscriptPage } from '../protocol/resources.ts'
import { negotiate } from './accept.ts'
import { requireScope } from './edge/require-scope.ts'
import { idempotencyOf } from './idempotency.ts'
import { answerWithRun, answerWithStream, type MessageRequest } from './message-answer.ts'
import { readPrefer } from './prefer.ts'
import type { ResourceOptions } from './resource-options.ts'
import { eventStream, json, problems, runLocation } from './responses.ts'

const tags = ['messages']

// In the order in which a tie is decided: a client that takes anything gets JSON, one that takes any text gets text.
const forms = ['application/json', 'text/plain', 'text/event-stream'] as const

export const messageRoutes: FastifyPluginAsyncTypebox<ResourceOptions> = async (app, { service, streams }) => {
  app.post('/sessions/:sessionId/messages', {
    onRequest: requireScope('run'),
    schema: {
      operationId: 'postMessage',
      tags,
      summary: 'Send a message, which starts a run',
      description: [
        'The answer follows `Accept`: the run\'s events as `text/event-stream`, the settled run as `application/json` (also for a tie, `*/*` or nothing), or the answer\'s text alone as `text/plain`.',
        'Refusals and failed runs are always `application/problem+json`, with the run in `run`. 502, 503 and 504 never describe a run: send the request again with the same `Idempotency-Key`.',
        'A client that leaves stops nothing, unless `cancelOnDisconnect` is set and nobody follows the run for 10 s.'
      ].join('\n\n'),
      params: SessionParams,
      querystring: MessageQuery,
      headers: MessageHeaders,
      body: CreateMessage,
      response: {
        200: {
          description: 'The run completed; as a stream: the run\'s events, until `run_end`',
          headers: runLocation,
          content: {
            'application/json': { schema: RunAnswer },
            'text/plain': { schema: Type.String({ description: 'The answer\'s text alone; control characters other than newline and tab are left out' }) },
            ...eventStream
          }
        },
        202: json('The run asks for an approval, or goes on: `respond-async`, or the time of `wait` is up. As `text/plain` without a body.', Run, runLocation),
        ...problems(
          'session_not_found', 'unknown_model', 'invalid_json', 'not_acceptable', 'run_active', 'approval_required', 'run_cancelled', 'run_failed',
          'payload_too_large', 'unsupported_media_type', 'idempotency_key_reused', 'too_many_queued', 'too_many_runs', 'too_many_streams',
          'log_full', 'storage_full', 'log_newer')
      }
    }
  }, async (request, reply) => {
    const form = negotiate(request.headers.accept, forms)
    if (form === null) throw new AgentError('not_acceptable', `An answer to a message comes as ${forms.join(', ')}.`)
    const message: MessageRequest = {
      sessionId: request.params.sessionId,
      input: request.body,
      caller: request.caller,
      idempotency: idempotencyOf(request),
      until: request.query.until ?? null,
      ephemeral: request.query.ephemeral !== '0'
    }
    switch (form) {
      case 'text/event-stream': return await answerWithStream(reply, message, service, streams)
      case 'application/json': return await answerWithRun(reply, message, 'json', readPrefer(request.headers.prefer), service)
      case 'text/plain': return await answerWithRun(reply, message, 'text', readPrefer(request.headers.prefer), service)
    }
  })

  app.get('/sessions/:sessionId/messages', {
    exposeHeadRoute: true,
    onRequest: requireScope('read'),
    schema: {
      operationId: 'listMessages',
      tags,
      summary: 'Read the transcript',
      description: 'What was said, oldest first, each tool call with its result.',
      params: SessionParams,
      querystring: pageQuery('seq', {}),
      response: { 200: json('A page of the transcript', TranscriptPage), ...problems('session_not_found') }
    }
  }, async (request) => {
    const { limit, cursor } = request.query
    return await service.listMessages(request.params.sessionId, { limit, cursor: cursor ?? null }, request.caller)
  })
}
