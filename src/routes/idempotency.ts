import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { IdempotencyKey } from '../agent/service.ts'
import { AgentError } from '../errors.ts'
import { idempotencyKeyLengthMax } from '../limits.ts'

/**
 * The key of a POST and what it was sent with. Null: there is none.
 * @throws AgentError invalid_request
 */
export function idempotencyOf (request: FastifyRequest): IdempotencyKey | null {
  const header = request.headers['idempotency-key']
  if (header === undefined) return null
  const key = readKey(String(header))
  const path = request.url.split('?', 1)[0] ?? ''
  const fingerprint = createHash('sha256').update(`${request.method} ${path}\n${canonicalJson(request.body)}`).digest('hex')
  return { key, fingerprint }
}

/** `"key"` as the draft has it, or bare, as most clients send it: both are the same key. */
export function readKey (header: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)?.[1]?.replace(/\\(["\\])/g, '$1')
  const key = quoted ?? header
  if ((quoted === undefined && header.startsWith('"')) || key.length > idempotencyKeyLengthMax || !/^[\x20-\x7e]+$/.test(key)) {
    throw new AgentError('invalid_request', `Idempotency-Key must be 1 to ${idempotencyKeyLengthMax} printable ASCII characters, bare or in double quotes.`)
  }
  return key
}

/** JSON with sorted keys: the same text for the same value. */
export function canonicalJson (value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const members = Object.entries(value).filter(([, member]) => member !== undefined).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`
}
