import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser'
import type { AnswerCall, ModelPart } from './model.ts'
import type { JsonObject, Usage } from '../protocol/common.ts'
import type { ModelFinishReason } from '../protocol/events.ts'
import { modelAnswerBytesMax, modelErrorBodyBytes, sseEventBytesMax } from '../limits.ts'
import { classifyError, failure, findError, notAnApi, type Failure } from './failure.ts'
import { readFinishReason } from './finish-reason.ts'
import { isObject, parseJson, wellFormed } from './json.ts'
import { PartBatch } from './part-batch.ts'
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

type Body = 'unknown' | 'stream' | 'json' | 'page'

/**
 * Reads the bytes of one chat-completions answer, cut anywhere: a stream of events, or one JSON object from
 * servers that do not stream. Pure: what it makes depends on the bytes alone.
 */
export class AnswerReader {
  readonly #decoder = new TextDecoder()
  readonly #parser: EventSourceParser
  readonly #batch = new PartBatch()
  readonly #think = new ThinkTags()
  readonly #calls: ToolCallAccumulator
  readonly #details: JsonObject[] = []
  readonly #sink: DeltaSink
  #body: Body = 'unknown'
  #head = ''
  #json = ''
  #events = 0
  #ending = false
  #done = false
  #failure: Failure | null = null
  #finishReason: ModelFinishReason | null = null
  #usage: unknown = null
  #text = ''
  #reasoning = ''
  #bytes = 0
  #cut = false
  #refused = false

