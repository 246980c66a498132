import { editBytesMax, replacementsMax } from '../limits.ts'
import { adaptEndings, unixView } from './line-endings.ts'

export interface Edit { readonly oldText: string, readonly newText: string, readonly replaceAll?: boolean }

/** Where an edit applies: UTF-16 offsets into the text. */
export interface Range { readonly start: number, readonly end: number }

export type EditOutcome =
  | { readonly kind: 'applied', readonly text: string, readonly lines: readonly number[] }
  | { readonly kind: 'missing' }
  | { readonly kind: 'ambiguous', readonly lines: readonly number[] }
  | { readonly kind: 'same' }
  | { readonly kind: 'too_large' }

/**
 * Replaces `oldText`, exact but for line endings: LF in it matches CRLF in the text, and what comes in keeps the
 * endings of what it replaces. It must be there once, or at least once with `replaceAll`. `lines` count from 1.
 */
export function applyEdit (text: string, edit: Edit): EditOutcome {
  // `aa` is in `aaa` twice, though only one of them could be replaced: it is not unique.
  const { ranges, exact } = findAll(text, edit.oldText, edit.replaceAll !== true)
  if (ranges.length === 0) return { kind: 'missing' }
  if (edit.replaceAll !== true && ranges.length > 1) return { kind: 'ambiguous', lines: linesAt(text, ranges) }
  if (ranges.length > replacementsMax || ranges.length * edit.newText.length > editBytesMax) return { kind: 'too_large' }
  const newText = exact ? edit.newText : edit.newText.replaceAll('\r\n', '\n')
  let result = ''
  let done = 0
  for (const range of ranges) {
    result += text.slice(done, range.start) + adaptEndings(text, range, newText)
    done = range.end
  }
  result += text.slice(done)
  return result === text ? { kind: 'same' } : { kind: 'applied', text: result, lines: linesAt(text, ranges) }
}

/**
 * Places of `wanted`, in order, no more than one over `replacementsMax`. Where the text has CRLF, an LF stands for either
 * ending, so that no match begins within a CRLF; a `wanted` with CRLF is looked for as it is first.
 */
function findAll (text: string, wanted: string, overlapping: boolean): { ranges: Range[], exact: boolean } {
  const wantsCrlf = wanted.includes('\r\n')
  if (wantsCrlf || !wanted.includes('\n') || !text.includes('\r\n')) {
    const ranges = occurrences(text, wanted, overlapping).map((start) => ({ start, end: start + wanted.length }))
    if (ranges.length > 0 || !wantsCrlf) return { ranges, exact: true }
  }
  const view = unixView(text)
  const plain = wanted.replaceAll('\r\n', '\n')
  const found = occurrences(view.text, plain, overlapping)
  return { ranges: found.map((start) => ({ start: view.origin(start), end: view.origin(start + plain.length) })), exact: false }
}

function occurrences (text: string, wanted: string, overlapping: boolean): number[] {
  const starts: number[] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + (overlapping ? 1 : wanted.length))) {
    starts.push(at)
    if (starts.length > replacementsMax) break
  }
  return starts
}

function linesAt (text: string, ranges: readonly Range[]): number[] {
  const lines: number[] = []
  let line = 1
  let counted = 0
  for (const { start } of ranges) {
    for (let at = text.indexOf('\n', counted); at !== -1 && at < start; at = text.indexOf('\n', at + 1)) line++
    counted = start
    lines.push(line)
  }
  return lines
}
