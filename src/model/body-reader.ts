import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser'
import type { JsonObject } from '../protocol/common.ts'
import { modelErrorBodyBytes, sseEventBytesMax } from '../limits.ts'
import { classifyError, failure, findError, notAnApi, type Failure } from './failure.ts'
import { isObject, parseJson } from './json.ts'

/** What a dialect does with the values of a body. An error in whatever shape never comes here. */
export interface BodySink {
  /** The JSON of one event of a stream. */
  event (value: JsonObject): void
  /** A whole answer, from servers that do not stream. @returns whether it is one of this dialect */
  whole (value: JsonObject): boolean
}

type Body = 'unknown' | 'stream' | 'json' | 'page'

/**
 * Reads the bytes of one answer, cut anywhere, up to its values: a stream of events, or one JSON object. The same for
 * every dialect: framing, error objects in all shapes, bounds, and what is no answer at all. Pure.
 */
export class BodyReader {
  readonly #sink: BodySink
  readonly #decoder = new TextDecoder()
  readonly #parser: EventSourceParser
  #body: Body = 'unknown'
  #head = ''
  #json = ''
  #events = 0
  #ending = false
  #done = false
  #failure: Failure | null = null

  constructor (sink: BodySink) {
    this.#sink = sink
    this.#parser = createParser({
      maxBufferSize: sseEventBytesMax,
      onEvent: (event) => { this.#onEvent(event) },
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') this.fail(failure('model_output_limit', 'One event of the stream is too large', false))
        // Some llama.cpp builds send the error under a field name of its own.
        else if (error.type === 'unknown-field' && error.field === 'error') this.fail(classifyError(parseJson(error.value ?? '') ?? error.value))
      }
    })
  }

  /** Nothing more is wanted. */
  get ended (): boolean { return this.#done || this.#failure !== null }

  /** The end mark was read. */
  get done (): boolean { return this.#done }

  get failure (): Failure | null { return this.#failure }

  feed (chunks: readonly Uint8Array[]): void {
    for (const bytes of chunks) {
      if (this.ended) return
      this.#read(this.#decoder.decode(bytes, { stream: true }))
    }
  }

  /** The body has ended, or the caller wants no more of it. */
  end (): void {
    if (this.ended) return
    this.#ending = true
    this.#read(this.#decoder.decode())
    // The last event may lack its blank line.
    if (this.#body === 'stream' && !this.ended) this.#parser.feed('\n\n')
    else if (this.#body === 'json') this.#readWhole()
    else if (this.#body === 'page') this.fail(notAnApi(this.#head))
  }

  /** The answer is whole: what follows is not read. */
  finish (): void { this.#done = true }

  /** The first failure counts. */
  fail (failed: Failure): void { this.#failure ??= failed }

  /** Why a body without end mark is none. @param begun parts were given out */
  unfinished (begun: boolean): Failure {
    if (begun || this.#events > 0) return failure('model_incomplete', 'The answer broke off without an end mark', true)
    const said = this.#head.split(/[\r\n]+/).filter((line) => line !== '' && !/^(?::|data:|event:|id:|retry:)/.test(line)).join(' ')
    if (said !== '') return notAnApi(said)
    return failure('model_empty', 'The model answered with nothing', true)
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
        if (this.#json.length > sseEventBytesMax) this.fail(failure('model_output_limit', 'The answer is too large', false))
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
    const error = findError(value)
    if (event.event === 'error') this.fail(classifyError(error ?? value ?? data))
    else if (error !== null || Array.isArray(value)) this.fail(classifyError(error))
    else if (isObject(value)) this.#sink.event(value)
    // An event that the end of the body cut short is no mistake of its own.
    else if (value === undefined && !(this.#ending && data.startsWith('{'))) {
      this.fail(failure('model_incomplete', `The stream has an event that is no JSON: ${data}`, true))
    }
  }

  #readWhole (): void {
    const value = parseJson(this.#json)
    const error = findError(value)
    if (value === undefined) this.fail(failure('model_incomplete', 'The answer is JSON that breaks off', true))
    else if (error !== null) this.fail(classifyError(error))
    else if (isObject(value) && this.#sink.whole(value)) this.#done = true
    else if (!this.ended) this.fail(notAnApi(this.#head))
  }
}

/** By the first character: labels lie, and no line of an event stream begins like this. */
function sniff (head: string): Body {
  const first = head.charAt(0)
  if (first === '') return 'unknown'
  return first === '{' || first === '[' ? 'json' : first === '<' ? 'page' : 'stream'
}
