import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { AgentError } from '../errors.ts'
import { uploadBytesMax } from '../limits.ts'
import { ConditionHeaders, DeleteFileQuery, DirectoryListing, FileParams, FileQuery, PutFile } from '../protocol/files.ts'
import { addByteBodies, attachment, bodyOf, sendBytes, sendHead } from './bytes.ts'
import { requireScope } from './edge/require-scope.ts'
import { etagOf, preconditionOf } from './etag.ts'
import type { ResourceOptions } from './resource-options.ts'
import { bytes, json, noContent, problems } from './responses.ts'

const tags = ['files']
const etag = { ETag: Type.String({ description: 'SHA-256 of the content, quoted' }) }
const path = 'The path is relative to the workspace; it must be percent-encoded where it has other than plain characters.'

export const fileRoutes: FastifyPluginAsyncTypebox<ResourceOptions> = async (app, { service }) => {
  addByteBodies(app)

  app.get('/sessions/:sessionId/files/*', {
    exposeHeadRoute: true,
    onRequest: requireScope('read'),
    schema: {
      operationId: 'getFile',
      tags,
      summary: 'Read a file, or list a directory',
      description: `A file as it is, always as an attachment; a directory, also the workspace itself, as JSON. ${path} Links inside the workspace are followed.`,
      params: FileParams,
      querystring: FileQuery,
      headers: ConditionHeaders,
      response: {
        200: { ...json('The directory, or the bytes of the file', DirectoryListing, etag), content: { ...bytes('application/octet-stream'), 'application/json': { schema: DirectoryListing } } },
        304: noContent('The file is one of those that If-None-Match names'),
        ...problems('session_not_found', 'invalid_path', 'file_not_found', 'not_a_file', 'precondition_failed')
      }
    }
  }, async (request, reply) => {
    const { sessionId, '*': asked } = request.params
    const { limit, cursor } = request.query
    const wanted = asked === '' ? '.' : asked
    const { match, noneMatch } = preconditionOf(request.headers)
    const file = await service.files.read(sessionId, wanted, request.caller)
    if (file === null) {
      if (match !== null && match !== '*') throw new AgentError('precondition_failed', 'A directory has no ETag.')
      return await service.files.list(sessionId, wanted, { limit, cursor: cursor ?? null }, request.caller)
    }
    try {
      if (wanted.endsWith('/')) throw new AgentError('not_a_file', 'The path ends in a slash, and there is a file.', { suggestion: 'Leave the slash out.' })
      if (match !== null && match !== '*' && !match.includes(file.sha256)) throw new AgentError('precondition_failed', 'The file is not the one that If-Match names.')
      reply.header('etag', etagOf(file.sha256))
      const known = noneMatch !== null && (noneMatch === '*' || noneMatch.includes(file.sha256))
      if (!known) {
        reply.headers({ 'content-disposition': attachment(file.path.slice(file.path.lastIndexOf('/') + 1)), 'content-length': file.size }).type('application/octet-stream')
      }
      if (known || request.method === 'HEAD') {
        file.close()
        return known ? reply.code(304).send() : sendHead(reply)
      }
      return sendBytes(request, reply, file.bytes(), () => { file.close() })
    } catch (error) {
      file.close()
      throw error
    }
  })

  app.put('/sessions/:sessionId/files/*', {
    onRequest: requireScope('run'),
    config: { takes: 'application/octet-stream' },
    schema: {
      operationId: 'putFile',
      tags,
      summary: 'Write a file, or make a directory',
      description: `The body is the content, whatever its type. Directories on the way are made, the permissions of a file that is there are kept. A path that ends in a slash makes a directory and takes no body. ${path} At most ${uploadBytesMax} bytes.`,
      params: FileParams,
      headers: ConditionHeaders,
      response: {
        201: json('It was made', PutFile, etag),
        200: json('It was there; a file has this content now', PutFile, etag),
        ...problems('session_not_found', 'invalid_path', 'not_a_file', 'file_changed', 'precondition_failed', 'payload_too_large', 'unsupported_media_type', 'workspace_full', 'log_full', 'storage_full', 'log_newer', 'request_timeout')
      }
    }
  }, async (request, reply) => {
    const { sessionId, '*': asked } = request.params
    const precondition = preconditionOf(request.headers)
    const body = bodyOf(request, uploadBytesMax)
    if (asked === '' || asked.endsWith('/')) {
      for await (const piece of body) if (piece.length > 0) throw new AgentError('invalid_request', 'A path that ends in a slash names a directory, which has no content.')
      const { file, created } = await service.files.makeDirectory(sessionId, asked === '' ? '.' : asked, request.caller)
      return reply.code(created ? 201 : 200).send(file)
    }
    const { file, created } = await service.files.write(sessionId, asked, body, precondition, request.caller)
    return reply.code(created ? 201 : 200).header('etag', etagOf(file.sha256 ?? '')).send(file)
  })

  app.delete('/sessions/:sessionId/files/*', {
    onRequest: requireScope('run'),
    schema: {
      operationId: 'deleteFile',
      tags,
      summary: 'Delete a file or a directory',
      description: `A link is deleted itself, not what it leads to. ${path}`,
      params: FileParams,
      querystring: DeleteFileQuery,
      headers: ConditionHeaders,
      response: {
        204: noContent('It is gone'),
        ...problems('session_not_found', 'invalid_path', 'file_not_found', 'not_a_file', 'directory_not_empty', 'file_changed', 'precondition_failed', 'log_full', 'storage_full', 'log_newer')
      }
    }
  }, async (request, reply) => {
    const { sessionId, '*': asked } = request.params
    await service.files.remove(sessionId, asked === '' ? '.' : asked, { recursive: request.query.recursive, precondition: preconditionOf(request.headers) }, request.caller)
    return reply.code(204).send()
  })
}
