import type { Failure } from './failure.ts'

export interface RetryLimits {
  /** Attempts after the first one; 0 means none, not even after an answer that broke off. */
  readonly maxRetries: number
  readonly retryBaseMs: number
  /** A provider that asks for a longer wait fails the call at once. */
  readonly maxRetryWaitMs: number
}

export interface AttemptState {
  /** Attempts made so far, the failed one included. */
  readonly attempts: number
  /** Parts of the failed attempt had been given out. */
  readonly begun: boolean
  /** An answer that had begun was repeated before. */
  readonly repeated: boolean
  /** Empty answers before this one. */
  readonly emptyBefore: number
}

/**
 * How long to wait before the next attempt, or null for no other. The provider's `Retry-After` holds; else
 * the wait doubles with full jitter. @param random at least 0, below 1
 */
export function retryDelayMs (failed: Failure, state: AttemptState, limits: RetryLimits, random: number): number | null {
  if (!failed.retry || state.attempts > limits.maxRetries) return null
  if (state.begun && state.repeated) return null
  if (failed.code === 'model_empty' && state.emptyBefore > 0) return null
  if (failed.retryAfterMs !== null) {
    if (failed.retryAfterMs > limits.maxRetryWaitMs) return null
    // Never earlier than asked; a little later, so that many runs do not come back at once.
    return Math.ceil(failed.retryAfterMs + random * limits.retryBaseMs)
  }
  return Math.round(random * Math.min(limits.maxRetryWaitMs, limits.retryBaseMs * 2 ** (state.attempts - 1)))
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** `retry-after-ms`, or `retry-after` as seconds or HTTP date, in milliseconds from `now`. */
export function readRetryAfterMs (headers: Headers, now: number): number | null {
  const exact = Number(headerOf(headers, 'retry-after-ms') ?? NaN)
  if (Number.isFinite(exact) && exact >= 0) return Math.ceil(exact)
  const value = headerOf(headers, 'retry-after')
  if (value === undefined) return null
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return seconds >= 0 ? Math.ceil(seconds * 1000) : null
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** Applies what the headers of a failed answer say about another attempt. */
export function withRetryHeaders (failed: Failure, headers: Headers, now: number): Failure {
  if (!failed.retry) return failed
  return { ...failed, retry: headerOf(headers, 'x-should-retry') !== 'false', retryAfterMs: readRetryAfterMs(headers, now) }
}

export function headerOf (headers: Headers, name: string): string | undefined {
  const value = headers[name]
  const first = Array.isArray(value) ? value[0] : value
  return first?.trim() === '' ? undefined : first?.trim()
}
