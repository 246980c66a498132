import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Metadata } from '../protocol/common.ts'
import { IdempotencyHeaders, metadataFilter, pageQuery, SessionParams } from '../protocol/http.ts'
import { CreateSession, Session, SessionPage, SessionStatus, UpdateSession } from '../protocol/resources.ts'
import { parseJsonBody } from './edge/json.ts'
import { requireScope } from './edge/require-scope.ts'
import { idempotencyOf } from './idempotency.ts'
import type { ResourceOptions } from './resource-options.ts'
import { json, noContent, problems, sessionLocation } from './responses.ts'

const tags = ['sessions']

export const sessionRoutes: FastifyPluginAsyncTypebox<ResourceOptions> = async (app, { service }) => {
  app.post('/sessions', {
    onRequest: requireScope('run'),
    schema: {
      operationId: 'createSession',
      tags,
      summary: 'Create a session',
      description: 'A session has its own workspace, policy, model and event log. Everything in the body may be left out. A policy looser than the server\'s default needs the scope `approve`.',
      headers: IdempotencyHeaders,
      body: CreateSession,
      response: {
        201: json('The new session', Session, sessionLocation),
        200: json('The session that has this `externalId`, or was made with this key', Session, sessionLocation),
        ...problems('unknown_model', 'invalid_json', 'payload_too_large', 'unsupported_media_type', 'idempotency_key_reused', 'storage_full')
      }
    }
  }, async (request, reply) => {
    const { session, created } = await service.createSession(request.body, request.caller, idempotencyOf(request))
    return reply.code(created ? 201 : 200).header('location', `/sessions/${session.id}`).send(session)
  })

  app.get('/sessions', {
    exposeHeadRoute: true,
    onRequest: requireScope('read'),
    schema: {
      operationId: 'listSessions',
      tags,
      summary: 'List sessions',
      description: 'Newest first. `?metadata.KEY=VALUE`, once or more, keeps the sessions that have all of these.',
      querystring: Type.Object(pageQuery('ses', { status: Type.Optional(SessionStatus) }).properties, { additionalProperties: false, ...metadataFilter }),
      response: { 200: json('A page of sessions', SessionPage), ...problems() }
    }
  }, async (request) => {
    const { limit, cursor, status, ...filters } = request.query
    return await service.listSessions({ limit, cursor: cursor ?? null, status: status ?? null, metadata: metadataOf(filters) }, request.caller)
  })

  app.get('/sessions/:sessionId', {
    exposeHeadRoute: true,
    onRequest: requireScope('read'),
    schema: {
      operationId: 'getSession',
      tags,
      summary: 'Read a session',
      params: SessionParams,
      response: { 200: json('The session', Session), ...problems('session_not_found') }
    }
  }, async (request) => await service.getSession(request.params.sessionId, request.caller))

  app.addContentTypeParser('application/merge-patch+json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => parseJsonBody(body))
  app.patch('/sessions/:sessionId', {
    onRequest: requireScope('run'),
    schema: {
      consumes: ['application/json', 'application/merge-patch+json'],
      operationId: 'updateSession',
      tags,
      summary: 'Change a session',
      description: 'A JSON merge patch: what is left out stays, null removes. It holds from the next step on. A looser policy needs the scope `approve`.',
      params: SessionParams,
      body: UpdateSession,
      response: {
        200: json('The changed session', Session),
        ...problems('session_not_found', 'unknown_model', 'invalid_json', 'payload_too_large', 'unsupported_media_type', 'log_full', 'storage_full', 'log_newer')
      }
    }
  }, async (request) => await service.updateSession(request.params.sessionId, request.body, request.caller))

  app.delete('/sessions/:sessionId', {
    onRequest: requireScope('run'),
    schema: {
      operationId: 'deleteSession',
      tags,
      summary: 'Delete a session',
      description: 'Cancels its run, and removes its log and its workspace. It is gone for every client when this answers.',
      params: SessionParams,
      response: { 204: noContent('It is gone'), ...problems('session_not_found', 'log_newer') }
    }
  }, async (request, reply) => {
    await service.deleteSession(request.params.sessionId, request.caller)
    return reply.code(204).send()
  })
}

/** The schema lets nothing pass but `metadata.KEY`, with a text. */
function metadataOf (filters: Record<string, unknown>): Metadata {
  return Object.fromEntries(Object.entries(filters).map(([name, value]) => [name.slice('metadata.'.length), String(value)]))
}
