import { modelDetailLengthMax } from '../limits.ts'

/**
 * What a provider says, fit for errors, logs and clients: without keys, on one line, at most
 * `modelDetailLengthMax` units. Providers echo keys, and whole request headers.
 */
export function presentable (text: string, key: string | null): string {
  let clean = text
  if (key !== null && key !== '') clean = clean.replaceAll(key, '[key]')
  clean = clean
    .replace(/\bBearer\s+[^\s"',}]+/gi, 'Bearer [key]')
    .replace(/\b(?:sk|gsk|xai|pk|AIza)[-_A-Za-z0-9]{16,}/g, '[key]')
    // Control, format and surrogate characters: nothing of them belongs into a line for people.
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .trim()
  return clean.length > modelDetailLengthMax ? `${clean.slice(0, modelDetailLengthMax - 1).trimEnd()}…` : clean
}
