import { Type, type TSchema } from '@sinclair/typebox'
import { Problem, requestCodes, type RequestCode } from '../protocol/error-codes.ts'
import { StreamEvent } from '../protocol/ephemeral.ts'
import { Notice } from '../protocol/notices.ts'

/** One answer of a route, for the contract: Fastify checks nothing that leaves. */
export interface ResponseSchema {
  readonly type?: 'null'
  readonly description: string
  readonly headers?: Readonly<Record<string, TSchema>>
  readonly content?: Readonly<Record<string, { readonly schema: TSchema }>>
}

export type ResponseSchemas = Record<string, ResponseSchema>

const location = (description: string) => ({ Location: Type.String({ format: 'uri-reference', description }) })

export const runLocation = location('The run')
export const sessionLocation = location('The session')

export function json (description: string, schema: TSchema, headers: Record<string, TSchema> = {}): ResponseSchema {
  return { description, ...(Object.keys(headers).length > 0 ? { headers } : {}), content: { 'application/json': { schema } } }
}

/** `data:` of each event is one of these. */
export const eventStream = { 'text/event-stream': { schema: StreamEvent } }

export const noticeStream = { 'text/event-stream': { schema: Notice } }

/** The content of an answer, or of a request, that is no JSON. */
export const bytes = (type: string) => ({ [type]: { schema: Type.String({ format: 'binary' }) } })

export const noContent = (description: string): ResponseSchema => ({ type: 'null', description })

/** Codes that every route may answer, and those of every route with a key. */
const always: readonly RequestCode[] = ['origin_not_allowed', 'host_not_allowed', 'internal']
const withKey: readonly RequestCode[] = ['invalid_request', 'unauthorized', 'scope_missing', 'storage_unavailable', 'shutting_down']

/** The refusals of a route that needs a key, by status; each description names its codes. */
export function problems (...codes: RequestCode[]): ResponseSchemas { return publicProblems(...withKey, ...codes) }

/** The refusals of a route that needs none. */
export function publicProblems (...codes: RequestCode[]): ResponseSchemas {
  const byStatus = new Map<number, RequestCode[]>()
  for (const code of new Set([...always, ...codes])) {
    const { status } = requestCodes[code]
    byStatus.set(status, [...byStatus.get(status) ?? [], code])
  }
  return Object.fromEntries([...byStatus].sort(([a], [b]) => a - b).map(([status, named]) => [String(status), {
    description: named.map((code) => `\`${code}\`: ${requestCodes[code].title}`).join('. ') + '.',
    content: { 'application/problem+json': { schema: Problem } }
  }]))
}
