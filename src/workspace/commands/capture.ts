import { captureEndBytes } from '../../limits.ts'

/** What is kept of a stream: its beginning and its end. */
export interface Captured {
  readonly head: Buffer
  /** Follows `head` directly when nothing is omitted. */
  readonly tail: Buffer
  /** All that came. */
  readonly bytes: number
  /** Left out between `head` and `tail`. */
  readonly omitted: number
}

/** Keeps the first and the last `endBytes` of a stream; memory does not grow with it. */
export class Capture {
  readonly #endBytes: number
  readonly #head: Buffer[] = []
  #headBytes = 0
  #tail: Buffer[] = []
  #tailBytes = 0
  #bytes = 0

  constructor (endBytes: number = captureEndBytes) {
    this.#endBytes = endBytes
  }

  get bytes (): number { return this.#bytes }

  add (chunk: Buffer): void {
    this.#bytes += chunk.length
    const forHead = Math.min(chunk.length, this.#endBytes - this.#headBytes)
    if (forHead > 0) {
      this.#head.push(Buffer.from(chunk.subarray(0, forHead))) // a copy: the chunk may be part of a large pool
      this.#headBytes += forHead
    }
    if (forHead < chunk.length) this.#addToTail(chunk.subarray(Math.max(forHead, chunk.length - this.#endBytes)))
  }

  result (): Captured {
    const all = Buffer.concat(this.#tail)
    const tail = all.subarray(Math.max(0, all.length - this.#endBytes))
    return { head: Buffer.concat(this.#head), tail, bytes: this.#bytes, omitted: this.#bytes - this.#headBytes - tail.length }
  }

  /** Pieces pile up to twice what is kept and are then made one, so that many small chunks cost little. */
  #addToTail (piece: Buffer): void {
    this.#tail.push(Buffer.from(piece))
    this.#tailBytes += piece.length
    if (this.#tailBytes <= 2 * this.#endBytes && this.#tail.length < 1_000) return
    const all = Buffer.concat(this.#tail)
    this.#tail = [all.subarray(Math.max(0, all.length - this.#endBytes))]
    this.#tailBytes = Math.min(all.length, this.#endBytes)
  }
}