  constructor (knownTools: readonly string[]) {
    this.#calls = new ToolCallAccumulator(knownTools)
    this.#parser = createParser({
      maxBufferSize: sseEventBytesMax,
      onEvent: (event) => { this.#onEvent(event) },
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') this.#fail(failure('model_output_limit', 'One event of the stream is too large', false))
        // Some llama.cpp builds send the error under a field name of its own.
        else if (error.type === 'unknown-field' && error.field === 'error') this.#fail(classifyError(parseJson(error.value ?? '') ?? error.value))
      }
    })
    // Once and for all: closures for every delta would be garbage for every delta.
    const text = (piece: string): void => { this.#addText(piece) }
    const reasoning = (piece: string): void => { this.#addReasoning(piece) }
    const onCall = (index: number, tool: string, piece: string): void => { this.#batch.call(index, tool, piece) }
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
        this.#count(this.#calls.feed(fragment, onCall))
        if (this.#calls.overflow) this.#stopAtLimit()
      },
      details: (wire) => { this.#count(mergeReasoningDetails(this.#details, wire)) }
    }
  }

  /** Nothing more is wanted: the end mark or an error was read, or a bound was reached. */
  get ended (): boolean { return this.#done || this.#failure !== null }

  /** A finish reason was read: what may still come is usage and the end mark. */
  get finishing (): boolean { return this.#finishReason !== null }

  /** Parts were given out. */
  get begun (): boolean { return this.#text !== '' || this.#reasoning !== '' || this.#calls.size > 0 }

  get partial (): { text: string, reasoning: string } { return { text: wellFormed(this.#text), reasoning: wellFormed(this.#reasoning) } }

  /** Reads what one network read brought. */
  feed (chunks: readonly Uint8Array[]): readonly ModelPart[] {
    for (const bytes of chunks) {
      if (this.ended) break
      this.#read(this.#decoder.decode(bytes, { stream: true }))
    }
    return this.#batch.take()
  }

  /** The body has ended, or the caller wants no more of it. The last parts, if any were held back. */
  end (): readonly ModelPart[] {
    if (!this.ended) {
      this.#ending = true
      this.#read(this.#decoder.decode())
      // The last event may lack its blank line.
      if (this.#body === 'stream' && !this.ended) this.#parser.feed('\n\n')
      else if (this.#body === 'json') this.#readWhole()
      else if (this.#body === 'page') this.#fail(notAnApi(this.#head))
    }
    this.#think.end((piece) => { this.#addText(piece) }, (piece) => { this.#addReasoning(piece) })
    this.#batch.end()
    return this.#batch.take()
  }

  /** After `end`: the answer, or why there is none. */
  result (): WireAnswer | Failure {
    if (this.#failure !== null) return this.#failure
    const ended = this.#done || this.#finishReason !== null
    if (!ended) return this.#unfinished()
    if (this.#finishReason === 'error') return failure('model_overloaded', 'The provider ended the answer with an error', true)
    const { calls, callIds, extras } = this.#calls.finish(this.#cut || this.#finishReason === 'length')
    const finishReason = this.#cut ? 'length' : this.#refused ? 'content_filter' : this.#finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop')
    if (calls.length === 0 && this.#text.trim() === '' && (finishReason === 'stop' || finishReason === 'tool_calls')) {
      return failure('model_empty', 'The model answered with neither text nor calls', true)
    }
    return {
      ...this.partial, calls, callIds, extras, reasoningDetails: this.#details, finishReason, usage: readUsage(this.#usage)
    }
  }

  #read (text: string): void {
    if (text === '') return
    if (this.#events === 0 && this.#head.length < modelErrorBodyBytes) {
      this.#head = (this.#head + text.slice(0, modelErrorBodyBytes)).trimStart().slice(0, modelErrorBodyBytes)
    }
    // What came while it was undecided is white space: blank lines to the parser.
    if (this.#body === 'unknown') this.#body = sniff(this.#head)
    switch (this.#body) {
      case 'unknown': case 'page': return
      case 'stream':
        this.#parser.feed(text)
        return
      case 'json':
        this.#json += text
        if (this.#json.length > sseEventBytesMax) this.#fail(failure('model_output_limit', 'The answer is too large', false))
    }
  }

  #onEvent (event: EventSourceMessage): void {
    if (this.ended) return
    this.#events++
    const data = event.data.trim()
    if (data === '') return
    if (data === '[DONE]') {
      this.#done = true
      return
    }
    const value = parseJson(data)
    if (event.event === 'error') this.#fail(classifyError(findError(value) ?? value ?? data))
    else if (isObject(value) || Array.isArray(value)) this.#readChunk(value)
    // An event that the end of the body cut short is no mistake of its own.
    else if (value === undefined && !(this.#ending && data.startsWith('{'))) {
      this.#fail(failure('model_incomplete', `The stream has an event that is no JSON: ${data}`, true))
    }
  }

  #readWhole (): void {
    const value = parseJson(this.#json)
    if (value === undefined) this.#fail(failure('model_incomplete', 'The answer is JSON that breaks off', true))
    else if (findError(value) !== null) this.#fail(classifyError(findError(value)))
    else if (isObject(value) && Array.isArray(value['choices'])) {
      this.#readChunk(value)
      this.#done = true
    } else this.#fail(notAnApi(this.#head))
  }

  #readChunk (value: JsonObject | unknown[]): void {
    const error = findError(value)
    if (error !== null || Array.isArray(value)) {
      this.#fail(classifyError(error))
      return
    }
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

  #addText (piece: string): void {
    const text = this.#fit(piece)
    this.#text += text
    this.#batch.text(text)
  }

  #addReasoning (piece: string): void {
    const text = this.#fit(piece)
    this.#reasoning += text
    this.#batch.reasoning(text)
  }

  /** As much of `piece` as the answer may still have. */
  #fit (piece: string): string {
    if (this.#cut) return ''
    const room = modelAnswerBytesMax - this.#bytes
    const text = piece.length > room ? piece.slice(0, room) : piece
    this.#count(Buffer.byteLength(text))
    if (text.length < piece.length) this.#stopAtLimit()
    return text
  }

  #count (bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes >= modelAnswerBytesMax) this.#stopAtLimit()
  }

  #stopAtLimit (): void {
    this.#cut = true
    this.#done = true
  }

  #fail (failed: Failure): void {
    this.#failure ??= failed
  }

  #unfinished (): Failure {
    if (this.begun || this.#events > 0) return failure('model_incomplete', 'The answer broke off without an end mark', true)
    const said = this.#head.split(/[\r\n]+/).filter((line) => line !== '' && !/^(?::|data:|event:|id:|retry:)/.test(line)).join(' ')
    if (said !== '') return notAnApi(said)
    return failure('model_empty', 'The model answered with nothing', true)
  }
}

/** By the first character: labels lie, and no line of an event stream begins like this. */
function sniff (head: string): Body {
  const first = head.charAt(0)
  if (first === '') return 'unknown'
  return first === '{' || first === '[' ? 'json' : first === '<' ? 'page' : 'stream'
}
