import { AgentError } from '../../errors.ts'
import { requestCodes, type Problem, type RequestCode } from '../../protocol/error-codes.ts'

export const problemType = 'application/problem+json'

/** The RFC 9457 document that answers a refused request. */
export function problemOf (error: AgentError, requestId: string): Problem {
  const { status, title, canRetry } = requestCodes[error.code]
  const { suggestion, errors, extra } = error.details
  return {
    ...extra,
    type: `/docs/errors#${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    canRetry,
    suggestion: suggestion ?? null,
    requestId,
    ...(errors === undefined ? {} : { errors })
  }
}

/** `Retry-After` in seconds: as the error says, else a second for what is worth trying again. Null: none. */
export function retryAfterS (error: AgentError): number | null {
  if (error.details.retryAfterS !== undefined) return error.details.retryAfterS
  return error.status === 503 && requestCodes[error.code].canRetry ? 1 : null
}

export function isRequestCode (code: unknown): code is RequestCode {
  return typeof code === 'string' && Object.hasOwn(requestCodes, code)
}
