import { requestCodes, toolCodes, type RequestCode, type ToolCode } from './protocol/error-codes.ts'
import type { ToolError } from './protocol/common.ts'

interface ErrorDetails {
  suggestion?: string
  /** JSON pointers into the request. */
  errors?: Array<{ pointer: string, detail: string }>
  /** Further members of the problem document: a run, an approval. */
  extra?: Record<string, unknown>
  /** Seconds, for `Retry-After`. */
  retryAfterS?: number
  cause?: unknown
}

/** Refuses a request. `message` is for the client: no host path, no secret. */
export class AgentError extends Error {
  readonly code: RequestCode
  readonly details: ErrorDetails

  constructor (code: RequestCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.name = 'AgentError'
    this.code = code
    this.details = details
  }

  get status (): number { return requestCodes[this.code].status }
}

/** Ends a tool call with an error that the model is told. Paths in it are relative to the workspace. */
export class ToolFailure extends Error {
  readonly code: ToolCode
  readonly suggestion: string | null

  constructor (code: ToolCode, message: string, suggestion: string | null = null) {
    super(message)
    this.name = 'ToolFailure'
    this.code = code
    this.suggestion = suggestion
  }
}

/** The stored form; its key order is what the model sees, so it never changes. */
export function toolError (code: ToolCode, error: string, suggestion: string | null = null): ToolError {
  return { error, code, canRetry: toolCodes[code].canRetry, suggestion }
}
