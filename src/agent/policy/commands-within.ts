import { forEachChild, parse, type Command, type CommandArgument, type ParsedScript, type SyntaxNode, type Word as WordNode, type WordPart } from 'unbash'
import { commandNestingMax, commandReadLengthMax, commandsReadMax, wrappedWordsMax } from '../../limits.ts'
import { fold } from './glob.ts'
import { baseName, isRunner, isShell, type Word } from './words.ts'

/** What a command may run, as far as its text tells. */
export interface CommandsWithin {
  /** Folded. Some may be none: of `sudo -u me rm x` every rest is one. */
  readonly commands: ReadonlyArray<readonly Word[]>
  /** Nothing else is run by the shell itself. */
  readonly complete: boolean
}

/**
 * Every simple command anywhere in a text: in chains, substitutions, subshells, functions, here-documents, behind
 * `sudo`, `env`, `xargs` and their kind, in `bash -c '…'` and `eval`. For rules that forbid: rather too many than too few.
 * A text that cannot be parsed is taken apart at everything that could end a word.
 */
export function commandsWithin (text: string): CommandsWithin {
  const collector = new Collector()
  collector.readScript(text, 0)
  return collector
}

class Collector implements CommandsWithin {
  readonly commands: Array<readonly Word[]> = []
  complete = true

  readScript (text: string, depth: number): void {
    if (text.length > commandReadLengthMax || depth > commandNestingMax) {
      this.#readLoosely(text)
      return
    }
    try {
      this.#visit(parse(text), depth)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error // nested deeper than the stack
      this.complete = false
    }
    if (!this.complete) this.#readLoosely(text)
  }

  #visit (node: ParsedScript | SyntaxNode, depth: number): void {
    if (node.type === 'Script' && 'errors' in node && node.errors !== undefined && node.errors.length > 0) this.complete = false
    if (node.type === 'Command') this.#readCommand(node, depth)
    forEachChild(node, (child) => { this.#visit(child, depth) })
  }

  #readCommand ({ name, args, redirects }: Command, depth: number): void {
    if (name === undefined) return
    const words = [name, ...args].map(wordOf)
    this.#add(words)
    // Built-ins evaluate `a[$(…)]` in an argument, quoted or not.
    if (words.some(({ text, fixed }) => fixed && /\$\(|`/.test(text))) this.complete = false
    words.forEach(({ text }, index) => {
      if (/^--?(?:exec|execdir|ok|okdir|exec-batch)$/.test(text)) this.#add(words.slice(index + 1))
    })
    if (!isRunner(name.value)) return
    if (words.length > wrappedWordsMax) this.complete = false
    for (const [index, { text }] of words.slice(1, wrappedWordsMax).entries()) {
      this.#add(words.slice(index + 1))
      if (/[\s;&|<>()$`]/.test(text)) this.readScript(text, depth + 1)
    }
    for (const script of attachedScripts(baseName(name.value), args.slice(0, wrappedWordsMax))) this.readScript(script, depth + 1)
    if (!isShell(name.value)) return
    for (const redirect of redirects) {
      if (redirect.type === 'HereDoc') this.readScript(redirect.body.text, depth + 1)
      if (redirect.type === 'HereString' && redirect.target !== undefined) this.readScript(redirect.target.value, depth + 1)
    }
    // It reads its commands from somewhere else.
    if (words.slice(1).every(({ text }) => text.startsWith('-'))) this.complete = false
  }

  #readLoosely (text: string): void {
    this.complete = false
    const words = text.slice(0, commandReadLengthMax).replace(/\\\n|['"\\]/g, '').split(/[\s;&|<>()$`{}!=,]+/)
      .filter((word) => word !== '').map((word): Word => ({ text: word, fixed: true }))
    for (const index of words.keys()) this.#add(words.slice(index, index + wrappedWordsMax))
  }

  #add (words: readonly Word[]): void {
    if (words.length === 0) return
    if (this.commands.length < commandsReadMax) this.commands.push(words.map(({ text, fixed }) => ({ text: fold(text), fixed })))
    else this.complete = false
  }
}

/** What stands in one word with an option, `env -S'rm x'` or `--split-string=rm`, or with the name of an alias. */
function attachedScripts (name: string, args: readonly CommandArgument[]): string[] {
  const attached = name === 'alias' ? /^[^=]+=(.+)$/s : /^(?:--[\w-]+=|-[A-Za-z])(.+)$/s
  return args.flatMap((arg) => {
    if (arg.type !== 'Assignment') return attached.exec(arg.value)?.slice(1) ?? []
    return name === 'alias' && arg.value?.type === 'Word' ? [arg.value.value] : []
  })
}

function wordOf (node: CommandArgument): Word {
  if (node.type === 'Assignment') return { text: node.text, fixed: !/[$`~*?{[]/.test(node.text) }
  return { text: node.value, fixed: isFixed(node) }
}

function isFixed ({ parts, text }: WordNode): boolean {
  return !text.startsWith('~') && (parts === undefined || parts.every(isStatic))
}

function isStatic (part: WordPart): boolean {
  switch (part.type) {
    case 'Literal': case 'SingleQuoted': case 'AnsiCQuoted': return true
    case 'DoubleQuoted': case 'LocaleString': return part.parts.every(isStatic)
    case 'SimpleExpansion': case 'ParameterExpansion': case 'CommandExpansion': case 'ArithmeticExpansion': case 'ProcessSubstitution':
    case 'Glob': case 'ExtendedGlob': case 'BraceExpansion': return false
    default: return part satisfies never
  }
}
