import type { Test } from 'tap'
import { Type } from '@sinclair/typebox'
import { request as undiciRequest } from 'undici'
import { requireScope } from '../../src/routes/edge/require-scope.ts'
import { createEdge, type Edge, type EdgeOptions } from '../../src/routes/edge/edge.ts'
import { parseKeys } from '../../src/routes/edge/keys.ts'
import { createLogger } from '../../src/routes/edge/log.ts'

export const key = 'a-key-that-is-long-enough'
export const readerKey = 'another-key-for-readers'
const keyList = `${key},reader:read:${readerKey}`

const EchoBody = Type.Object({
  text: Type.Optional(Type.String()),
  note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  mode: Type.Optional(Type.Union([Type.Literal('ask'), Type.Literal('auto')])),
  content: Type.Optional(Type.Union([Type.String(), Type.Array(Type.Object({ type: Type.Literal('text'), text: Type.String() }, { additionalProperties: false }))])),
  free: Type.Optional(Type.Unknown())
}, { additionalProperties: false })
const ListQuery = Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }) }, { additionalProperties: false })

export interface StartedEdge extends Edge {
  readonly url: string
  readonly port: number
  /** Lines of the log so far. */
  readonly log: string[]
  /** Requests that reached a handler. */
  readonly handled: string[]
}

/** A real server on a free port: the edge, and a few routes that show what it does. */
export async function startEdge (t: Test, options: Partial<EdgeOptions> = {}, addRoutes: (edge: Edge) => void = () => {}): Promise<StartedEdge> {
  const log: string[] = []
  const handled: string[] = []
  const edge = createEdge({
    own: { allowedHosts: ['agent.example', 'ported.example:8443'], publicOrigin: 'https://public.example', corsOrigins: ['https://ui.example'] },
    keys: parseKeys(keyList).keys,
    logger: createLogger('debug', { write: (line: string) => { log.push(line) } }),
    ...options
  })
  edge.app.get('/echo', { schema: { querystring: ListQuery } }, async (request) => {
    handled.push('GET /echo')
    return { query: request.query, by: request.caller.name }
  })
  edge.app.post('/echo', { onRequest: requireScope('run'), schema: { body: EchoBody } }, async (request) => {
    handled.push('POST /echo')
    return { body: request.body }
  })
  edge.app.get('/names/:name', async (request) => request.params)
  edge.app.get('/status', { config: { public: true }, exposeHeadRoute: true }, async (request) => ({ by: request.caller.name, may: [...request.caller.scopes] }))
  addRoutes(edge)
  const url = await edge.app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(async () => {
    const closed = edge.app.close()
    edge.app.server.closeAllConnections() // clients keep theirs for a while
    await closed
  })
  return { ...edge, url, port: Number(new URL(url).port), log, handled }
}

export interface Answer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly text: string
  /** The body as JSON; undefined when it is none. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into it
  readonly json: any
}

export async function ask (url: string, options: { method?: string, headers?: Record<string, string>, body?: string | Buffer, as?: string | null } = {}): Promise<Answer> {
  const { as = key, method = 'GET', body, headers = {} } = options
  const answer = await undiciRequest(url, {
    method: method as 'GET', // undici's list of methods; the tests ask with whatever they like
    headers: { ...(as === null ? {} : { authorization: `Bearer ${as}` }), ...headers },
    ...(body === undefined ? {} : { body })
  })
  const text = await answer.body.text()
  let json: unknown
  try { json = JSON.parse(text) } catch { json = undefined }
  return { status: answer.statusCode, headers: answer.headers, text, json }
}

export const jsonType = { 'content-type': 'application/json' }
