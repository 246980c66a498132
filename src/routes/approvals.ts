import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { ApprovalParams, pageQuery } from '../protocol/http.ts'
import { Approval, ApprovalPage, ApprovalStatus, DecideApproval } from '../protocol/resources.ts'
import { requireScope } from './edge/require-scope.ts'
import type { ResourceOptions } from './resource-options.ts'
import { json, problems } from './responses.ts'

const tags = ['approvals']

export const approvalRoutes: FastifyPluginAsyncTypebox<ResourceOptions> = async (app, { service }) => {
  app.get('/approvals', {
    exposeHeadRoute: true,
    onRequest: requireScope('read'),
    schema: {
      operationId: 'listApprovals',
      tags,
      summary: 'List approvals',
      description: 'Newest first, of all sessions that the key may see. `?status=pending` is what waits for somebody.',
      querystring: pageQuery('call', { status: Type.Optional(ApprovalStatus), sessionId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })) }),
      response: { 200: json('A page of approvals', ApprovalPage), ...problems() }
    }
  }, async (request) => {
    const { limit, cursor, status, sessionId } = request.query
    return await service.listApprovals({ limit, cursor: cursor ?? null, status: status ?? null, sessionId: sessionId ?? null }, request.caller)
  })

  app.get('/approvals/:callId', {
    exposeHeadRoute: true,
    onRequest: requireScope('read'),
    schema: {
      operationId: 'getApproval',
      tags,
      summary: 'Read an approval',
      description: 'With its arguments and its preview whole: what is shown is what will run.',
      params: ApprovalParams,
      response: { 200: json('The approval', Approval), ...problems('approval_not_found') }
    }
  }, async (request) => await service.getApproval(request.params.callId, request.caller))

  app.post('/approvals/:callId', {
    onRequest: requireScope('approve'),
    schema: {
      operationId: 'decideApproval',
      tags,
      summary: 'Approve or deny a call, or change its arguments',
      description: [
        'Without `digest` a decision is good for round 1 only, so that an old click never approves a new plan. The same decision again is answered with the same record; one that comes too late is 409 with the record in `approval`.',
        '`arguments` alone asks again with a new preview; with `decision` it changes and decides at once. `remember: "session"` allows such calls for the rest of the session.'
      ].join('\n\n'),
      params: ApprovalParams,
      body: DecideApproval,
      response: {
        200: json('The approval as it is now', Approval),
        ...problems(
          'approval_not_found', 'already_decided', 'approval_expired', 'approval_cancelled', 'digest_required', 'digest_mismatch',
          'invalid_arguments', 'invalid_json', 'payload_too_large', 'unsupported_media_type', 'log_full', 'log_newer')
      }
    }
  }, async (request) => await service.decideApproval(request.params.callId, request.body, request.caller))
}
