import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AgentError } from '../errors.ts'
import { EventPage, EventsQuery, RunEventsQuery, RunParams, SessionParams, StreamHeaders } from '../protocol/http.ts'
import { negotiate } from './accept.ts'
import { requireScope } from './edge/require-scope.ts'
import { headOfStream, pageCursor, streamEvents } from './event-answer.ts'
import type { ResourceOptions } from './resource-options.ts'
import { eventStream, noContent, problems } from './responses.ts'

const tags = ['events']

export const eventRoutes: FastifyPluginAsyncTypebox<ResourceOptions> = async (app, { service, streams }) => {
  app.get('/sessions/:sessionId/events', {
    exposeHeadRoute: true,
    onRequest: requireScope('read'),
    schema: {
      operationId: 'listEvents',
      tags,
      summary: 'Read or follow the log of a session',
      description: [
        'With `Accept: text/event-stream`: the log from the cursor on, then `snapshot`, then what comes, for as long as the session exists. Each event of the log has its seq as `id`; come back with it and nothing is missed and nothing comes twice. Previews have no `id`. A cursor that the log does not know gets `reset`, then everything.',
        'Otherwise (also for `*/*`): a page of the log as JSON, oldest first.'
      ].join('\n\n'),
      params: SessionParams,
      querystring: EventsQuery,
      headers: StreamHeaders,
      response: {
        200: { description: 'The log', content: { 'application/json': { schema: EventPage }, ...eventStream } },
        ...problems('session_not_found', 'not_acceptable', 'too_many_streams')
      }
    }
  }, async (request, reply) => {
    const { sessionId } = request.params
    const { limit, cursor, after } = request.query
    switch (negotiate(request.headers.accept, ['application/json', 'text/event-stream'])) {
      case 'text/event-stream':
        if (request.method === 'HEAD') {
          await service.getSession(sessionId, request.caller)
          return headOfStream(reply)
        }
        return await streamEvents(request, reply, { sessionId }, service, streams)
      case 'application/json':
        return await service.listEvents(sessionId, pageCursor(cursor ?? after), limit, request.caller)
      case null:
        throw new AgentError('not_acceptable', 'The log comes as application/json or text/event-stream.')
    }
  })

  app.get('/sessions/:sessionId/runs/:runId/events', {
    exposeHeadRoute: true,
    onRequest: requireScope('read'),
    schema: {
      operationId: 'streamRunEvents',
      tags,
      summary: 'Follow a run',
      description: 'The events of one run with the same ids as in the session\'s log, from the cursor on; ends after `run_end`.',
      params: RunParams,
      querystring: RunEventsQuery,
      headers: StreamHeaders,
      response: {
        200: { description: 'The run\'s events', content: eventStream },
        204: noContent('The cursor is at or past `run_end`: there is nothing more, and an EventSource stops'),
        ...problems('run_not_found', 'session_not_found', 'not_acceptable', 'too_many_streams')
      }
    }
  }, async (request, reply) => {
    if (negotiate(request.headers.accept, ['text/event-stream']) === null) {
      throw new AgentError('not_acceptable', 'The events of a run come as text/event-stream; the log of the session is there as JSON too.')
    }
    if (request.method === 'HEAD') {
      await service.getRun(request.params.sessionId, request.params.runId, request.caller)
      return headOfStream(reply)
    }
    return await streamEvents(request, reply, request.params, service, streams)
  })
}
