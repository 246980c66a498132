import { AnswerReader, type WireAnswer } from '../../src/model/answer-reader.ts'
import type { Failure } from '../../src/model/failure.ts'
import { joined, toolNames } from './call-model.ts'

export interface ReadAll {
  readonly result: WireAnswer | Failure
  readonly text: string
  readonly reasoning: string
  /** The previews of the arguments, by call. */
  readonly calls: readonly string[]
}

/** Reads a whole body that comes in these pieces. */
export function readAll (pieces: readonly Uint8Array[]): ReadAll {
  const reader = new AnswerReader(toolNames)
  const parts = pieces.flatMap((piece) => reader.feed([piece]))
  parts.push(...reader.end())
  return { result: reader.result(), text: joined(parts, 'text'), reasoning: joined(parts, 'reasoning'), calls: callTexts(parts) }
}

function callTexts (parts: ReturnType<AnswerReader['end']>): string[] {
  const texts: string[] = []
  for (const part of parts) if (part.type === 'call') texts[part.index] = (texts[part.index] ?? '') + part.text
  return texts
}

/** `bytes` in pieces that end at these places. */
export function cut (bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const places = [0, ...[...at].sort((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, position) => bytes.subarray(places[position], end))
}
