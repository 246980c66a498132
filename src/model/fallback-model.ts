import type { RunCode } from '../protocol/error-codes.ts'
import { ModelError, type Model, type ModelAnswer, type ModelPart, type ModelRequest } from './model.ts'

/** What another model would not do better, or what is answered otherwise: by making the conversation shorter. */
const kept: ReadonlySet<RunCode> = new Set(['context_overflow', 'content_filter', 'internal'])

/** A model, and those that are asked in turn when it fails for good before its answer begins. */
export class FallbackModel implements Model {
  readonly name: string
  readonly contextWindow: number | null
  readonly maxOutputTokens: number | null
  readonly #model: Model
  readonly #others: readonly Model[]

  constructor (model: Model, others: readonly Model[]) {
    this.name = model.name
    this.contextWindow = model.contextWindow
    this.maxOutputTokens = model.maxOutputTokens
    this.#model = model
    this.#others = others
  }

  async * stream (request: ModelRequest, signal: AbortSignal): AsyncGenerator<readonly ModelPart[], ModelAnswer, void> {
    let first: ModelError | null = null
    for (const [position, model] of [this.#model, ...this.#others].entries()) {
      try {
        return yield * model.stream(request, signal)
      } catch (error) {
        if (!(error instanceof ModelError) || error.begun || kept.has(error.code)) throw error
        first ??= error
        const other = this.#others[position]
        if (other !== undefined) {
          yield [{ type: 'retry', attempt: position + 1, delayMs: 0, code: error.code, detail: `${error.message} Now ${other.name} is asked.`, dropped: false }]
        }
      }
    }
    throw first ?? new ModelError('internal', 'No model was asked.')
  }
}
