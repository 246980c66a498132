import type { JsonObject } from '../protocol/common.ts'

export function isObject (value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A string that is there and not empty; what models leave out comes as `""`, null or not at all. */
export function nonEmptyString (value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Undefined when `text` is not JSON. */
export function parseJson (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `text` as JSON can carry it in UTF-8: a surrogate without its other half becomes U+FFFD. */
export function wellFormed (text: string): string {
  return /\p{Surrogate}/u.test(text) ? text.replace(/\p{Surrogate}/gu, '\ufffd') : text
}
