import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { RawReply } from '../support/model-server/model-server.ts'

export interface StreamCase {
  readonly id: string
  readonly title: string
  readonly input: RawReply & { readonly kind: string, readonly config?: { readonly idle_timeout_ms?: number } }
  readonly expect: Expectation & { readonly any_of?: readonly Expectation[], readonly max_ms?: number }
}

export interface Expectation {
  readonly outcome: 'ok' | 'error'
  readonly text?: string
  readonly reasoning?: string
  readonly partial_text?: string
  readonly finish?: string
  readonly usage?: { readonly input: number, readonly output: number }
  readonly tool_calls?: ReadonlyArray<{ readonly id: string, readonly name: string, readonly arguments: Record<string, unknown> }>
  readonly error?: { readonly kind: string, readonly retryable?: boolean, readonly message_contains?: string }
}

/** The recorded streams: what real servers sent, by the fault that it caused elsewhere. */
export function readStreamCases (): StreamCase[] {
  // Compiled tests run below build/.
  const file = fileURLToPath(new URL('../../../test/fixtures/cases/a-stream.jsonl', import.meta.url))
  const cases = readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as StreamCase)
  return cases.filter(({ input }) => input.kind === 'model_stream')
}

export function bytesOf (raw: RawReply): Buffer {
  if (raw.chunks_b64 !== undefined) return Buffer.concat(raw.chunks_b64.map((chunk) => Buffer.from(chunk, 'base64')))
  return Buffer.from(raw.body ?? (raw.chunks ?? []).join(''))
}
