import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { ModelInfo, ToolInfo } from '../protocol/resources.ts'
import { requireScope } from './edge/require-scope.ts'
import type { ResourceOptions } from './resource-options.ts'
import { json, problems } from './responses.ts'

const tags = ['tools and models']

const ToolList = Type.Object({ items: Type.Array(ToolInfo) }, { title: 'ToolList' })
const ModelList = Type.Object({ items: Type.Array(ModelInfo) }, { title: 'ModelList' })

export const toolRoutes: FastifyPluginAsyncTypebox<ResourceOptions> = async (app, { service }) => {
  app.get('/tools', {
    exposeHeadRoute: true,
    onRequest: requireScope('read'),
    schema: {
      operationId: 'listTools',
      tags,
      summary: 'List the tools that an agent here can use',
      response: { 200: json('All tools', ToolList), ...problems() }
    }
  }, async () => ({ items: service.listTools() }))

  app.get('/models', {
    exposeHeadRoute: true,
    onRequest: requireScope('read'),
    schema: {
      operationId: 'listModels',
      tags,
      summary: 'List the models that a session can name',
      response: { 200: json('All models', ModelList), ...problems() }
    }
  }, async () => ({ items: service.listModels() }))
}
