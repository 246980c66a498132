import { Type, type TObject } from '@sinclair/typebox'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance } from 'fastify'
import type { AgentService } from '../../src/agent/service.ts'
import { operationsRoutes } from '../../src/routes/operations.ts'
import { resourceRoutes } from '../../src/routes/resource-routes.ts'
import { EventStreams } from '../../src/streams/event-streams.ts'
import { shapeDocument } from './document.ts'
import type { JsonObject } from './json.ts'

const tags = [
  { name: 'sessions', description: 'A session is a conversation with its own workspace, policy, model and event log.' },
  { name: 'messages', description: 'A message starts a run; the transcript is what was said.' },
  { name: 'events', description: 'The log of a session, as pages or as Server-Sent Events.' },
  { name: 'runs', description: 'A run is what one message sets off, until it is settled.' },
  { name: 'approvals', description: 'Dangerous calls wait here for a decision.' },
  { name: 'files', description: 'The workspace of a session: its files, all of it as an archive, and what has changed in it.' },
  { name: 'tools and models', description: 'What an agent on this server can use.' },
  { name: 'operations', description: 'How the server is, and this contract.' }
]

const info = {
  title: 'Écluse',
  description: 'A self-hosted HTTP agent server: sessions with a sandboxed workspace, tool events over SSE, approvals that survive a restart. Refusals are `application/problem+json`; clients branch on `code`.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' }
}

/** The contract, from the routes' own schemas. No handler runs, so there is no agent, no store and no directory behind them. */
export async function describeApi (version: string): Promise<JsonObject> {
  const app = Fastify()
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  await app.register(swagger, {
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.0',
      info: { ...info, version },
      servers: [{ url: '/', description: 'The server that this document comes from' }],
      tags,
      security: [{ apiKey: [] }],
      components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'A key of the server, with the scopes `read`, `run`, `approve` or `admin`' } } }
    },
    transform: ({ schema, url, route }) => ({
      schema: {
        ...schema,
        ...(route.config?.public === true ? { security: [] } : {}),
        ...(route.config?.takes === undefined ? {} : { consumes: [route.config.takes], body: Type.String({ format: 'binary' }) }),
        ...(url.endsWith('/*') ? { params: namedRest(schema?.params as TObject) } : {}) // routes have TypeBox schemas
      },
      url: url.replace(/\/\*$/, '/:path')
    })
  })
  await registerRoutes(app)
  await app.ready()
  // The document is plain JSON; through text it loses TypeBox's symbols and everything undefined.
  const document = JSON.parse(JSON.stringify(app.swagger())) as JsonObject
  await app.close()
  return shapeDocument(document)
}

/** What Fastify calls `*`, the rest of a path, needs a name in a contract. */
function namedRest (params: TObject): TObject {
  const { '*': rest, ...others } = params.properties
  return Type.Object(rest === undefined ? others : { ...others, path: rest })
}

async function registerRoutes (app: FastifyInstance): Promise<void> {
  const service = new Proxy({}, { get (_, name) { throw new Error(`${String(name)} was called while the routes were described`) } }) as AgentService
  const never = async () => { throw new Error('a handler ran while the routes were described') }
  operationsRoutes(app, { version: '', ready: never, capabilities: [], metrics: () => ({}), readDocument: never })
  await app.register(resourceRoutes, { service, streams: new EventStreams({ heartbeatMs: 1_000, streamsMax: 1 }) })
}
