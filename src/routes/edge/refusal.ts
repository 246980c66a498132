import type { ErrorObject } from 'ajv'
import { AgentError } from '../../errors.ts'
import { isRequestCode } from './problem.ts'
import { pointedErrors } from './validation.ts'

const storeDetails: Record<string, string> = {
  storage_full: 'The disk of the server is full; nothing of the request was stored.',
  storage_unavailable: 'The store does not answer; nothing of the request was stored.',
  log_newer: 'The session was written by a newer version of the server and can only be read by it.'
}

/**
 * Turns whatever a handler or Fastify threw into the refusal that the client gets. What is not known becomes
 * `internal`, and its text stays here: messages may name paths, queries or secrets.
 */
export function refusalOf (error: unknown): AgentError {
  if (error instanceof AgentError) return error
  if (!(error instanceof Error)) return internal(error)
  if ('validation' in error && Array.isArray(error.validation)) {
    const context = 'validationContext' in error ? String(error.validationContext) : 'body'
    return invalidRequest(context, error.validation as ErrorObject[]) // what Ajv made, by Fastify's contract
  }
  const code = 'code' in error ? error.code : undefined
  // The store is below the routes' layer, so its errors are known by their name.
  if (error.name === 'StoreError' && isRequestCode(code)) return new AgentError(code, storeDetails[code] ?? 'The store refused.', { cause: error })
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AgentError('payload_too_large', 'The body is larger than the server takes here.', { cause: error })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AgentError('unsupported_media_type', 'The body is not of a media type that this route takes.', {
        suggestion: 'Send JSON with `Content-Type: application/json`.', cause: error
      })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AgentError('invalid_request', 'The body is not as long as Content-Length says.', { cause: error })
    case 'FST_ERR_BAD_URL':
      return new AgentError('invalid_request', 'The path is not properly percent-encoded.', { cause: error })
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AgentError('not_found', 'A part of the path is too long to name anything here.', { cause: error })
    case 'ECONNRESET':
      return new AgentError('invalid_request', 'The request ended before its body was complete.', { cause: error })
    default: {
      const status = 'statusCode' in error ? error.statusCode : undefined
      return typeof status === 'number' && status >= 400 && status < 500
        ? new AgentError('invalid_request', 'The request is not valid.', { cause: error })
        : internal(error)
    }
  }
}

function internal (cause: unknown): AgentError {
  return new AgentError('internal', 'Something went wrong in the server; its log has more under this requestId.', { cause })
}

const contextNames: Record<string, string> = { body: 'body', querystring: 'query', params: 'path', headers: 'headers' }

function invalidRequest (context: string, validation: ErrorObject[]): AgentError {
  const where = contextNames[context] ?? context
  const errors = pointedErrors(validation)
  const first = errors[0]
  const place = first === undefined || first.pointer === '' ? `the ${where}` : `\`${first.pointer}\` of the ${where}`
  return new AgentError('invalid_request', first === undefined ? `The ${where} is not valid.` : `${place[0]?.toUpperCase()}${place.slice(1)} ${first.detail}.`, { errors })
}
