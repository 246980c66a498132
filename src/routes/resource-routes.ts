import type { FastifyPluginAsync } from 'fastify'
import { approvalRoutes } from './approvals.ts'
import { archiveRoutes } from './archive.ts'
import { diffRoutes } from './diff.ts'
import { eventRoutes } from './events.ts'
import { fileRoutes } from './files.ts'
import { messageRoutes } from './messages.ts'
import { noticeRoutes } from './notices.ts'
import type { ResourceOptions } from './resource-options.ts'
import { runRoutes } from './runs.ts'
import { sessionRoutes } from './sessions.ts'
import { toolRoutes } from './tools.ts'

/** Sessions, messages, events, runs, approvals, files, tools and models. `request.caller` is there before. */
export const resourceRoutes: FastifyPluginAsync<ResourceOptions> = async (app, options) => {
  await app.register(sessionRoutes, options)
  await app.register(messageRoutes, options)
  await app.register(eventRoutes, options)
  await app.register(noticeRoutes, options)
  await app.register(runRoutes, options)
  await app.register(approvalRoutes, options)
  await app.register(fileRoutes, options)
  await app.register(archiveRoutes, options)
  await app.register(diffRoutes, options)
  await app.register(toolRoutes, options)
}
