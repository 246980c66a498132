import { nearNamesConsidered } from '../limits.ts'

/** The candidates that resemble `wanted`, best first: same but for case, Unicode form or separators, then few edits away. */
export function nearest (wanted: string, candidates: readonly string[], limit: number): string[] {
  const plain = fold(wanted)
  const farthest = plain.length < 3 ? 0 : Math.max(1, Math.floor(plain.length * 0.4)) // every letter is near every other
  const scored = candidates.slice(0, nearNamesConsidered).map((name) => ({ name, distance: score(plain, fold(name)) }))
  return scored
    .filter(({ name, distance }) => name !== wanted && distance <= farthest)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name)
}

function fold (name: string): string {
  return name.normalize('NFC').toLowerCase().replace(/[-_. ]+/g, '_')
}

/** Letters in another order count as near, and a name that begins with the whole other one: `config` for `config.json`. */
function score (a: string, b: string): number {
  if (a === b) return 0
  if (b.startsWith(`${a}_`) || [...a].sort().join('') === [...b].sort().join('')) return 1
  return editDistance(a, b)
}

/** Levenshtein distance in UTF-16 units. Cost: the product of the lengths, so callers bound them. */
export function editDistance (a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
