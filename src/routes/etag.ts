import type { Precondition } from '../agent/files.ts'
import { AgentError } from '../errors.ts'

/** A strong tag: the SHA-256 of the content. */
export function etagOf (sha256: string): string {
  return `"${sha256}"`
}

/** @throws AgentError invalid_request for a header that is neither `*` nor a list of tags */
export function preconditionOf (headers: { 'if-match'?: string, 'if-none-match'?: string }): Precondition {
  return { match: tagsOf('If-Match', headers['if-match'], false), noneMatch: tagsOf('If-None-Match', headers['if-none-match'], true) }
}

/** Weak tags count only where a weak comparison is asked for (RFC 9110, 13.1). */
function tagsOf (name: string, header: string | undefined, weak: boolean): readonly string[] | '*' | null {
  if (header === undefined) return null
  const text = header.trim()
  if (text === '*') return '*'
  if (!/^(W\/)?"[\x21\x23-\x7e]*"(\s*,\s*(W\/)?"[\x21\x23-\x7e]*")*$/.test(text)) {
    throw new AgentError('invalid_request', `${name} must be * or a list of ETags in double quotes.`)
  }
  return [...text.matchAll(/(W\/)?"([^"]*)"/g)].filter(([, mark]) => weak || mark === undefined).map(([, , tag]) => tag ?? '')
}
