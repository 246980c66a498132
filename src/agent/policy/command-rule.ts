import type { Steps } from './steps.ts'
import { matchesTokens, type Token } from './wildcard.ts'
import { baseName, isRunner, type Word } from './words.ts'

/** How sure it is that a rule that forbids applies. */
export type Certainty = 'no' | 'maybe' | 'yes'

/**
 * A rule's `command`, taken apart. Its words are compared with those of a simple command after their quotes were taken
 * away; where one begins and ends is what the shell says, so `git status` is no beginning of `git statusx`.
 * - Without a `*` it is what the command begins with: `git log` covers `git log -3`.
 * - With a `*` the whole command must match: `*` alone stands for any number of words, within a word for any characters.
 * - `=` and a text is that text as the whole call, byte for byte, and nothing else.
 */
export type CommandRule =
  | { readonly kind: 'exact', readonly text: string }
  | { readonly kind: 'words', readonly words: readonly RuleWord[] }

interface RuleWord {
  readonly text: string
  /** Null: the word itself and no pattern. */
  readonly pattern: readonly Token[] | null
}

/** `spell` is applied to words that are compared with a command's, not to a text that is taken exactly. */
export function readCommandRule (text: string, spell = (word: string): string => word): CommandRule {
  if (text.startsWith('=')) return { kind: 'exact', text: text.slice(1) }
  const words = spell(text).split(/\s+/).filter((word) => word !== '')
  return { kind: 'words', words: words.map((text) => ({ text, pattern: text.includes('*') ? wordTokens(text) : null })) }
}

/** For a rule that allows. What the shell would expand is covered only where any words would be. */
export function coversWords (rule: readonly RuleWord[], command: readonly Word[], steps: Steps): boolean {
  const [name] = command
  // What runs other commands must be named: `* --version` is not meant for `sudo --version`.
  if (rule.length === 0 || name === undefined || (isRunner(name.text) && rule[0]?.text !== name.text)) return false
  return follow(rule, command, { isOpen: rule.every(({ pattern }) => pattern === null), forbids: false, leap: false }, steps)
}

/**
 * For a rule that forbids, given folded, as the command is: `rm` is also `/bin/rm`, `git push` also `git -C here push -f`,
 * and a `*` never narrows it to a command's end. `maybe`: what the shell expands decides.
 */
export function touchesWords (rule: readonly RuleWord[], command: readonly Word[], steps: Steps): Certainty {
  const [name, ...rest] = command
  const [first] = rule
  if (first === undefined) return 'maybe'
  if (name === undefined) return 'no'
  const base = baseName(name.text)
  if (first.pattern === null && first.text !== name.text && first.text !== base) return name.fixed ? 'no' : 'maybe'
  const spellings = [command, [{ ...name, text: base }, ...rest]]
  for (const leap of [false, true]) {
    if (spellings.some((words) => follow(rule, words, { isOpen: true, forbids: true, leap }, steps))) return leap ? 'maybe' : 'yes'
  }
  return 'no'
}

interface Following {
  /** The command may go on after the rule's last word. */
  readonly isOpen: boolean
  /** Options may stand between two words of the rule. */
  readonly forbids: boolean
  /** A word that the shell expands may become any words. */
  readonly leap: boolean
}

/** Follows all ways to lay the rule's words over the command's at once. */
function follow (rule: readonly RuleWord[], command: readonly Word[], { isOpen, forbids, leap }: Following, steps: Steps): boolean {
  let positions = withStars(rule, new Set([0]))
  for (const [index, word] of command.entries()) {
    if (isOpen && positions.has(rule.length)) return true
    const isSkipped = forbids && isOption(word, command[index - 1])
    const next = new Set<number>()
    for (const at of positions) {
      const wanted = rule[at]
      if (wanted === undefined) continue
      if (!steps.take()) return false
      if (isStar(wanted) || (at > 0 && isSkipped)) next.add(at)
      if (!isStar(wanted) && word.fixed && fits(wanted, word.text, steps)) next.add(at + 1)
      if (leap && !word.fixed) for (let to = at; to <= rule.length; to++) next.add(to)
    }
    positions = withStars(rule, next)
    if (positions.size === 0) return false
  }
  return positions.has(rule.length)
}

/** An option, or what may be the value of the one before. */
function isOption (word: Word, before: Word | undefined): boolean {
  return word.text.startsWith('-') || (before !== undefined && /^-[^=]*$/.test(before.text))
}

function fits ({ text, pattern }: RuleWord, word: string, steps: Steps): boolean {
  return pattern === null ? text === word : matchesTokens(pattern, word, steps)
}

function isStar ({ text }: RuleWord): boolean {
  return text === '*'
}

function withStars (rule: readonly RuleWord[], positions: Set<number>): Set<number> {
  for (const at of positions) if (rule[at]?.text === '*') positions.add(at + 1)
  return positions
}

function wordTokens (word: string): Token[] {
  return [...word].map((char) => char === '*' ? { kind: 'rest' } : { kind: 'char', char })
}
