import { ripgrepLineBytesMax } from '../../limits.ts'
import { excerptOf } from './excerpt.ts'
import type { FoundLine } from './file-search.ts'

/** A text in ripgrep's JSON: base64 where it is no UTF-8. */
interface Data { readonly text?: string, readonly bytes?: string }

interface Message {
  readonly type: 'begin' | 'match' | 'context' | 'end' | 'summary'
  readonly data: {
    readonly path?: Data | null
    readonly lines?: Data
    readonly line_number?: number | null
    readonly submatches?: ReadonlyArray<{ readonly start: number }>
    readonly binary_offset?: number | null
  }
}

export interface FileMatches { readonly path: string, readonly lines: FoundLine[] }

/** Takes ripgrep's JSON as it comes, and keeps what is shown of it. Files that turn out to be binary are dropped. */
export class RipgrepReader {
  readonly files: FileMatches[] = []
  matches = 0
  /** Something that ripgrep says when it could begin. */
  started = false
  readonly #accepts: (path: string) => boolean
  readonly #limit: number
  #current: FileMatches | null = null
  #partial: Buffer[] = []
  #partialBytes = 0

  /** `accepts` is asked for each path; no more than `limit` matching lines are kept. */
  constructor (accepts: (path: string) => boolean, limit: number) {
    this.#accepts = accepts
    this.#limit = limit
  }

  get isFull (): boolean { return this.matches > this.#limit }

  add (chunk: Buffer): void {
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, end))
      this.#line(this.#partialBytes > ripgrepLineBytesMax ? null : Buffer.concat(this.#partial).toString())
      this.#partial = []
      this.#partialBytes = 0
      from = end + 1
    }
    this.#keep(chunk.subarray(from))
  }

  /** When nothing more comes: a file that was not read to its end counts as far as it was. */
  finish (): void {
    if (this.#current !== null && this.#current.lines.length > 0) this.files.push(this.#current)
    this.#current = null
  }

  #keep (piece: Buffer): void {
    this.#partialBytes += piece.length
    if (this.#partialBytes <= ripgrepLineBytesMax) this.#partial.push(Buffer.from(piece))
  }

  /** Null: a message that is too large to be kept, a line of megabytes. */
  #line (text: string | null): void {
    this.started = true
    if (text === null || text === '' || this.isFull) return
    const { type: kind, data } = JSON.parse(text) as Message // ripgrep's own words
    switch (kind) {
      case 'begin': {
        const path = textOf(data.path).replace(/^\.\//, '')
        this.#current = this.#accepts(path) ? { path, lines: [] } : null
        break
      }
      case 'match':
      case 'context':
        this.#add(data, kind === 'match')
        break
      case 'end':
        this.#end((data.binary_offset ?? null) !== null)
        break
      case 'summary': break
      default: kind satisfies never
    }
  }

  #add (data: Message['data'], isMatch: boolean): void {
    if (this.#current === null) return
    if (isMatch) this.matches += 1
    if (this.isFull) return
    const line = bytesOf(data.lines)
    const start = line.subarray(0, data.submatches?.[0]?.start ?? 0).toString().length
    this.#current.lines.push({ number: data.line_number ?? 0, text: excerptOf(line.toString(), start), isMatch })
  }

  #end (binary: boolean): void {
    if (this.#current === null) return
    if (binary) this.matches -= this.#current.lines.filter(({ isMatch }) => isMatch).length
    else if (this.#current.lines.length > 0) this.files.push(this.#current)
    this.#current = null
  }
}

function bytesOf (data: Data | null | undefined): Buffer {
  return data?.bytes === undefined ? Buffer.from(data?.text ?? '') : Buffer.from(data.bytes, 'base64')
}

function textOf (data: Data | null | undefined): string {
  return bytesOf(data).toString()
}
