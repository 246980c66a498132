import { searchLineLengthMax } from '../../limits.ts'

/** A line as it is shown: without its end, and when it is long the part around the match at `start` (UTF-16 units). */
export function excerptOf (line: string, start: number): string {
  const text = line.replace(/\r?\n$/, '').replace(/\r$/, '')
  if (text.length <= searchLineLengthMax) return text
  const from = Math.max(0, Math.min(start - Math.floor(searchLineLengthMax / 4), text.length - searchLineLengthMax))
  const to = from + searchLineLengthMax
  const cut = text.slice(from, to).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '') // no half characters
  return `${from > 0 ? '…' : ''}${cut}${to < text.length ? '…' : ''}`
}
