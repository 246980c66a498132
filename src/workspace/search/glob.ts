import { RE2JS } from 're2js'
import { ToolFailure } from '../../errors.ts'
import { globLengthMax } from '../../limits.ts'

/** Tells of a path below the directory that is searched, `a/b.ts`, whether it is meant. */
export type GlobMatcher = (path: string) => boolean

/**
 * A glob as .gitignore and ripgrep understand it: without a slash it matches names at any depth, with one it begins at the
 * directory that is searched; `*` and `?` stop at slashes, `**` does not, `{a,b}` and `[a-z]` are choices, a leading `!`
 * turns it round. Matching takes time in proportion to the path whatever the glob is: JavaScript's own expressions do not.
 * @throws ToolFailure invalid_arguments
 */
export function compileGlob (glob: string): GlobMatcher {
  if (glob === '' || glob.length > globLengthMax) throw invalidGlob(glob, `It must have 1 to ${globLengthMax} characters.`)
  const negated = glob.startsWith('!')
  const expression = anchored(normalGlob(negated ? glob.slice(1) : glob))
  try {
    const compiled = RE2JS.compile(`^(?:${expression})$`, RE2JS.DOTALL)
    return (path) => compiled.test(path) !== negated
  } catch {
    throw invalidGlob(glob, 'Check its brackets and braces.')
  }
}

function invalidGlob (glob: string, why: string): ToolFailure {
  return new ToolFailure('invalid_arguments', `${JSON.stringify(glob.slice(0, 100))} is no valid glob. ${why}`, 'Examples: "*.ts", "src/**/*.test.ts", "docs/*.{md,txt}".')
}

/** Without what models put before and after it: `./src/` is `src/**`. */
export function normalGlob (glob: string): string {
  const plain = glob.replace(/^(?:\/workspace\/|(?:\.\/)+)/, '')
  return plain.endsWith('/') ? `${plain}**` : plain
}

function anchored (glob: string): string {
  if (!glob.includes('/')) return `(?:.*/)?${expressionOf(glob)}`
  return expressionOf(glob.startsWith('/') ? glob.slice(1) : glob)
}

/** The regular expression, in RE2's language, of a glob that begins where it stands. */
export function expressionOf (glob: string): string {
  let expression = ''
  let depth = 0
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at] ?? ''
    if (glob.startsWith('**/', at) && startsName(glob, at)) {
      expression += '(?:.*/)?'
      at += 2
    } else if (glob.startsWith('**', at)) {
      expression += at + 2 === glob.length && glob[at - 1] === '/' ? '.+' : '.*'
      at += 1
    } else if (char === '*') {
      expression += '[^/]*'
    } else if (char === '?') {
      expression += '[^/]'
    } else if (char === '[') {
      const set = setAt(glob, at)
      expression += set?.expression ?? '\\['
      at = set?.end ?? at
    } else if (char === '{') {
      depth += 1
      expression += '(?:'
    } else if (char === '}' && depth > 0) {
      depth -= 1
      expression += ')'
    } else if (char === ',' && depth > 0) {
      expression += '|'
    } else if (char === '\\' && at + 1 < glob.length) {
      at += 1
      expression += RE2JS.quote(glob[at] ?? '')
    } else {
      expression += RE2JS.quote(char)
    }
  }
  return expression
}

function startsName (glob: string, at: number): boolean {
  return at === 0 || glob[at - 1] === '/' || glob[at - 1] === '{' || glob[at - 1] === ','
}

/** `[a-z]`, `[!a]`, `[]x]`; null where the bracket is never closed. */
function setAt (glob: string, start: number): { expression: string, end: number } | null {
  const negated = glob[start + 1] === '!' || glob[start + 1] === '^'
  const first = start + (negated ? 2 : 1)
  const end = glob.indexOf(']', first + 1)
  if (end === -1) return null
  const members = glob.slice(first, end).replace(/[\\[\]^&~|]/g, '\\$&')
  return { expression: negated ? `[^/${members}]` : `[${members}]`, end }
}
