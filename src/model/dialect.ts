import type { Failure } from './failure.ts'
import type { ModelAnswer, ModelPart, ModelRequest } from './model.ts'

/** Reads the bytes of one answer. Pure: what it makes depends on the bytes alone, not on where they were cut. */
export interface Reader<W> {
  /** Nothing more is wanted: the end mark or an error was read, or a bound was reached. */
  readonly ended: boolean
  /** A finish reason was read: what may still come is usage and the end mark. */
  readonly finishing: boolean
  /** Parts were given out. */
  readonly begun: boolean
  readonly partial: { readonly text: string, readonly reasoning: string }
  /** Reads what one network read brought. */
  feed (chunks: readonly Uint8Array[]): readonly ModelPart[]
  /** The body has ended, or the caller wants no more of it. The last parts, if any were held back. */
  end (): readonly ModelPart[]
  /** After `end`: the answer, or why there is none. */
  result (): W | Failure
}

/** How one kind of API is spoken. Effects, retries and time are the same for all of them: `HttpModel`. */
export interface Dialect<W> {
  /** Appended to the base URL. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The header that carries the key. */
  keyHeader (apiKey: string): Readonly<Record<string, string>>
  /** The body of a streaming request. A longer conversation only appends to it. */
  render (request: ModelRequest): string
  reader (tools: readonly string[]): Reader<W>
  answer (wire: W): Omit<ModelAnswer, 'model'>
  /** The provider stopped in mid-turn and wants the same again with what it said so far; null: the answer is whole. */
  goOn? (request: ModelRequest, wire: W): { readonly body: string, readonly reader: Reader<W> } | null
}
