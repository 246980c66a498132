import type { RunCode } from '../protocol/error-codes.ts'
import { isObject, nonEmptyString, parseJson } from './json.ts'

/** Why an attempt failed, before keys are taken out of `detail`. */
export interface Failure {
  readonly code: RunCode
  readonly detail: string
  /** Another attempt with the same request may succeed. */
  readonly retry: boolean
  /** What the provider asks for, in milliseconds. */
  readonly retryAfterMs: number | null
  readonly cause?: unknown
}

export function failure (code: RunCode, detail: string, retry: boolean, cause?: unknown): Failure {
  return { code, detail, retry, retryAfterMs: null, ...(cause === undefined ? {} : { cause }) }
}

interface ErrorFacts {
  readonly status: number | null
  readonly words: string
  readonly message: string
}

const overflowWords = new RegExp([
  'context_length_exceeded', 'exceed_context_size', 'context.?size has been exceeded', 'maximum context length',
  'prompt is too long', 'input is too long', 'request_too_large',
  '(?:exceeds?|longer than|larger than|exceeded).{0,40}context (?:length|size|window)',
  'context (?:length|size|window).{0,40}(?:exceed|too (?:long|small))'
].join('|'), 'i')

/**
 * The error in a JSON value that should have been an answer, or null when it has none.
 * It comes as `{error: {…}}`, `{error: "…"}`, in an array, or flat with `object: "error"`.
 */
export function findError (value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? findError(value[0]) : null
  if (!isObject(value)) return null
  const { error } = value
  if (error !== undefined && error !== null && error !== false) return error
  return value['object'] === 'error' || value['type'] === 'error' ? value : null
}

/** Classifies an error object in an answer or stream whose HTTP status said success. */
export function classifyError (error: unknown): Failure {
  const facts = errorFacts(error)
  const words = `${facts.words} ${facts.message}`
  const named = classifyWords(words)
  if (named !== null) return failure(named, facts.message, isRetryable(named))
  if (facts.status !== null) return byStatus(facts.status, facts.message)
  if (/invalid_request/.test(facts.words)) return failure('model_bad_request', facts.message, false)
  return failure('model_overloaded', facts.message, true)
}

/** Classifies an answer whose status is not a success. `body` is its beginning. */
export function classifyStatus (status: number, contentType: string, body: string): Failure {
  if (status >= 300 && status < 400) {
    return failure('model_not_an_api', `The address answers with a redirect (HTTP ${status}), which is not followed.`, false)
  }
  const isPage = contentType.includes('html') || /^\s*</.test(body)
  if (isPage) {
    const title = /<title[^>]*>([^<]*)/i.exec(body)?.[1]?.trim() ?? ''
    const detail = `HTTP ${status} with an HTML page${title === '' ? '' : `: ${title}`}`
    if (status >= 500 || status === 429 || status === 408) return byStatus(status, detail)
    return failure(status === 401 || status === 403 ? 'model_auth' : 'model_not_an_api', detail, false)
  }
  const value = parseJson(body)
  const facts = errorFacts(findError(value) ?? value ?? body)
  const detail = `HTTP ${status}: ${facts.message}`
  const named = classifyWords(`${facts.words} ${facts.message}`)
  if (named === null || (named === 'model_overloaded' && status < 500)) return byStatus(status, detail)
  return failure(named, detail, isRetryable(named) && (status === 429 || status === 408 || status >= 500))
}

/** What answered is a page or plain text. */
export function notAnApi (head: string): Failure {
  const title = /<title[^>]*>([^<]*)/i.exec(head)?.[1]?.trim()
  return failure('model_not_an_api', title === undefined || title === ''
    ? `The answer is no stream of a chat-completions API: ${head}`
    : `The answer is an HTML page: ${title}`, false)
}

function errorFacts (error: unknown): ErrorFacts {
  if (!isObject(error)) {
    const message = typeof error === 'string' && error.trim() !== '' ? error : 'no details were given'
    return { status: null, words: '', message }
  }
  const inner = isObject(error['metadata']) ? nonEmptyString(error['metadata']['raw']) : undefined
  const message = nonEmptyString(error['message']) ?? nonEmptyString(error['detail']) ?? nonEmptyString(error['error']) ??
    (Object.keys(error).length === 0 ? 'no details were given' : JSON.stringify(error))
  const code = error['code'] ?? error['status']
  const status = Number(code)
  return {
    status: Number.isInteger(status) && status >= 400 && status < 600 ? status : null,
    words: [error['code'], error['type'], error['status']].filter((word) => typeof word === 'string').join(' '),
    message: inner === undefined || message.includes(inner) ? message : `${message} (${inner})`
  }
}

function classifyWords (words: string): Failure['code'] | null {
  if (overflowWords.test(words)) return 'context_overflow'
  if (/insufficient_quota|billing_hard_limit|billing_error|insufficient_(?:credits|balance)/i.test(words)) return 'model_quota'
  if (/invalid_api_key|authentication_error|permission_error|incorrect api key|api key not valid/i.test(words)) return 'model_auth'
  if (/content_filter|content_policy|ResponsibleAIPolicy/i.test(words)) return 'content_filter'
  if (/model_not_found|not_found_error/i.test(words)) return 'model_not_found'
  if (/rate_limit/i.test(words)) return 'model_rate_limited'
  if (/overloaded|server_error/i.test(words)) return 'model_overloaded'
  return null
}

function isRetryable (code: Failure['code']): boolean {
  return code === 'model_rate_limited' || code === 'model_overloaded'
}

function byStatus (status: number, detail: string): Failure {
  switch (status) {
    case 401: case 403: return failure('model_auth', detail, false)
    case 402: return failure('model_quota', detail, false)
    case 404: return failure('model_not_found', detail, false)
    case 405: return failure('model_not_an_api', detail, false)
    case 408: return failure('model_overloaded', detail, true)
    case 429: return failure('model_rate_limited', detail, true)
    default: return status >= 500 ? failure('model_overloaded', detail, true) : failure('model_bad_request', detail, false)
  }
}

const suggestions: Partial<Record<RunCode, string>> = {
  model_auth: 'Check the API key of this provider in the server\'s configuration.',
  model_quota: 'Add credit at the provider, or choose another model.',
  model_not_found: 'Check the model\'s name; for a local server, load the model first.',
  model_not_an_api: 'Check the base URL of this provider; it usually ends in /v1.',
  context_overflow: 'Start a new session, shorten the conversation, or choose a model with a larger context window.',
  model_rate_limited: 'Wait before trying again.',
  model_connection: 'Check that the model server runs and can be reached from here.',
  model_connect_timeout: 'Check that the model server runs and can be reached from here.',
  model_first_byte_timeout: 'A local model may need more time to read a long prompt: raise the first-byte timeout.',
  model_output_limit: 'Ask for a shorter answer.'
}

/** What a person can do about it. */
export function suggestionFor (code: RunCode): string | null {
  return suggestions[code] ?? null
}
