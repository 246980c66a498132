import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { startPage } from './pages/start-page.ts'
import './edge/types.ts'

export interface ConsoleOptions {
  readonly version: string
  /** Where the built page is, with its hashed files under `assets/`. */
  readonly directory: string
  /** The page; null: it has not been built. */
  readonly readPage: () => Promise<string | null>
}

/** Nothing inline, nothing foreign: what a model or a file says can neither run nor call home. */
const consolePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const startPagePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const yearS = 365 * 24 * 3600

/** The console at `/`; a plain page with links where it has not been built. */
export async function consoleRoutes (app: FastifyInstance, { version, directory, readPage }: ConsoleOptions): Promise<void> {
  const open = { config: { public: true }, exposeHeadRoute: true, schema: { hide: true } } as const
  await app.register(fastifyStatic, { root: path.resolve(directory, 'assets'), serve: false, cacheControl: false, preCompressed: true })

  app.get('/', open, async (_request, reply) => {
    const page = await readPage()
    return page === null ? sendPage(reply, startPage(version), startPagePolicy) : sendPage(reply, page, consolePolicy)
  })

  // Their names change with their content.
  app.get('/assets/*', open, async (request, reply) => {
    const { '*': name } = request.params as { '*': string } // what the pattern of the route says
    reply.headers({ 'cache-control': `public, max-age=${yearS}, immutable`, 'content-security-policy': "default-src 'none'", vary: 'accept-encoding' })
    return await reply.sendFile(name)
  })
}

function sendPage (reply: FastifyReply, html: string, policy: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').headers({
    'content-security-policy': policy, 'referrer-policy': 'no-referrer', 'cross-origin-opener-policy': 'same-origin'
  }).send(html)
}
