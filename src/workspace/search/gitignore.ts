import { RE2JS } from 're2js'
import { ignoreLinesMax } from '../../limits.ts'
import { expressionOf } from './glob.ts'

interface Rule { readonly matches: RE2JS, readonly keeps: boolean, readonly directoriesOnly: boolean }

/** The rules of one .gitignore, for paths relative to its directory. */
export class IgnoreFile {
  readonly #rules: Rule[]

  /** Lines that cannot be read are passed over, as git does. */
  constructor (text: string) {
    this.#rules = text.split('\n', ignoreLinesMax).flatMap((line) => ruleOf(line) ?? [])
  }

  /** The last rule that matches decides; null: none does, and the files above are asked. */
  ignores (path: string, directory: boolean): boolean | null {
    const rule = this.#rules.findLast(({ matches, directoriesOnly }) => (directory || !directoriesOnly) && matches.test(path))
    return rule === undefined ? null : !rule.keeps
  }
}

function ruleOf (line: string): Rule | null {
  const text = line.replace(/\r$/, '').replace(/(?<!\\)\s+$/, '')
  if (text === '' || text.startsWith('#')) return null
  const keeps = text.startsWith('!')
  const glob = keeps ? text.slice(1) : text
  const directoriesOnly = glob.endsWith('/')
  const name = directoriesOnly ? glob.slice(0, -1) : glob
  const expression = name.includes('/') ? expressionOf(name.replace(/^\//, '')) : `(?:.*/)?${expressionOf(name)}`
  try {
    return { matches: RE2JS.compile(`^(?:${expression})$`, RE2JS.DOTALL), keeps, directoriesOnly }
  } catch {
    return null
  }
}
