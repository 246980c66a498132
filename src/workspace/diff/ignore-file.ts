import { matchesGlob, matchesSequence, parseGlob, type GlobPart } from './name-glob.ts'

interface Rule {
  readonly keeps: boolean
  readonly directoriesOnly: boolean
  /** Null: any number of directories. A rule without a slash holds at any depth and has one segment. */
  readonly segments: ReadonlyArray<readonly GlobPart[] | null>
  readonly anchored: boolean
}

/** The rules of one `.gitignore`, for paths relative to its directory. Its text may be hostile: the cost of a look is bounded. */
export class IgnoreFile {
  readonly #rules: readonly Rule[]

  constructor (text: string) {
    this.#rules = text.split('\n').flatMap((line) => parseRule(line.replace(/\r$/, '')) ?? [])
  }

  /** The last rule that matches decides; null: none does, and the files above are asked. */
  ignores (path: string, directory: boolean): boolean | null {
    const names = path.split('/')
    const rule = this.#rules.findLast((rule) => (directory || !rule.directoriesOnly) && matches(rule, names))
    return rule === undefined ? null : !rule.keeps
  }
}

function parseRule (line: string): Rule | null {
  const text = line.replace(/(?<!\\) +$/, '')
  if (text === '' || text.startsWith('#')) return null
  const keeps = text.startsWith('!')
  const pattern = keeps ? text.slice(1) : text
  const directoriesOnly = pattern.endsWith('/')
  const body = directoriesOnly ? pattern.slice(0, -1) : pattern
  if (body === '') return null
  const names = body.replace(/^\//, '').split('/')
  const segments = names.map((name) => name === '**' ? null : parseGlob(name))
  // `a/**` is what is in `a`, not `a` itself.
  if (names.length > 1 && names.at(-1) === '**') segments.push(parseGlob('*'))
  return { keeps, directoriesOnly, segments, anchored: body.includes('/') }
}

function matches (rule: Rule, names: readonly string[]): boolean {
  const [first] = rule.segments
  if (!rule.anchored && first !== undefined) return first === null || matchesGlob(first, names.at(-1) ?? '')
  return matchesSequence(rule.segments, names, (segment) => segment === null, (segment, name) => segment !== null && matchesGlob(segment, name))
}
