import { createHash, timingSafeEqual } from 'node:crypto'
import { scopes, type Caller, type Scope } from '../../agent/caller.ts'
import { apiKeyLengthMin, apiKeysMax } from '../../limits.ts'

/** An API key as the server keeps it: never the key itself. */
export interface ApiKey {
  readonly digest: Buffer
  readonly caller: Caller
}

const namePattern = /^[A-Za-z0-9_.-]{1,64}(\/[A-Za-z0-9_.-]{1,64})?$/

export function digestOf (key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest()
}

/**
 * Reads entries `key`, `name:key` and `name:scopes:key`, separated by commas or lines; `#` starts a comment line.
 * A key may be given as `sha256=HEX`. Faults name the entry by its place, never by its text.
 */
export function parseKeys (text: string): { keys: ApiKey[], faults: string[] } {
  const keys: ApiKey[] = []
  const faults: string[] = []
  const entries = text.split(/\r?\n/).filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split(',')).map((entry) => entry.trim()).filter((entry) => entry !== '')
  if (entries.length > apiKeysMax) return { keys, faults: [`has more than ${apiKeysMax} entries`] }
  for (const [index, entry] of entries.entries()) {
    const parsed = parseEntry(entry)
    if (typeof parsed === 'string') faults.push(`entry ${index + 1} ${parsed}`)
    else if (keys.some((key) => key.digest.equals(parsed.digest))) faults.push(`entry ${index + 1} repeats a key`)
    else keys.push(parsed)
  }
  return { keys, faults }
}

function parseEntry (entry: string): ApiKey | string {
  const fields = entry.split(':')
  if (fields.length > 3) return 'has more than three fields; allowed: key, name:key, name:scopes:key'
  const key = fields.at(-1) ?? ''
  const name = fields.length > 1 ? fields[0] ?? '' : null
  if (name !== null && !namePattern.test(name)) return 'has a name that is not allowed; use letters, digits, _ . - and at most one / after a team'
  const granted = fields.length === 3 ? parseScopes(fields[1] ?? '') : new Set(scopes)
  if (granted === null) return `has an unknown scope; allowed: ${scopes.join(', ')}, joined by +`
  const digest = parseDigest(key)
  return typeof digest === 'string' ? digest : { digest, caller: { name, keyId: digest.toString('hex', 0, 8), scopes: granted } }
}

function parseScopes (text: string): ReadonlySet<Scope> | null {
  const granted = new Set<Scope>()
  for (const word of text.split('+')) {
    const scope = scopes.find((known) => known === word)
    if (scope === undefined) return null
    granted.add(scope)
  }
  return granted
}

function parseDigest (key: string): Buffer | string {
  if (key.startsWith('sha256=')) {
    const hex = key.slice('sha256='.length)
    return /^[0-9a-f]{64}$/i.test(hex) ? Buffer.from(hex, 'hex') : 'has a sha256= that is not 64 hex digits'
  }
  if (!/^[\x21-\x7e]+$/.test(key)) return 'has a key with characters that a header cannot carry, or none'
  return key.length < apiKeyLengthMin ? `has a key shorter than ${apiKeyLengthMin} characters` : digestOf(key)
}

/** Finds whose key it is. The time it takes tells nothing of the keys: digests are compared, and all of them. */
export function findCaller (keys: readonly ApiKey[], key: string): Caller | null {
  const digest = digestOf(key)
  let found: Caller | null = null
  for (const candidate of keys) if (timingSafeEqual(candidate.digest, digest)) found = candidate.caller
  return found
}
