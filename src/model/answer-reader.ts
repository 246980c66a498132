import type { AnswerCall, ModelPart } from './model.ts'
import type { JsonObject, Usage } from '../protocol/common.ts'
import type { ModelFinishReason } from '../protocol/events.ts'
import { AnswerDraft } from './answer-draft.ts'
import { BodyReader } from './body-reader.ts'
import type { Reader } from './dialect.ts'
import { failure, type Failure } from './failure.ts'
import { readFinishReason } from './finish-reason.ts'
import { isObject } from './json.ts'
import { readDelta, type DeltaSink } from './read-delta.ts'
import { mergeReasoningDetails } from './reasoning-details.ts'
import { ThinkTags } from './think-tags.ts'
import { ToolCallAccumulator } from './tool-calls.ts'
import { readUsage } from './usage.ts'

/** A finished answer, and what its provider may want back. */
export interface WireAnswer {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly AnswerCall[]
  readonly callIds: readonly string[]
  readonly extras: ReadonlyArray<JsonObject | null>
  readonly reasoningDetails: readonly JsonObject[]
  readonly finishReason: ModelFinishReason
  readonly usage: Usage
}

/**
 * Reads the bytes of one chat-completions answer, cut anywhere: a stream of events, or one JSON object from
 * servers that do not stream. Pure: what it makes depends on the bytes alone.
 */
export class AnswerReader implements Reader<WireAnswer> {
  readonly #body: BodyReader
  readonly #draft: AnswerDraft
  readonly #think = new ThinkTags()
  readonly #calls: ToolCallAccumulator
  readonly #details: JsonObject[] = []
  readonly #sink: DeltaSink
  #finishReason: ModelFinishReason | null = null
  #usage: unknown = null
  #refused = false

  constructor (knownTools: readonly string[]) {
    this.#calls = new ToolCallAccumulator(knownTools)
    this.#body = new BodyReader({
      event: (value) => { this.#readChunk(value) },
      whole: (value) => {
        if (!Array.isArray(value['choices'])) return false
        this.#readChunk(value)
        return true
      }
    })
    const draft = this.#draft = new AnswerDraft(() => { this.#body.finish() })
    // Once and for all: closures for every delta would be garbage for every delta.
    const text = (piece: string): void => { draft.addText(piece) }
    const reasoning = (piece: string): void => { draft.addReasoning(piece) }
    const onCall = (index: number, tool: string, piece: string): void => { draft.batch.call(index, tool, piece) }
    this.#sink = {
      content: (content) => {
        if (content === '') return
        if (this.#think.passed) text(content)
        else this.#think.feed(content, text, reasoning)
      },
      reasoning,
      refusal: (refusal) => {
        this.#refused = true
        text(refusal)
      },
      call: (fragment) => {
        draft.count(this.#calls.feed(fragment, onCall))
        if (this.#calls.overflow) draft.stopAtLimit()
      },
      details: (wire) => { draft.count(mergeReasoningDetails(this.#details, wire)) }
    }
  }

  get ended (): boolean { return this.#body.ended }

  get finishing (): boolean { return this.#finishReason !== null }

  get begun (): boolean { return this.#draft.text !== '' || this.#draft.reasoning !== '' || this.#calls.size > 0 }

  get partial (): { text: string, reasoning: string } { return this.#draft.partial }

  feed (chunks: readonly Uint8Array[]): readonly ModelPart[] {
    this.#body.feed(chunks)
    return this.#draft.batch.take()
  }

  end (): readonly ModelPart[] {
    this.#body.end()
    this.#think.end((piece) => { this.#draft.addText(piece) }, (piece) => { this.#draft.addReasoning(piece) })
    this.#draft.batch.end()
    return this.#draft.batch.take()
  }

  result (): WireAnswer | Failure {
    if (this.#body.failure !== null) return this.#body.failure
    if (!this.#body.done && this.#finishReason === null) return this.#body.unfinished(this.begun)
    if (this.#finishReason === 'error') return failure('model_overloaded', 'The provider ended the answer with an error', true)
    const { cut, text } = this.#draft
    const { calls, callIds, extras } = this.#calls.finish(cut || this.#finishReason === 'length')
    const finishReason = cut ? 'length' : this.#refused ? 'content_filter' : this.#finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop')
    if (calls.length === 0 && text.trim() === '' && (finishReason === 'stop' || finishReason === 'tool_calls')) {
      return failure('model_empty', 'The model answered with neither text nor calls', true)
    }
    return {
      ...this.partial, calls, callIds, extras, reasoningDetails: this.#details, finishReason, usage: readUsage(this.#usage)
    }
  }

  #readChunk (value: JsonObject): void {
    const { choices } = value
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
    if (isObject(choice)) {
      const delta = choice['delta'] ?? choice['message']
      if (isObject(delta)) readDelta(delta, this.#sink)
      const reason = choice['finish_reason']
      // The first counts; some servers send a second one with the usage.
      if (typeof reason === 'string' && reason !== '') this.#finishReason ??= readFinishReason(reason)
      if (isObject(choice['usage'])) this.#usage = choice['usage']
    }
    if (isObject(value['usage'])) this.#usage = value['usage']
    else if (isObject(value['x_groq']) && isObject(value['x_groq']['usage'])) this.#usage = value['x_groq']['usage']
  }
}
