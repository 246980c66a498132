import type { FastifyInstance } from 'fastify'
import { AgentError } from '../../errors.ts'
import { jsonDepthMax } from '../../limits.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })
const quote = 0x22
const backslash = 0x5c

/** Whether brackets nest deeper than `max`, found without parsing: a parser or a serializer could run out of stack. */
export function nestsDeeper (json: string, max: number): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < json.length; i++) {
    const unit = json.charCodeAt(i)
    if (inString) {
      if (unit === backslash) i++
      else if (unit === quote) inString = false
    } else if (unit === quote) inString = true
    else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > max) return true
    } else if (unit === 0x5d || unit === 0x7d) depth--
  }
  return false
}

/** Whether some object has a key that careless code would take for its prototype. Depth is bounded by the caller. */
function poisons (value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(poisons)
  if (Object.hasOwn(value, '__proto__')) return true
  return Object.entries(value).some(([key, member]) =>
    (key === 'constructor' && typeof member === 'object' && member !== null && Object.hasOwn(member, 'prototype')) || poisons(member))
}

/**
 * Parses a JSON body. Empty is undefined.
 * @throws AgentError invalid_json; its text never quotes the body
 */
export function parseJsonBody (bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new AgentError('invalid_json', 'The body is not UTF-8.')
  }
  if (nestsDeeper(text, jsonDepthMax)) throw new AgentError('invalid_json', `The body nests deeper than ${jsonDepthMax} levels.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new AgentError('invalid_json', 'The body is not valid JSON.')
  }
  if (poisons(value)) throw new AgentError('invalid_json', 'The body has a key that is not allowed: `__proto__`, or `prototype` in `constructor`.')
  return value
}

/**
 * JSON is the only body that is read. A scope that takes other bodies adds its own parser. A request without a
 * body to a route with a body schema counts as `{}`, so that optional bodies may be left out.
 */
export function addJsonBodies (app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => parseJsonBody(body))
  app.addHook('preValidation', async (request) => {
    if (request.body === undefined && request.routeOptions.schema?.body !== undefined) request.body = {}
  })
}
