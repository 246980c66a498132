import { nearLineLengthMax, nearLinesConsidered, nearTextShown, nearWorkMax } from '../limits.ts'
import { editDistance } from '../workspace/near-names.ts'
import { cutText } from './preview.ts'

/** A number and what separates it from a line, as tools that number lines show it. */
const numberPrefix = /^[ \t]*\d+(?:\t|: ?|→| ?\| ?)/

/**
 * Why `oldText` is not in the text, as far as can be told: the nearest place and how it differs.
 * One or two sentences for the model.
 */
export function explainNoMatch (text: string, oldText: string, newText: string): string {
  const wanted = linesOf(oldText)
  if (newText.trim() !== '' && newText.length > 3 && text.includes(newText)) {
    return 'The new text is there already: perhaps the edit has been made.'
  }
  if (wanted.every((line) => line.trim() === '' || numberPrefix.test(line))) {
    const bare = wanted.map((line) => line.replace(numberPrefix, '')).join('\n')
    if (bare !== '' && linesOf(text).join('\n').includes(bare)) return 'Its lines begin with line number prefixes; leave them out.'
  }
  const lines = linesOf(text).slice(0, nearLinesConsidered)
  for (const [fold, how] of foldings) {
    const at = findLines(lines.map(fold), wanted.map(fold))
    if (at !== -1) return `${how(lines.slice(at, at + wanted.length).join('\n'), oldText)} ${quoteLines(lines, at, wanted.length)}`
  }
  const near = nearestLine(lines, wanted)
  return near === -1 ? 'Nothing in the file is like it.' : `The nearest place is this. ${quoteLines(lines, near, wanted.length)}`
}

type Folding = readonly [(line: string) => string, (found: string, wanted: string) => string]

const foldings: readonly Folding[] = [
  [(line) => line.replace(/[ \t]+$/, ''), () => 'It differs in whitespace at line ends.'],
  [(line) => line.trim().replace(/\s+/g, ' '), whitespaceDifference],
  [(line) => plainCharacters(line), () => 'It differs in characters that look alike (quotes, dashes, spaces, composed letters).'],
  [(line) => plainCharacters(line).toLowerCase(), () => 'It differs in upper and lower case.']
]

function whitespaceDifference (found: string, wanted: string): string {
  if (/^\t/m.test(found) && !/^\t/m.test(wanted)) return 'It differs in whitespace: the file is indented with tabs.'
  if (/^\t/m.test(wanted) && !/^\t/m.test(found)) return 'It differs in whitespace: the file is indented with spaces, not tabs.'
  return 'It differs in whitespace or indentation.'
}

function plainCharacters (line: string): string {
  return line.normalize('NFKC')
    .replace(/[\u2018\u2019\u201a\u2032]/g, '\'')
    .replace(/[\u201c\u201d\u201e\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .trim().replace(/\s+/g, ' ')
}

function linesOf (text: string): string[] {
  return text.replace(/\r?\n$/, '').split(/\r?\n/)
}

/** Where all of `wanted` follow each other; -1 for nowhere, and when there is nothing to go by. */
function findLines (lines: readonly string[], wanted: readonly string[]): number {
  const first = wanted.findIndex((line) => line !== '')
  if (first === -1) return -1
  for (let at = lines.indexOf(wanted[first] ?? '', first); at !== -1; at = lines.indexOf(wanted[first] ?? '', at + 1)) {
    const start = at - first
    if (wanted.every((line, index) => matches(lines[start + index], line, index, wanted.length))) return start
  }
  // Part of one line: the only case in which lines need not be equal.
  return wanted.length === 1 ? lines.findIndex((line) => line.includes(wanted[0] ?? '')) : -1
}

/** The first and last line of what is wanted may be parts of theirs. */
function matches (line: string | undefined, wanted: string, index: number, count: number): boolean {
  if (line === undefined) return false
  if (index === count - 1) return line.startsWith(wanted)
  return index === 0 ? line.endsWith(wanted) : line === wanted
}

/** The line most like the longest of those wanted, moved up to where the first of them would be; -1: none is like it. */
function nearestLine (lines: readonly string[], wanted: readonly string[]): number {
  const longest = wanted.reduce((best, line, index) => line.trim().length > (wanted[best] ?? '').trim().length ? index : best, 0)
  const goal = (wanted[longest] ?? '').trim().slice(0, nearLineLengthMax)
  if (goal === '') return -1
  let best = -1
  let bestDistance = Math.ceil(goal.length * 0.5)
  let work = 0
  for (const [index, line] of lines.entries()) {
    const candidate = line.trim().slice(0, nearLineLengthMax)
    if (candidate === '' || work > nearWorkMax || Math.abs(candidate.length - goal.length) >= bestDistance) continue
    work += goal.length * candidate.length
    const distance = editDistance(goal, candidate)
    if (distance < bestDistance) {
      best = index
      bestDistance = distance
    }
  }
  return best === -1 ? -1 : Math.max(0, best - longest)
}

function quoteLines (lines: readonly string[], start: number, count: number): string {
  const found = lines.slice(start, start + count).join('\n')
  const shown = cutText(found, nearTextShown)
  return `At line ${start + 1} the file has: ${JSON.stringify(shown)}${shown.length < found.length ? ' (cut)' : ''}.`
}
