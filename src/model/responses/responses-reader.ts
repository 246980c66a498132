import { modelAnswerBytesMax, modelArgumentsLengthMax, modelCallsMax } from '../../limits.ts'
import type { JsonObject, Usage } from '../../protocol/common.ts'
import type { ModelFinishReason } from '../../protocol/events.ts'
import { AnswerDraft } from '../answer-draft.ts'
import { BodyReader } from '../body-reader.ts'
import type { Reader } from '../dialect.ts'
import { classifyError, failure, type Failure } from '../failure.ts'
import { isObject, nonEmptyString, wellFormed } from '../json.ts'
import type { AnswerCall, ModelPart } from '../model.ts'
import { finishCall } from '../tool-calls.ts'
import { readResponsesUsage } from '../usage.ts'

/** An item of the output as it grows. */
type Item =
  | { readonly type: 'message', id: string, text: string }
  | { readonly type: 'reasoning', raw: JsonObject | null, text: string }
  | { readonly type: 'call', readonly position: number, id: string, callId: string, name: string, text: string }
  | { readonly type: 'other' }

/** Where something stood in the output, as it goes back: reasoning whole, the rest by reference to the message. */
export interface ResponsesAnswer {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly AnswerCall[]
  readonly callIds: readonly string[]
  readonly output: readonly JsonObject[]
  readonly finishReason: ModelFinishReason
  readonly usage: Usage
}

/** Reads the bytes of one answer of OpenAI's Responses API. Unknown events and items are skipped. */
export class ResponsesReader implements Reader<ResponsesAnswer> {
  readonly #body: BodyReader
  readonly #draft: AnswerDraft
  readonly #items: Item[] = []
  readonly #byKey = new Map<unknown, Item>()
  #calls = 0
  #refused = false
  #status: string | null = null
  #incomplete: string | null = null
  #usage: unknown = null

