import { binaryShare } from '../limits.ts'
import type { Captured } from '../workspace/commands/capture.ts'
import { cleanOutput } from './clean-output.ts'
import { cutText } from './preview.ts'

export interface ShownOutput {
  readonly text: string
  /** Bytes of the stream that are not in `text`, but for what was cleaned away. */
  readonly omitted: number
  readonly binary: boolean
}

/** What a reader is shown of a stream: both ends, at most `max` UTF-16 units of text, and in words what is missing between them. */
export function shownOutput (captured: Captured, max: number): ShownOutput {
  const { head, tail, bytes, omitted } = captured
  // Decoded as one where nothing is missing between them: a character may lie across.
  const parts = omitted === 0 ? [decode(Buffer.concat([head, tail]))] : [decode(wholeAtEnd(head)), decode(wholeAtStart(tail))]
  if (isBinary(parts.join(''))) return { text: `[${bytes} bytes that are no text]`, omitted: bytes, binary: true }
  const [first = '', last] = parts.map(cleanOutput)
  if (last === undefined && first.length <= max) return { text: first, omitted: 0, binary: false }
  const begin = headOf(first, Math.ceil(max / 2))
  const end = tailOf(last ?? first, Math.floor(max / 2))
  const middle = first.length + (last?.length ?? 0) - begin.length - end.length
  const missing = omitted + (last === undefined ? Buffer.byteLength(first.slice(begin.length, first.length - end.length)) : middle)
  return { text: `${begin}\n[… ${missing} bytes left out …]\n${end}`, omitted: missing, binary: false }
}

function decode (bytes: Buffer): string {
  return bytes.toString()
}

/** Ends with a line where one ends near. */
function headOf (text: string, max: number): string {
  const cut = cutText(text, max)
  const line = cut.lastIndexOf('\n')
  return line > cut.length / 2 ? cut.slice(0, line) : cut
}

function tailOf (text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(text.length - max).replace(/^[\udc00-\udfff]/, '')
  const line = cut.indexOf('\n')
  return line !== -1 && line < cut.length / 2 ? cut.slice(line + 1) : cut
}

/** Without the beginning of a character or of an escape sequence whose rest is missing. */
function wholeAtEnd (bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && bytes.length - end < 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--
  const lead = bytes[end - 1] ?? 0
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return end > 0 && bytes.length - end + 1 < length ? bytes.subarray(0, end - 1) : bytes
}

function wholeAtStart (bytes: Buffer): Buffer {
  let start = 0
  while (start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return bytes.subarray(start)
}

/** Bytes that are no UTF-8, and control characters that no text has, beyond a share. */
function isBinary (text: string): boolean {
  // eslint-disable-next-line no-control-regex -- those of terminals (escape, backspace, bell, carriage return) are text
  const odd = text.match(/[\ufffd\0-\x06\x0e-\x1a\x1c-\x1f]/g)?.length ?? 0
  return odd > text.length * binaryShare
}
