import { waitMsMax } from '../limits.ts'

/** What a client would rather have (RFC 7240). */
export interface Preferences {
  readonly respondAsync: boolean
  /** How long the answer may take, ms, at most `limits.waitMsMax`; null: as long as it takes. */
  readonly waitMs: number | null
}

/** Reads `Prefer`; the first of a repeated preference counts, and what is unknown or malformed is ignored. */
export function readPrefer (header: string | undefined): Preferences {
  let respondAsync = false
  let waitMs: number | null = null
  for (const preference of (header ?? '').split(',')) {
    const token = (preference.split(';')[0] ?? '').trim().toLowerCase()
    if (token === 'respond-async') respondAsync = true
    const seconds = /^wait\s*=\s*"?(\d{1,9})"?$/.exec(token)?.[1]
    if (seconds !== undefined) waitMs ??= Math.min(Number(seconds) * 1000, waitMsMax)
  }
  return { respondAsync, waitMs }
}

/** `Preference-Applied`; null: nothing was asked for. */
export function preferenceApplied ({ respondAsync, waitMs }: Preferences): string | null {
  if (waitMs !== null) return `wait=${waitMs / 1000}`
  return respondAsync ? 'respond-async' : null
}
