import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AgentError } from '../errors.ts'
import { negotiate } from './accept.ts'
import { requireScope } from './edge/require-scope.ts'
import type { ResourceOptions } from './resource-options.ts'
import { noticeStream, problems } from './responses.ts'

export const noticeRoutes: FastifyPluginAsyncTypebox<ResourceOptions> = async (app, { service, streams }) => {
  app.get('/events', {
    onRequest: requireScope('read'),
    schema: {
      operationId: 'streamNotices',
      tags: ['events'],
      summary: 'Follow all sessions',
      description: 'A short notice for each change in a session that the key may see: a hint to fetch, without the change itself. Notices are not stored and have no `id`; fetch the lists when the stream opens, and again after a reconnect.',
      response: { 200: { description: 'Notices', content: noticeStream }, ...problems('not_acceptable', 'too_many_streams') }
    }
  }, async (request, reply) => {
    if (negotiate(request.headers.accept, ['text/event-stream']) === null) throw new AgentError('not_acceptable', 'Notices come as text/event-stream.')
    streams.openNotices(reply, streams.reserve(), (listener) => service.openNotices(request.caller, listener))
    return reply
  })
}
