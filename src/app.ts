import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { readOrMakeApiKey, type MadeKey } from './config/api-key-file.ts'
import type { Config } from './config.ts'
import { listenBacklog } from './limits.ts'
import { consoleRoutes } from './routes/console.ts'
import { createEdge, type Edge } from './routes/edge/edge.ts'
import { urlAddress } from './routes/edge/hosts.ts'
import type { ApiKey } from './routes/edge/keys.ts'
import { operationsRoutes, type Capability, type Readiness } from './routes/operations.ts'

/** What stands behind the edge. */
export interface Parts {
  /** Registers the routes of the resources. */
  routes (app: FastifyInstance): void
  /** Takes up what the last process left. Called once, when the server listens. */
  start (): Promise<void>
  ready (): Promise<Readiness>
  readonly capabilities: readonly Capability[]
  /** Gauges by name, without prefix. */
  metrics (): Record<string, number>
  /** Refuses new work, ends runs, writes their last events, ends streams; resolves within `timeoutMs`. */
  stop (timeoutMs: number): Promise<void>
  /** Closes models and store. Nothing calls them any more. */
  close (): Promise<void>
}

export interface AppOptions {
  readonly config: Config
  readonly parts: Parts
  /** Null: authentication is off. */
  readonly keys: readonly ApiKey[] | null
  readonly version: string
  readonly logger: Logger
  /** Where the built console is. */
  readonly consoleDirectory: string
}

/** The whole HTTP surface, not listening yet. */
export function buildApp ({ config, parts, keys, version, logger, consoleDirectory }: AppOptions): Edge {
  const edge = createEdge({ own: config.own, keys, logger, bodyBytesMax: config.ceilings.bodyBytes })
  operationsRoutes(edge.app, { version, ready: async () => await parts.ready(), capabilities: parts.capabilities, metrics: () => parts.metrics(), readDocument })
  edge.app.register(consoleRoutes, {
    version,
    directory: consoleDirectory,
    readPage: async () => await readFile(path.join(consoleDirectory, 'index.html'), 'utf8').catch(() => null)
  })
  parts.routes(edge.app)
  return edge
}

/** Both `dist/app.js` and `build/src/app.js` lie in the project; its root is where package.json is. */
async function projectRoot (): Promise<URL> {
  for (const up of ['../', '../../']) {
    const root = new URL(up, import.meta.url)
    if (await readFile(new URL('package.json', root)).then(() => true, () => false)) return root
  }
  throw new Error('the project is not there')
}

async function readDocument (name: string): Promise<string> {
  return await readFile(new URL(name, await projectRoot()), 'utf8')
}

export interface RunningServer {
  readonly version: string
  /** Where a program on this machine reaches it. */
  readonly url: string
  /** Where the key is; null: authentication is off, or keys are configured. */
  readonly madeKey: MadeKey | null
  readonly capabilities: readonly Capability[]
  /**
   * Refuses new work, ends runs and streams, answers what is under way, closes the store. What has not ended within
   * `config.shutdownTimeoutMs` is cut.
   */
  stop (): Promise<void>
}

/** Opens the parts. `onFatal` is called when one of them can never work again: the process should end, and be started again. */
export type Compose = (config: Config, logger: Logger, onFatal: (error: Error) => void) => Promise<Parts>

/**
 * Opens everything and listens.
 * @throws Error when the data directory is in use or not usable, or the address is not free; then nothing stays open
 */
export async function startServer (config: Config, logger: Logger, compose: Compose, onFatal: (error: Error) => void): Promise<RunningServer> {
  const version = String(JSON.parse(await readDocument('package.json')).version)
  const consoleDirectory = fileURLToPath(new URL('dist/web', await projectRoot()))
  const parts = await compose(config, logger, onFatal)
  try {
    const madeKey = config.auth === 'on' && config.keys.length === 0 ? await readOrMakeApiKey(config.dataDir) : null
    const keys = config.auth === 'off' ? null : madeKey?.keys ?? config.keys
    const edge = buildApp({ config, parts, keys, version, logger, consoleDirectory })
    try {
      await edge.app.listen({ host: config.host, port: config.port, backlog: listenBacklog })
      await parts.start()
    } catch (error) {
      await edge.app.close()
      throw error
    }
    return { version, url: urlOf(edge.app, config.host), madeKey, capabilities: parts.capabilities, stop: async () => { await stop(edge, parts, config.shutdownTimeoutMs) } }
  } catch (error) {
    await parts.close()
    throw error
  }
}

function urlOf (app: FastifyInstance, host: string): string {
  const address = app.addresses()[0]
  const port = typeof address === 'object' ? address.port : 0
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : urlAddress(host)
  return `http://${name}:${port}`
}

async function stop ({ app, drain }: Edge, parts: Parts, timeoutMs: number): Promise<void> {
  drain()
  // The last tenth is for what follows: closing sockets and the store.
  await parts.stop(timeoutMs * 0.8)
  const cut = setTimeout(() => { app.server.closeAllConnections() }, timeoutMs * 0.1)
  await app.close()
  clearTimeout(cut)
  await parts.close()
}
