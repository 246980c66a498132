import { modelArgumentsLengthMax, modelCallsMax } from '../../limits.ts'
import type { JsonObject, Usage } from '../../protocol/common.ts'
import type { ModelFinishReason } from '../../protocol/events.ts'
import { addUsage } from '../add-usage.ts'
import { AnswerDraft } from '../answer-draft.ts'
import { BodyReader } from '../body-reader.ts'
import type { Reader } from '../dialect.ts'
import { failure, type Failure } from '../failure.ts'
import { readFinishReason } from '../finish-reason.ts'
import { isObject, parseJson, wellFormed } from '../json.ts'
import type { AnswerCall, ModelPart } from '../model.ts'
import { finishCall } from '../tool-calls.ts'
import { readMessagesUsage } from '../usage.ts'

/** A content block as it grows. */
type Block =
  | { readonly type: 'text', text: string }
  | { readonly type: 'thinking', thinking: string, signature: string }
  | { readonly type: 'call', readonly id: string, readonly name: string, readonly position: number, text: string }
  /** `redacted_thinking`, and what tools of the provider's own say: kept as it came. */
  | { readonly type: 'other', readonly raw: JsonObject, text: string }

/** A finished answer: its blocks in the provider's order and shape, and what they come to. */
export interface MessagesAnswer {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly AnswerCall[]
  readonly callIds: readonly string[]
  readonly content: readonly JsonObject[]
  readonly finishReason: ModelFinishReason
  /** The provider wants to be asked to go on. */
  readonly paused: boolean
  readonly usage: Usage
  readonly tools: readonly string[]
}

/** Reads the bytes of one answer of Anthropic's Messages API. Unknown events, blocks and deltas are skipped. */
export class MessagesReader implements Reader<MessagesAnswer> {
  readonly #before: MessagesAnswer | null
  readonly #tools: readonly string[]
  readonly #body: BodyReader
  readonly #draft: AnswerDraft
  readonly #blocks: Block[] = []
  readonly #byIndex = new Map<unknown, Block>()
  #calls = 0
  #usage: JsonObject = {}
  #stopReason: string | null = null

  /** @param before what the provider had said when it paused */
  constructor (tools: readonly string[], before: MessagesAnswer | null = null) {
    this.#before = before
    this.#tools = tools
    this.#calls = before?.calls.length ?? 0
    this.#body = new BodyReader({ event: (value) => { this.#onEvent(value) }, whole: (value) => this.#onWhole(value) })
    this.#draft = new AnswerDraft(() => { this.#body.finish() }, before ?? undefined)
  }

