import { modelAnswerBytesMax } from '../limits.ts'
import { wellFormed } from './json.ts'
import { PartBatch } from './part-batch.ts'

/** The text of an answer in the making, within the bound that an answer has, and the parts that tell it. */
export class AnswerDraft {
  readonly batch = new PartBatch()
  readonly #onLimit: () => void
  #text = ''
  #reasoning = ''
  #bytes = 0
  #cut = false

  /** @param onLimit the bound is reached: nothing more is taken. @param before what was given out already */
  constructor (onLimit: () => void, before: { readonly text: string, readonly reasoning: string } = { text: '', reasoning: '' }) {
    this.#onLimit = onLimit
    this.#text = before.text
    this.#reasoning = before.reasoning
    this.#bytes = Buffer.byteLength(before.text) + Buffer.byteLength(before.reasoning)
  }

  get text (): string { return this.#text }

  get reasoning (): string { return this.#reasoning }

  /** It ended at our own bound. */
  get cut (): boolean { return this.#cut }

  get partial (): { text: string, reasoning: string } { return { text: wellFormed(this.#text), reasoning: wellFormed(this.#reasoning) } }

  addText (piece: string): void {
    const text = this.#fit(piece)
    this.#text += text
    this.batch.text(text)
  }

  addReasoning (piece: string): void {
    const text = this.#fit(piece)
    this.#reasoning += text
    this.batch.reasoning(text)
  }

  /** Counts what else belongs to the answer. */
  count (bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes >= modelAnswerBytesMax) this.stopAtLimit()
  }

  stopAtLimit (): void {
    this.#cut = true
    this.#onLimit()
  }

  /** As much of `piece` as the answer may still have. */
  #fit (piece: string): string {
    if (this.#cut) return ''
    const room = modelAnswerBytesMax - this.#bytes
    const text = piece.length > room ? piece.slice(0, room) : piece
    this.count(Buffer.byteLength(text))
    if (text.length < piece.length) this.stopAtLimit()
    return text
  }
}
