import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AgentError } from '../errors.ts'
import { FileChangeList } from '../protocol/files.ts'
import { SessionParams } from '../protocol/http.ts'
import { negotiate } from './accept.ts'
import { attachment, sendBytes, sendHead, sendNothing } from './bytes.ts'
import { requireScope } from './edge/require-scope.ts'
import { patienceOf } from './patience.ts'
import type { ResourceOptions } from './resource-options.ts'
import { bytes, problems } from './responses.ts'

export const diffRoutes: FastifyPluginAsyncTypebox<ResourceOptions> = async (app, { service }) => {
  app.get('/sessions/:sessionId/diff', {
    exposeHeadRoute: true,
    onRequest: requireScope('read'),
    schema: {
      operationId: 'getDiff',
      tags: ['files'],
      summary: 'Read what has changed in the workspace',
      description: 'Since the last archive that was put before the first run, else since it was empty; also what commands did. ' +
        'By default `text/x-diff` as `git apply` takes it, with modes, links and binary files; nothing when nothing has changed. With `Accept: application/json` a list. ' +
        '`.git` is left out, and so is what a `.gitignore` names, unless the archive brought it. Renames are told as a file less and one more.',
      params: SessionParams,
      response: {
        200: { description: 'The patch, or the list', content: { ...bytes('text/x-diff'), 'application/json': { schema: FileChangeList } } },
        ...problems('session_not_found', 'not_acceptable', 'diff_too_large', 'file_changed')
      }
    }
  }, async (request, reply) => {
    const { sessionId } = request.params
    const form = negotiate(request.headers.accept, ['text/x-diff', 'application/json', 'text/plain'])
    if (form === null) throw new AgentError('not_acceptable', 'A diff is text/x-diff or application/json.')
    const patience = patienceOf(reply, null)
    try {
      const diff = await service.files.diff(sessionId, request.caller, patience.signal)
      try {
        if (form === 'application/json') {
          const items = await diff.list()
          await diff.close()
          return { items }
        }
        reply.header('content-disposition', attachment(`${sessionId}.diff`)).type(`${form}; charset=utf-8`)
        if (!diff.empty && request.method !== 'HEAD') return sendBytes(request, reply, diff.patch(), () => diff.close())
        await diff.close()
        return request.method === 'HEAD' ? sendHead(reply) : sendNothing(reply)
      } catch (error) {
        await diff.close()
        throw error
      }
    } finally {
      patience.done()
    }
  })
}
