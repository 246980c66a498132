import { createDeflate } from 'node:zlib'
import { Readable } from 'node:stream'
import type { Side } from './compare.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~'
const lineBytes = 52 // of content on each line: git's own

/** A whole content as git's `literal`: its size, then deflated in base 85, then an empty line. Memory does not grow with it. */
export async function * literal (side: Side | null): AsyncGenerator<string, void, undefined> {
  yield `literal ${side?.size ?? 0}\n`
  const deflate = Readable.from(side === null ? [] : side.bytes(), { objectMode: false }).compose(createDeflate()) as AsyncIterable<Buffer> // deflate gives buffers
  let rest = Buffer.alloc(0)
  for await (const piece of deflate) {
    const bytes = Buffer.concat([rest, piece])
    const whole = bytes.length - bytes.length % lineBytes
    const lines: string[] = []
    for (let at = 0; at < whole; at += lineBytes) lines.push(line(bytes.subarray(at, at + lineBytes)))
    rest = bytes.subarray(whole)
    if (lines.length > 0) yield lines.join('')
  }
  yield rest.length > 0 ? `${line(rest)}\n` : '\n'
}

/** `A`–`Z` say 1–26 bytes, `a`–`z` 27–52; then five characters for four bytes, the last ones filled up with zeros. */
function line (bytes: Uint8Array): string {
  const length = String.fromCharCode(bytes.length <= 26 ? 64 + bytes.length : 96 + bytes.length - 26)
  let text = length
  for (let at = 0; at < bytes.length; at += 4) {
    let word = 0
    for (let i = 0; i < 4; i++) word = word * 256 + (bytes[at + i] ?? 0)
    let group = ''
    for (let i = 0; i < 5; i++) {
      group = (alphabet[word % 85] ?? '') + group
      word = Math.floor(word / 85)
    }
    text += group
  }
  return `${text}\n`
}
