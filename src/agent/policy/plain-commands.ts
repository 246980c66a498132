import { parse, type CommandNode, type PipelineNode } from 'unbash'
import { commandReadLengthMax } from '../../limits.ts'
import type { Word } from './words.ts'

const end = '(?=[ \\t\\n;|]|&&|$)'
const blank = /[ \t]+/y
const separator = /;|&&|\|\|?|\n/y
/** Nothing is written and nothing is connected to: bash opens sockets at `/dev/tcp/…`. */
const harmlessRedirect = new RegExp(`(?:[12]?>>?|&>>?)[ \\t]*/dev/null${end}|[12]?>&[12]${end}|0?<[ \\t]*(?!/dev/)[\\w./-]+${end}`, 'y')
/** A `~` and globs may stand in it: then the word is not fixed. */
const word = new RegExp(`(?:[\\w@%+=:,./^~*?{}[\\]!\\p{L}-]|(?<=\\S)#|\\\\[ -~]|'[^']*'|"(?:[^"\\\\$\`]|\\\\[^\\n])*")+${end}`, 'uy')
/** Control characters, lone surrogates, private and unassigned characters. */
const unreadable = /[^\P{C}\t\n\p{Cf}]/u
const commandName = /^[\w.+/-]+$/
const keywords = new Set('if then elif else fi for in do done while until case esac select function time coproc'.split(' '))

/**
 * The simple commands of a text, if it provably contains nothing else that acts: plain words and quotes, chained by
 * `;`, `&&`, `||`, `|` and newlines, with redirections that write nothing. Null for everything else: expansions and
 * substitutions, assignments, functions, compound commands, jobs in the background, here-documents, comments, control
 * characters. Two readers that share nothing must agree, a strict grammar and a parser of bash: allowing is decided on it.
 */
export function plainCommands (text: string): ReadonlyArray<readonly Word[]> | null {
  if (text.length > commandReadLengthMax || unreadable.test(text)) return null
  const commands = readStrictly(text)
  if (commands === null || commands.some((words) => !isPlain(words))) return null
  const parsed = parsedWords(text)
  const agree = JSON.stringify(parsed) === JSON.stringify(commands.map((words) => words.map(({ text }) => text)))
  return agree ? commands : null
}

function readStrictly (text: string): Word[][] | null {
  const commands: Word[][] = []
  let words: Word[] = []
  let mustGoOn = false // after `&&`, `||` or `|`
  for (let at = 0; at < text.length;) {
    const take = (pattern: RegExp): string | null => {
      pattern.lastIndex = at
      const [found] = pattern.exec(text) ?? []
      if (found !== undefined) at += found.length
      return found ?? null
    }
    if (take(blank) !== null || take(harmlessRedirect) !== null) continue
    const raw = take(word)
    if (raw !== null) {
      if (words.length === 0 && !commandName.test(raw)) return null
      words.push(unquoted(raw))
      continue
    }
    const operator = take(separator)
    if (operator === null) return null
    if (words.length === 0 && operator !== '\n') return null
    if (words.length > 0) {
      commands.push(words)
      words = []
      mustGoOn = operator !== ';' && operator !== '\n'
    }
  }
  if (words.length > 0) return [...commands, words]
  return mustGoOn || commands.length === 0 ? null : commands
}

function unquoted (raw: string): Word {
  let fixed = true
  const text = raw.replace(/'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|[~*?{}[\]!]/g, (all: string, single?: string, double?: string, escaped?: string) => {
    if (single !== undefined) return single
    if (double !== undefined) return double.replace(/\\([\\"$`])/g, '$1')
    if (escaped !== undefined) return escaped
    fixed = false
    return all
  })
  return { text, fixed }
}

/** Some built-ins evaluate their arguments once more: `printf -v 'a[$(id)]'`, `test -v 'a[$(id)]'`; `printf -v` also sets `PATH`. */
function isPlain (words: readonly Word[]): boolean {
  const [name, ...rest] = words.map(({ text }) => text)
  return name !== undefined && !keywords.has(name) && !rest.some((text) => /\$\(|`|\$\{|[<>]\(/.test(text)) &&
    !(name === 'printf' && rest[0]?.startsWith('-v') === true)
}

/** The words of each command as the parser sees them. Null: it sees an error or anything but simple commands. */
function parsedWords (text: string): string[][] | null {
  try {
    const script = parse(text)
    if (script.errors !== undefined && script.errors.length > 0) return null
    return script.commands.flatMap(({ command, background }) => {
      if (background === true) throw new NotPlain()
      return command.type === 'AndOr' ? command.commands.flatMap(wordsOfPipeline) : wordsOfPipeline(command)
    })
  } catch (error) {
    if (error instanceof NotPlain || error instanceof RangeError) return null
    throw error
  }
}

class NotPlain extends Error {}

function wordsOfPipeline (node: PipelineNode): string[][] {
  if (node.type !== 'Pipeline') return [wordsOf(node)]
  if (node.prefixes.length > 0 || node.operators.includes('|&')) throw new NotPlain()
  return node.commands.map(wordsOf)
}

function wordsOf (node: CommandNode): string[] {
  if (node.type !== 'Command' || node.name === undefined || node.prefix.some(({ type }) => type === 'Assignment')) throw new NotPlain()
  return [node.name, ...node.args].map((word) => word.type === 'Word' ? word.value : word.text)
}