  get ended (): boolean { return this.#body.ended }

  get finishing (): boolean { return this.#stopReason !== null }

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

  result (): MessagesAnswer | Failure {
    if (this.#body.failure !== null) return this.#body.failure
    if (!this.#body.done && this.#stopReason === null) return this.#body.unfinished(this.begun)
    const paused = this.#stopReason === 'pause_turn' && !this.#draft.cut
    const cutShort = this.#draft.cut || ['max_tokens', 'model_context_window_exceeded'].includes(this.#stopReason ?? '')
    const made = this.#blocks.filter((block) => block.type === 'call')
    const calls = [...this.#before?.calls ?? [], ...made.map((block) => finishCall(block, cutShort))]
    const finishReason = cutShort ? 'length' : this.#stopReason === null ? calls.length > 0 ? 'tool_calls' : 'stop' : readFinishReason(this.#stopReason)
    if (!paused && calls.length === 0 && this.#draft.text.trim() === '' && (finishReason === 'stop' || finishReason === 'tool_calls')) {
      return failure('model_empty', 'The model answered with neither text nor calls', true)
    }
    const usage = readMessagesUsage(this.#usage)
    return {
      ...this.partial,
      calls,
      callIds: [...this.#before?.callIds ?? [], ...made.map(({ id }) => id)],
      content: [...this.#before?.content ?? [], ...this.#blocks.map(wireBlock)],
      finishReason,
      paused,
      usage: this.#before === null ? usage : addUsage(this.#before.usage, usage),
      tools: this.#tools
    }
  }

  #onEvent (event: JsonObject): void {
    switch (event['type']) {
      case 'message_start':
        if (isObject(event['message'])) this.#onUsage(event['message']['usage'])
        return
      case 'content_block_start': this.#start(event['index'], event['content_block']); return
      case 'content_block_delta': this.#delta(this.#byIndex.get(event['index']), event['delta']); return
      case 'message_delta':
        this.#onUsage(event['usage'])
        if (isObject(event['delta']) && typeof event['delta']['stop_reason'] === 'string') this.#stopReason ??= event['delta']['stop_reason']
        return
      case 'message_stop': this.#body.finish()
    }
  }

  #onWhole (message: JsonObject): boolean {
    const { content, stop_reason: reason } = message
    if (message['type'] !== 'message' || !Array.isArray(content)) return false
    this.#onUsage(message['usage'])
    for (const [index, block] of content.entries()) this.#start(index, block)
    if (typeof reason === 'string') this.#stopReason = reason
    return true
  }

  /** Later counts are of the whole answer so far: they stand in for the earlier ones. */
  #onUsage (usage: unknown): void {
    if (!isObject(usage)) return
    for (const [name, value] of Object.entries(usage)) if (value !== null) this.#usage[name] = value
  }

  #start (index: unknown, wire: unknown): void {
    if (!isObject(wire)) return
    const block = this.#open(wire)
    if (block === null) return
    this.#blocks.push(block)
    this.#byIndex.set(index, block)
    switch (block.type) {
      case 'text': this.#text(block, wire['text']); return
      case 'thinking':
        this.#thinking(block, wire['thinking'])
        if (typeof wire['signature'] === 'string') block.signature = wire['signature']
        return
      case 'call':
        this.#draft.batch.call(block.position, block.name, '')
        // Empty here, and then in pieces; gateways send it whole.
        if (isObject(wire['input']) && Object.keys(wire['input']).length > 0) this.#arguments(block, JSON.stringify(wire['input']))
        return
      case 'other': this.#draft.count(JSON.stringify(wire).length)
    }
  }

  #open (wire: JsonObject): Block | null {
    switch (wire['type']) {
      case 'text': return { type: 'text', text: '' }
      case 'thinking': return { type: 'thinking', thinking: '', signature: '' }
      case 'tool_use':
        if (this.#calls >= modelCallsMax) {
          this.#draft.stopAtLimit()
          return null
        }
        return { type: 'call', id: String(wire['id'] ?? ''), name: String(wire['name'] ?? ''), position: this.#calls++, text: '' }
      default: return { type: 'other', raw: wire, text: '' }
    }
  }

  #delta (block: Block | undefined, delta: unknown): void {
    if (block === undefined || !isObject(delta)) return
    switch (block.type) {
      case 'text':
        if (delta['type'] === 'text_delta') this.#text(block, delta['text'])
        return
      case 'thinking':
        if (delta['type'] === 'thinking_delta') this.#thinking(block, delta['thinking'])
        else if (delta['type'] === 'signature_delta' && typeof delta['signature'] === 'string') {
          block.signature += delta['signature']
          this.#draft.count(delta['signature'].length)
        }
        return
      case 'call':
        if (delta['type'] === 'input_json_delta' && typeof delta['partial_json'] === 'string') this.#arguments(block, delta['partial_json'])
        return
      case 'other':
        if (delta['type'] !== 'input_json_delta' || typeof delta['partial_json'] !== 'string') return
        block.text += delta['partial_json']
        this.#draft.count(delta['partial_json'].length)
    }
  }

  #text (block: Extract<Block, { type: 'text' }>, text: unknown): void {
    if (typeof text !== 'string' || text === '') return
    const before = this.#draft.text.length
    this.#draft.addText(text)
    block.text += this.#draft.text.slice(before)
  }

  #thinking (block: Extract<Block, { type: 'thinking' }>, thinking: unknown): void {
    if (typeof thinking !== 'string' || thinking === '') return
    const before = this.#draft.reasoning.length
    this.#draft.addReasoning(thinking)
    block.thinking += this.#draft.reasoning.slice(before)
  }

  #arguments (block: Extract<Block, { type: 'call' }>, text: string): void {
    if (block.text.length + text.length > modelArgumentsLengthMax) {
      this.#draft.stopAtLimit()
      return
    }
    block.text += text
    this.#draft.batch.call(block.position, block.name, text)
    this.#draft.count(Buffer.byteLength(text))
  }
}

/** The block as the API takes it back. */
function wireBlock (block: Block): JsonObject {
  switch (block.type) {
    case 'text': return { type: 'text', text: wellFormed(block.text) }
    case 'thinking': return { type: 'thinking', thinking: block.thinking, signature: block.signature }
    case 'call': return { type: 'tool_use', id: block.id, name: block.name, input: finishCall(block, false).arguments }
    case 'other': return block.text === '' ? block.raw : { ...block.raw, input: parseJson(block.text) ?? {} }
    default: return block satisfies never
  }
}