  constructor () {
    this.#body = new BodyReader({
      event: (value) => { this.#onEvent(value) },
      whole: (value) => {
        if (value['object'] !== 'response' || !Array.isArray(value['output'])) return false
        this.#onEnd(value)
        return this.#body.failure === null
      }
    })
    this.#draft = new AnswerDraft(() => { this.#body.finish() })
  }

  get ended (): boolean { return this.#body.ended }

  get finishing (): boolean { return this.#status !== null }

  get begun (): boolean { return this.#draft.text !== '' || this.#draft.reasoning !== '' || this.#calls > 0 }

  get partial (): { text: string, reasoning: string } { return this.#draft.partial }

  feed (chunks: readonly Uint8Array[]): readonly ModelPart[] {
    this.#body.feed(chunks)
    return this.#draft.batch.take()
  }

  end (): readonly ModelPart[] {
    this.#body.end()
    this.#draft.batch.end()
    return this.#draft.batch.take()
  }

  result (): ResponsesAnswer | Failure {
    if (this.#body.failure !== null) return this.#body.failure
    if (this.#status === null && !this.#draft.cut) return this.#body.unfinished(this.begun)
    const cut = this.#draft.cut || this.#incomplete === 'max_output_tokens'
    const made = this.#items.filter((item) => item.type === 'call')
    const calls = made.map((item) => finishCall(item, cut))
    const finishReason = cut ? 'length' : this.#refused || this.#incomplete === 'content_filter' ? 'content_filter' : calls.length > 0 ? 'tool_calls' : 'stop'
    if (calls.length === 0 && this.#draft.text.trim() === '' && finishReason === 'stop') {
      return failure('model_empty', 'The model answered with neither text nor calls', true)
    }
    return {
      text: wellFormed(this.#items.map((item) => item.type === 'message' ? item.text : '').join('')),
      reasoning: this.partial.reasoning,
      calls,
      callIds: made.map(({ callId }) => callId),
      output: this.#output(),
      finishReason,
      usage: readResponsesUsage(this.#usage)
    }
  }

  #onEvent (event: JsonObject): void {
    const { type, delta } = event
    const piece = typeof delta === 'string' ? delta : ''
    switch (type) {
      case 'response.output_item.added': this.#item(event, event['item']); return
      case 'response.output_item.done': this.#done(this.#item(event, event['item']), event['item']); return
      case 'response.output_text.delta': this.#text(this.#find(event, 'message'), piece); return
      case 'response.refusal.delta':
        this.#refused ||= piece !== ''
        this.#text(this.#find(event, 'message'), piece)
        return
      case 'response.reasoning_summary_part.added': this.#nextParagraph(this.#find(event, 'reasoning')); return
      case 'response.reasoning_summary_text.delta': case 'response.reasoning_text.delta': this.#reasoning(this.#find(event, 'reasoning'), piece); return
      case 'response.function_call_arguments.delta': this.#arguments(this.#find(event, 'call'), piece); return
      case 'response.completed': case 'response.incomplete': case 'response.failed': case 'response.cancelled':
        if (isObject(event['response'])) this.#onEnd(event['response'])
    }
  }

  #onEnd (response: JsonObject): void {
    const { error, status, incomplete_details: details, output } = response
    if (isObject(response['usage'])) this.#usage = response['usage']
    if (status === 'failed' || status === 'cancelled' || (error !== null && error !== undefined)) {
      this.#body.fail(classifyError(error ?? `The response is ${String(status)}`))
      return
    }
    // Gateways leave out the events of the items; else what is here was told before.
    const told = this.#items.length > 0
    if (Array.isArray(output)) {
      for (const [index, item] of output.entries()) this.#done(told ? this.#known({ output_index: index }, item) : this.#item({ output_index: index }, item), item)
    }
    this.#incomplete = isObject(details) ? String(details['reason']) : null
    this.#status = nonEmptyString(status) ?? 'completed'
    this.#body.finish()
  }

  /** The item of an event; one that is not known is opened by what `wire` says that it is. */
  #item (event: JsonObject, wire: unknown): Item | null {
    if (!isObject(wire)) return null
    const known = this.#known(event, wire)
    if (known !== null) return known
    const item = this.#open(wire)
    if (item === null) return null
    this.#items.push(item)
    for (const key of [event['output_index'], nonEmptyString(wire['id'])]) if (key !== undefined) this.#byKey.set(key, item)
    if (item.type === 'call') {
      this.#draft.batch.call(item.position, item.name, '')
      this.#arguments(item, nonEmptyString(wire['arguments']) ?? '')
    }
    return item
  }

  #known (event: JsonObject, wire: unknown): Item | null {
    return this.#byKey.get(event['output_index']) ?? (isObject(wire) ? this.#byKey.get(nonEmptyString(wire['id'])) : undefined) ?? null
  }

  #open (wire: JsonObject): Item | null {
    switch (wire['type']) {
      case 'message': return { type: 'message', id: nonEmptyString(wire['id']) ?? '', text: '' }
      case 'reasoning': return { type: 'reasoning', raw: null, text: '' }
      case 'function_call':
        if (this.#calls >= modelCallsMax) {
          this.#draft.stopAtLimit()
          return null
        }
        return {
          type: 'call',
          position: this.#calls++,
          id: nonEmptyString(wire['id']) ?? '',
          callId: nonEmptyString(wire['call_id']) ?? '',
          name: nonEmptyString(wire['name']) ?? '',
          text: ''
        }
      default: return { type: 'other' }
    }
  }

  /** Some send ids that differ from event to event: then it is the last one of its kind. */
  #find (event: JsonObject, type: Item['type']): Item | undefined {
    const known = this.#byKey.get(event['output_index']) ?? this.#byKey.get(event['item_id'])
    if (known?.type === type) return known
    const last = this.#items.findLast((item) => item.type === type)
    if (last !== undefined || type === 'call' || type === 'other') return last
    return this.#item(event, { type, id: event['item_id'] }) ?? undefined
  }

  /** The finished item outranks what was streamed of it. */
  #done (item: Item | null, wire: unknown): void {
    if (item === null || !isObject(wire)) return
    switch (item.type) {
      case 'message': {
        const text = textOf(wire['content'], ['text', 'refusal'])
        if (partsOf(wire['content']).some((part) => part['type'] === 'refusal')) this.#refused = true
        if (text.startsWith(item.text)) this.#text(item, text.slice(item.text.length))
        else if (text !== '') item.text = text.slice(0, modelAnswerBytesMax)
        return
      }
      case 'reasoning': {
        const text = partsOf(wire['summary']).map((part) => String(part['text'] ?? '')).join('\n\n') || textOf(wire['content'], ['text'])
        if (item.text === '') this.#reasoning(item, text)
        if (item.raw === null) this.#draft.count(nonEmptyString(wire['encrypted_content'])?.length ?? 0)
        item.raw = wire
        return
      }
      case 'call': {
        item.callId = nonEmptyString(wire['call_id']) ?? item.callId
        item.name = nonEmptyString(wire['name']) ?? item.name
        const whole = nonEmptyString(wire['arguments'])
        if (whole === undefined || whole === item.text) return
        if (whole.startsWith(item.text)) this.#arguments(item, whole.slice(item.text.length))
        else if (whole.length <= modelArgumentsLengthMax) item.text = whole
        return
      }
      case 'other': return
      default: item satisfies never
    }
  }

  #text (item: Item | undefined, piece: string): void {
    if (item?.type !== 'message' || piece === '') return
    const before = this.#draft.text.length
    this.#draft.addText(piece)
    item.text += this.#draft.text.slice(before)
  }

  #reasoning (item: Item | undefined, piece: string): void {
    if (item?.type !== 'reasoning' || piece === '') return
    item.text += piece
    this.#draft.addReasoning(piece)
  }

  #nextParagraph (item: Item | undefined): void {
    if (item?.type === 'reasoning' && item.text !== '') this.#reasoning(item, '\n\n')
  }

  #arguments (item: Item | undefined, piece: string): void {
    if (item?.type !== 'call' || piece === '') return
    if (item.text.length + piece.length > modelArgumentsLengthMax) {
      this.#draft.stopAtLimit()
      return
    }
    item.text += piece
    this.#draft.batch.call(item.position, item.name, piece)
    this.#draft.count(Buffer.byteLength(piece))
  }

  #output (): JsonObject[] {
    return this.#items.flatMap((item): JsonObject[] => {
      switch (item.type) {
        case 'message': return item.text === '' ? [] : [{ text: item.text.length, id: item.id }]
        case 'call': return [{ call: item.position, id: item.id }]
        // Without its encrypted content it would be looked for where nothing is stored.
        case 'reasoning': return typeof item.raw?.['encrypted_content'] === 'string' ? [reasoningItem(item.raw)] : []
        case 'other': return []
        default: return item satisfies never
      }
    })
  }
}

/** `status` is for reading only. */
function reasoningItem ({ status: _, ...item }: JsonObject): JsonObject {
  return item
}

function partsOf (wire: unknown): JsonObject[] {
  return Array.isArray(wire) ? wire.filter(isObject) : []
}

function textOf (wire: unknown, members: readonly string[]): string {
  return partsOf(wire).map((part) => members.map((member) => part[member]).find((text) => typeof text === 'string') ?? '').join('')
}
