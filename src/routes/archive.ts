import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { archiveBytesMax } from '../limits.ts'
import { PutArchive } from '../protocol/files.ts'
import { SessionParams } from '../protocol/http.ts'
import { addByteBodies, attachment, bodyOf, sendBytes, sendHead } from './bytes.ts'
import { requireScope } from './edge/require-scope.ts'
import { patienceOf } from './patience.ts'
import type { ResourceOptions } from './resource-options.ts'
import { bytes, json, problems } from './responses.ts'

const tags = ['files']
const path = '/sessions/:sessionId/archive'

export const archiveRoutes: FastifyPluginAsyncTypebox<ResourceOptions> = async (app, { service }) => {
  addByteBodies(app)

  app.get(path, {
    exposeHeadRoute: true,
    onRequest: requireScope('read'),
    schema: {
      operationId: 'getArchive',
      tags,
      summary: 'Read the whole workspace',
      description: 'Regular files and directories as tar.gz, with permissions and times. It is made while it is sent: an answer that breaks off is not whole.',
      params: SessionParams,
      response: {
        200: {
          description: 'The archive',
          headers: { 'Omitted-Entries': Type.Integer({ description: 'Links, devices, and names that are no UTF-8, which are left out' }) },
          content: bytes('application/gzip')
        },
        ...problems('session_not_found')
      }
    }
  }, async (request, reply) => {
    const { sessionId } = request.params
    const archive = await service.files.readArchive(sessionId, request.caller)
    reply.headers({ 'content-disposition': attachment(`${sessionId}.tar.gz`), 'omitted-entries': archive.omitted }).type('application/gzip')
    if (request.method !== 'HEAD') return sendBytes(request, reply, archive.bytes(), () => archive.close())
    await archive.close()
    return sendHead(reply)
  })

  app.put(path, {
    onRequest: requireScope('run'),
    config: { takes: 'application/gzip' },
    schema: {
      operationId: 'putArchive',
      tags,
      summary: 'Replace the whole workspace',
      description: 'A tar.gz of regular files and directories with relative paths; anything else in it and it is refused whole. ' +
        'The workspace changes at once or not at all, also when the server is killed meanwhile. The session must be idle. Before the first run it is what `GET …/diff` counts from. ' +
        `At most ${archiveBytesMax} bytes; what comes out of it must fit the workspace.`,
      params: SessionParams,
      response: {
        200: json('It is the workspace now', PutArchive),
        ...problems('session_not_found', 'run_active', 'file_changed', 'invalid_archive', 'payload_too_large', 'unsupported_media_type', 'workspace_full', 'log_full', 'storage_full', 'log_newer', 'request_timeout')
      }
    }
  }, async (request, reply) => {
    const patience = patienceOf(reply, null)
    try {
      return await service.files.writeArchive(request.params.sessionId, bodyOf(request, archiveBytesMax), request.caller, patience.signal)
    } finally {
      patience.done()
    }
  })
}
