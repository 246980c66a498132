import type { Steps } from './steps.ts'

/** One position of a pattern. A text is compared in time proportional to its length and that of the pattern. */
export type Token =
  | { readonly kind: 'char', readonly char: string }
  | { readonly kind: 'class', readonly negated: boolean, readonly ranges: ReadonlyArray<readonly [string, string]> }
  /** `?`: one character but `/`. */
  | { readonly kind: 'one' }
  /** `*`: any number of characters but `/`. */
  | { readonly kind: 'name' }
  /** `**` before a `/`: any number of whole folders. */
  | { readonly kind: 'folders' }
  /** `**` at the end: all the rest. */
  | { readonly kind: 'rest' }

export function matchesTokens (tokens: readonly Token[], text: string, steps: Steps): boolean {
  return reach(tokens, text, steps).has(tokens.length)
}

/** Whether some text that begins with `start` matches. */
export function canMatchAfter (tokens: readonly Token[], start: string, steps: Steps): boolean {
  return reach(tokens, start, steps).size > 0
}

/** The positions of the pattern where `text` may end. All are followed at once: a regular expression could try each way in turn, for ever. */
function reach (tokens: readonly Token[], text: string, steps: Steps): ReadonlySet<number> {
  let positions = withSkips(tokens, new Set([0]), true)
  for (const char of text) {
    const next = new Set<number>()
    for (const at of positions) {
      if (!steps.take()) return new Set()
      const token = tokens[at]
      if (token !== undefined && takes(token, char)) next.add(repeats(token) ? at : at + 1)
    }
    positions = withSkips(tokens, next, char === '/')
    if (positions.size === 0) break
  }
  return positions
}

/** Adds what follows tokens that may stand for nothing. */
function withSkips (tokens: readonly Token[], positions: Set<number>, atNameStart: boolean): Set<number> {
  for (const at of positions) { // a set's iteration reaches what is added meanwhile
    const token = tokens[at]
    if (token !== undefined && repeats(token) && (token.kind !== 'folders' || atNameStart)) positions.add(at + 1)
  }
  return positions
}

function repeats (token: Token): boolean {
  return token.kind === 'name' || token.kind === 'folders' || token.kind === 'rest'
}

function takes (token: Token, char: string): boolean {
  switch (token.kind) {
    case 'char': return token.char === char
    case 'class': return char !== '/' && token.negated !== token.ranges.some(([from, to]) => from <= char && char <= to)
    case 'one': case 'name': return char !== '/'
    case 'folders': case 'rest': return true
    default: return token satisfies never
  }
}
