import { setImmediate as turn } from 'node:timers/promises'
import * as limits from '../../limits.ts'

/** The greatest id of one index that is `<= id`. */
export type Seek = (id: string) => string | null

/**
 * The greatest ids that all indexes have, `<= from`, descending. Each index in turn jumps to the others' last id,
 * so the cost follows the rarest of them and not the size of the store.
 */
export async function findMatching (seeks: readonly Seek[], from: string, limit: number): Promise<string[]> {
  const found: string[] = []
  let candidate = from
  let agreeing = 0
  for (let i = 0; ; i++) {
    if (i > 0 && i % limits.seeksPerSlice === 0) await turn()
    const id = seeks[i % seeks.length]?.(candidate) ?? null
    if (id === null) return found
    agreeing = id === candidate ? agreeing + 1 : 1
    candidate = id
    if (agreeing < seeks.length) continue
    found.push(id)
    if (found.length === limit) return found
    candidate = before(id)
    agreeing = 0
  }
}

/** An id that sorts right below `id`: ids are ASCII, so nothing lies between them. */
export function before (id: string): string {
  return id.slice(0, -1) + String.fromCharCode(id.charCodeAt(id.length - 1) - 1) + '\u{10FFFF}'
}
