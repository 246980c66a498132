/** One character of a glob over a name; `*` is any number of characters. */
export type GlobPart = '*' | { readonly test: (unit: string) => boolean }

/** `*`, `?`, `[a-z]`, `[!a-z]` and `\` before any of them, as git has them within a name. */
export function parseGlob (glob: string): GlobPart[] {
  const parts: GlobPart[] = []
  const units = [...glob]
  for (let index = 0; index < units.length; index++) {
    const unit = units[index] ?? ''
    if (unit === '*') {
      if (parts.at(-1) !== '*') parts.push('*')
    } else if (unit === '?') {
      parts.push({ test: () => true })
    } else if (unit === '[' && units.indexOf(']', index + 2) > 0) {
      const end = units.indexOf(']', index + 2)
      parts.push(classOf(units.slice(index + 1, end)))
      index = end
    } else {
      const wanted = unit === '\\' ? units[++index] ?? unit : unit
      parts.push({ test: (given) => given === wanted })
    }
  }
  return parts
}

function classOf (units: readonly string[]): GlobPart {
  const negated = units[0] === '!' || units[0] === '^'
  const members = negated ? units.slice(1) : units
  const ranges: Array<[string, string]> = []
  for (let index = 0; index < members.length; index++) {
    const from = members[index] ?? ''
    const to = members[index + 1] === '-' && index + 2 < members.length ? members[index += 2] ?? from : from
    ranges.push([from, to])
  }
  return { test: (given) => ranges.some(([from, to]) => given >= from && given <= to) !== negated }
}

export function matchesGlob (parts: readonly GlobPart[], name: string): boolean {
  return matchesSequence(parts, [...name], (part) => part === '*', (part, unit) => part !== '*' && part.test(unit))
}

/**
 * Whether a pattern with stars covers a sequence. Only the last star that was met is tried again, which is enough, so
 * the cost is at most the product of the lengths; an expression made of the same text could take for ever.
 */
export function matchesSequence<P, T> (pattern: readonly P[], sequence: readonly T[], isStar: (part: P) => boolean, covers: (part: P, item: T) => boolean): boolean {
  let at = 0
  let next = 0
  let star = -1
  let resumed = 0
  while (next < sequence.length) {
    const part = pattern[at]
    const item = sequence[next] as T // within its length
    if (at < pattern.length && part !== undefined && isStar(part)) {
      star = at++
      resumed = next
    } else if (at < pattern.length && part !== undefined && covers(part, item)) {
      at++
      next++
    } else if (star >= 0) {
      at = star + 1
      next = ++resumed
    } else {
      return false
    }
  }
  while (at < pattern.length && isStar(pattern[at] as P)) at++ // within its length
  return at === pattern.length
}
