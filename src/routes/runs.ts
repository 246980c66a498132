import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { RunStatus } from '../protocol/events.ts'
import { pageQuery, RunParams, SessionParams, WaitHeaders } from '../protocol/http.ts'
import { CancelRun, Run, RunPage } from '../protocol/resources.ts'
import { requireScope } from './edge/require-scope.ts'
import { patienceOf } from './patience.ts'
import { readPrefer } from './prefer.ts'
import type { ResourceOptions } from './resource-options.ts'
import { json, problems } from './responses.ts'

const tags = ['runs']

export const runRoutes: FastifyPluginAsyncTypebox<ResourceOptions> = async (app, { service }) => {
  app.get('/sessions/:sessionId/runs', {
    exposeHeadRoute: true,
    onRequest: requireScope('read'),
    schema: {
      operationId: 'listRuns',
      tags,
      summary: 'List the runs of a session',
      description: 'Newest first.',
      params: SessionParams,
      querystring: pageQuery('run', { status: Type.Optional(RunStatus) }),
      response: { 200: json('A page of runs', RunPage), ...problems('session_not_found') }
    }
  }, async (request) => {
    const { limit, cursor, status } = request.query
    return await service.listRuns(request.params.sessionId, { limit, cursor: cursor ?? null, status: status ?? null }, request.caller)
  })

  app.get('/sessions/:sessionId/runs/:runId', {
    exposeHeadRoute: true,
    onRequest: requireScope('read'),
    schema: {
      operationId: 'getRun',
      tags,
      summary: 'Read a run, or wait for it',
      params: RunParams,
      headers: WaitHeaders,
      response: { 200: json('The run as it is', Run), ...problems('run_not_found', 'session_not_found') }
    }
  }, async (request, reply) => {
    const { sessionId, runId } = request.params
    const { waitMs } = readPrefer(request.headers.prefer)
    if (waitMs === null || request.method === 'HEAD') return (await service.getRun(sessionId, runId, request.caller)).run
    reply.header('preference-applied', `wait=${waitMs / 1000}`)
    const patience = patienceOf(reply, waitMs)
    try {
      return await service.waitForRun(sessionId, runId, 'pause', request.caller, patience.signal)
    } finally {
      patience.done()
    }
  })

  app.post('/sessions/:sessionId/runs/:runId/cancel', {
    onRequest: requireScope('run'),
    schema: {
      operationId: 'cancelRun',
      tags,
      summary: 'Cancel a run',
      description: 'Nothing of it starts from here on; what runs is stopped, then the run ends as `cancelled`. A run that is settled already is returned as it is.',
      params: RunParams,
      body: CancelRun,
      response: { 200: json('The run; wait for its end with `Prefer: wait` on it', Run), ...problems('run_not_found', 'session_not_found', 'invalid_json', 'unsupported_media_type', 'log_newer') }
    }
  }, async (request) => {
    const { sessionId, runId } = request.params
    return await service.cancelRun(sessionId, runId, request.body.reason ?? null, request.caller)
  })

  app.post('/sessions/:sessionId/cancel', {
    onRequest: requireScope('run'),
    schema: {
      operationId: 'cancelActiveRun',
      tags,
      summary: 'Cancel the active run of a session',
      params: SessionParams,
      body: CancelRun,
      response: { 200: json('The run that was active', Run), ...problems('session_not_found', 'no_active_run', 'invalid_json', 'unsupported_media_type', 'log_newer') }
    }
  }, async (request) => await service.cancelRun(request.params.sessionId, null, request.body.reason ?? null, request.caller))
}
