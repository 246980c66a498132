import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { may } from '../agent/caller.ts'
import { AgentError } from '../errors.ts'
import { requireScope } from './edge/require-scope.ts'
import { operationsSchemas } from './operations-schemas.ts'
import './edge/types.ts'

/** Something that this server may or may not be able to do. */
export interface Capability {
  readonly name: string
  readonly available: boolean
  /** Why not; null when available. */
  readonly reason: string | null
}

export interface Readiness {
  readonly ready: boolean
  /** Why not; null when ready. No secret and no host path. */
  readonly reason: string | null
}

export interface OperationsOptions {
  readonly version: string
  readonly ready: () => Promise<Readiness>
  readonly capabilities: readonly Capability[]
  /** Gauges by name, without prefix: `active_runs`. */
  readonly metrics: () => Record<string, number>
  /** Text of a file of the project. @throws when it is not there */
  readonly readDocument: (name: 'openapi.yaml' | 'docs/reference.html') => Promise<string>
}

const pagePolicy = "default-src 'none'; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** How the server is and what it offers: health, readiness, metrics, the contract and the static pages. */
export function operationsRoutes (app: FastifyInstance, options: OperationsOptions): void {
  const open = { config: { public: true }, exposeHeadRoute: true } as const
  const documents = lazyDocuments(options.readDocument)

  app.get('/health', { ...open, schema: operationsSchemas.health }, async () => ({ status: 'ok' }))

  app.get('/ready', { ...open, schema: operationsSchemas.ready }, async (request, reply) => {
    const { ready, reason } = await options.ready()
    reply.code(ready ? 200 : 503)
    const status = ready ? 'ready' : 'not_ready'
    return may(request.caller, 'read') ? { status, reason, version: options.version, capabilities: options.capabilities } : { status }
  })

  const gauges = processGauges(app)
  app.get('/metrics', { onRequest: requireScope('read'), schema: operationsSchemas.metrics }, async (_request, reply) => {
    reply.type('text/plain; version=0.0.4; charset=utf-8')
    return prometheusText({ ...options.metrics(), ...gauges() })
  })

  app.get('/openapi.yaml', { ...open, schema: operationsSchemas.openapiYaml }, async (_request, reply) => reply.type('application/yaml; charset=utf-8').send(await documents.openapiYaml()))
  app.get('/openapi.json', { ...open, schema: operationsSchemas.openapiJson }, async (_request, reply) => reply.type('application/json; charset=utf-8').send(await documents.openapiJson()))
  // One page: `type` of a problem is `/docs/errors#code`, and the page has a place for each code.
  for (const path of ['/docs', '/docs/errors']) app.get(path, { ...open, schema: { hide: true } }, async (_request, reply) => sendPage(reply, await documents.reference()))
}

function sendPage (reply: FastifyReply, html: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('content-security-policy', pagePolicy).header('referrer-policy', 'no-referrer').send(html)
}

/** Files are read when first asked for, once. One that cannot be read is asked for again the next time. */
function lazyDocuments (readDocument: OperationsOptions['readDocument']) {
  const openapiYaml = once(async () => await readDocument('openapi.yaml'))
  return {
    openapiYaml,
    openapiJson: once(async () => {
      const { parse } = await import('yaml') // is not needed before, and takes its time to load
      return JSON.stringify(parse(await openapiYaml()))
    }),
    reference: once(async () => await readDocument('docs/reference.html'))
  }
}

function once (make: () => Promise<string>): () => Promise<string> {
  let made: Promise<string> | null = null
  return async () => {
    made ??= make().catch((cause: unknown) => {
      made = null
      throw new AgentError('not_found', 'This document is not part of the installation.', { cause })
    })
    return await made
  }
}

function processGauges (app: FastifyInstance): () => Record<string, number> {
  const resolutionMs = 20
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  app.addHook('onClose', async () => { delay.disable() })
  return () => {
    const memory = process.memoryUsage()
    // Node measures from one look to the next, the time that lies between them anyway included.
    const p99 = delay.count === 0 ? 0 : Math.max(0, delay.percentile(99) / 1e9 - resolutionMs / 1e3)
    delay.reset()
    return {
      event_loop_delay_p99_seconds: p99, // since the last scrape
      resident_memory_bytes: memory.rss,
      heap_used_bytes: memory.heapUsed,
      uptime_seconds: Math.round(process.uptime())
    }
  }
}

/** The Prometheus text format, version 0.0.4; everything is a gauge. */
export function prometheusText (gauges: Record<string, number>): string {
  return Object.entries(gauges).map(([name, value]) => `# TYPE ecluse_${name} gauge\necluse_${name} ${value}\n`).join('')
}
