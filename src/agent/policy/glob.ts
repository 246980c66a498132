import { globAlternativesMax, ruleTextLengthMax } from '../../limits.ts'
import type { Steps } from './steps.ts'
import { canMatchAfter, matchesTokens, type Token } from './wildcard.ts'

/** A glob that has been read: `text` matches one of the alternatives. */
export type Glob = ReadonlyArray<readonly Token[]>

/**
 * Reads a glob over names or paths: `*` and `?` within a name, `[a-z]` and `[!a-z]`, `{a,b}`, and a name `**` for any
 * number of folders (at the end: for everything inside, not for the folder itself; `a/` is `a/**`). `\` takes a
 * character as it is. Names that begin with a dot are names like any other.
 * @returns null for what it does not read: `..`, `+(…)` and its kind, `[[:alpha:]]`, `{1..9}`, too many alternatives.
 *   A rule with such a glob must be taken to forbid everything, or to allow nothing.
 */
export function readGlob (pattern: string): Glob | null {
  const bare = pattern.replace(/\\[^]/g, '')
  if (pattern.length > ruleTextLengthMax || bare.split('{').length > globAlternativesMax) return null
  if (/[?*+@!]\(|\[:|\{[^,{}]*\.\.[^,{}]*\}/.test(bare)) return null
  const alternatives = expandBraces(pattern)?.map(normalisePattern)
  if (alternatives === undefined || alternatives.some((names) => names.includes('..'))) return null
  return alternatives.map(tokensOf)
}

export function matchesGlob (glob: Glob, text: string, steps: Steps): boolean {
  return glob.some((tokens) => matchesTokens(tokens, text, steps))
}

/** Whether the glob matches something inside `folder`. */
export function matchesInside (glob: Glob, folder: string, steps: Steps): boolean {
  return glob.some((tokens) => canMatchAfter(tokens, folder === '' ? '' : `${folder}/`, steps))
}

/** A glob that matches `text` alone. */
export function literalGlob (text: string): string {
  return text === '' ? '.' : text.replace(/[\\*?[\]{}(),!+@|]/g, '\\$&')
}

/** How a rule that forbids sees names: macOS holds `.GIT`, `.git` and either form of `é` for the same. Idempotent. */
export function fold (text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

/** The names of a pattern without what only says where it starts. */
function normalisePattern (pattern: string): string[] {
  const inside = pattern.replace(/^\/workspace(?=\/|$)/, '')
  const names = inside.split('/').filter((name) => name !== '' && name !== '.')
  return inside.endsWith('/') && names.length > 0 ? [...names, '**'] : names
}

/** `a{b,c}` is `ab` and `ac`. Null: too many. */
function expandBraces (pattern: string): string[] | null {
  const group = firstGroup(pattern)
  if (group === null) return [pattern]
  const expanded: string[] = []
  for (const choice of group.choices) {
    const more = expandBraces(`${group.before}${choice}${group.after}`)
    if (more === null || expanded.push(...more) > globAlternativesMax) return null
  }
  return expanded
}

function firstGroup (pattern: string): { before: string, choices: string[], after: string } | null {
  for (let open = 0; open < pattern.length; open++) {
    if (pattern[open] === '\\') open++
    else if (pattern[open] === '{') {
      const group = groupAt(pattern, open)
      if (group !== null) return group
    }
  }
  return null
}

/** Null: what begins at `open` does not end, or has no comma: it stands for itself. */
function groupAt (pattern: string, open: number): { before: string, choices: string[], after: string } | null {
  const cuts = [open]
  for (let at = open + 1, depth = 0; at < pattern.length; at++) {
    const char = pattern[at]
    if (char === '\\') at++
    else if (char === '{') depth++
    else if (char === ',' && depth === 0) cuts.push(at)
    else if (char === '}' && depth-- === 0) {
      if (cuts.length === 1) return null
      const ends = [...cuts.slice(1), at]
      return { before: pattern.slice(0, open), choices: cuts.map((cut, index) => pattern.slice(cut + 1, ends[index])), after: pattern.slice(at + 1) }
    }
  }
  return null
}

function tokensOf (names: readonly string[]): Token[] {
  return names.flatMap((name, index) => {
    const isLast = index === names.length - 1
    if (name === '**') return [{ kind: isLast ? 'rest' : 'folders' } as const]
    return isLast ? nameTokens(name) : [...nameTokens(name), { kind: 'char', char: '/' } as const]
  })
}

function nameTokens (name: string): Token[] {
  const tokens: Token[] = []
  for (const [, escaped, set, plain] of name.matchAll(/\\(.)|\[([!^]?\]?[^\]]*)\]|([^])/gu)) {
    if (escaped !== undefined) tokens.push({ kind: 'char', char: escaped })
    else if (set !== undefined) tokens.push(classToken(set))
    else if (plain === '*') tokens.push({ kind: 'name' })
    else if (plain === '?') tokens.push({ kind: 'one' })
    else tokens.push({ kind: 'char', char: plain ?? '' })
  }
  return tokens
}

function classToken (set: string): Token {
  const negated = /^[!^]/.test(set)
  const ranges = [...(negated ? set.slice(1) : set).matchAll(/\\?([^])(?:-\\?([^]))?/gu)]
    .map(([, from = '', to = from]): readonly [string, string] => [from, to])
  return { kind: 'class', negated, ranges }
}
