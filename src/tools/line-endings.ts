import type { Range } from './exact-edit.ts'

/** A text with LF alone, and where each of its offsets is in the original. */
export interface UnixView { readonly text: string, origin (offset: number): number }

export function unixView (text: string): UnixView {
  const removed: number[] = [] // offsets in the view before which one more CR was left out
  let plain = ''
  let done = 0
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) {
    plain += text.slice(done, at)
    removed.push(plain.length)
    done = at + 1
  }
  plain += text.slice(done)
  return { text: plain, origin: (offset) => offset + countBelow(removed, offset) }
}

/** How many of the sorted values are less than `limit`: an offset at a line's end stays before its CR. */
function countBelow (sorted: readonly number[], limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The new text with the line endings of the place it comes to. Models send LF: each becomes the ending of the line it
 * takes the place of; more lines than before take the last one's; a place within a line, that line's. A new text that has
 * CRLF itself is taken as it is.
 */
export function adaptEndings (text: string, range: Range, newText: string): string {
  if (!newText.includes('\n') || newText.includes('\r\n')) return newText
  const replaced = endingsIn(text.slice(range.start, range.end))
  const around = endingAround(text, range)
  let index = 0
  return newText.replace(/\n/g, () => replaced[index++] ?? replaced.at(-1) ?? around)
}

function endingsIn (text: string): string[] {
  return text.match(/\r?\n/g) ?? []
}

/** Of the line that the range ends in; in the last line, of the one before. */
function endingAround (text: string, { start, end }: Range): string {
  const next = text.indexOf('\n', end)
  const at = next === -1 ? text.lastIndexOf('\n', start) : next
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n'
}
