import type { JsonObject, Usage } from '../protocol/common.ts'
import type { ModelFinishReason, ToolCall, ToolDeclaration } from '../protocol/events.ts'
import type { RunCode } from '../protocol/error-codes.ts'
import type { Price } from './price.ts'

/** A call in the conversation, as it goes back to the model that made it. */
export interface ConversationCall {
  readonly callId: string
  readonly tool: string
  readonly arguments: JsonObject
}

/**
 * What a provider wants to get back unchanged with a message: its own call ids (in the order of the calls),
 * signatures, reasoning details. Only the dialect that made it reads it; it is dropped for every other.
 */
export interface Echo {
  readonly provider: string
  readonly callIds: readonly string[]
  readonly data: JsonObject
}

/** The conversation as a model gets it. Every dialect renders it with an exhaustive switch. */
export type ModelMessage =
  | { readonly role: 'system', readonly content: string }
  | { readonly role: 'user', readonly content: string }
  | { readonly role: 'assistant', readonly text: string, readonly reasoning: string, readonly calls: readonly ConversationCall[], readonly echo: Echo | null }
  | { readonly role: 'tool', readonly callId: string, readonly content: string, readonly ok: boolean }

export interface ModelRequest {
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ToolDeclaration[]
}

/** What streams in. Parts of one network read arrive together; neighbouring texts of one kind are joined. */
export type ModelPart =
  | { readonly type: 'text', readonly text: string }
  | { readonly type: 'reasoning', readonly text: string }
  | { readonly type: 'call', readonly index: number, readonly tool: string, readonly text: string }
  /** The attempt failed; another follows after `delayMs`. `dropped`: parts had arrived and are void. */
  | { readonly type: 'retry', readonly attempt: number, readonly delayMs: number, readonly code: RunCode, readonly detail: string, readonly dropped: boolean }

/** A call as the model made it, without our id. */
export type AnswerCall = Omit<ToolCall, 'callId'>

/** The finished message. */
export interface ModelAnswer {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly AnswerCall[]
  readonly finishReason: ModelFinishReason
  readonly usage: Usage
  readonly echo: Echo | null
  /** `provider/name` of the model that answered: a fallback has another than the one that was asked. */
  readonly model: string
}

/** The far end of a chat-completions (or compatible) API. */
export interface Model {
  /** `provider/name`, as in the configuration. */
  readonly name: string
  /** Tokens that a request and its answer may have together; null: not known. */
  readonly contextWindow: number | null
  /** Most tokens of one answer; null: the provider's own bound. */
  readonly maxOutputTokens: number | null
  /**
   * One model call, retries included.
   * @throws ModelError when it failed for good; `signal.reason` when aborted
   */
  stream (request: ModelRequest, signal: AbortSignal): AsyncGenerator<readonly ModelPart[], ModelAnswer, void>
}

/** A model call failed for good. Nothing in it names a key. */
export class ModelError extends Error {
  readonly code: RunCode
  readonly suggestion: string | null
  /** What had arrived of the last attempt. */
  readonly partial: { readonly text: string, readonly reasoning: string }
  /** Parts of the last attempt had been given out. */
  readonly begun: boolean

  constructor (code: RunCode, detail: string, options: {
    suggestion?: string | null, partial?: { text: string, reasoning: string }, begun?: boolean, cause?: unknown
  } = {}) {
    super(detail, { cause: options.cause })
    this.name = 'ModelError'
    this.code = code
    this.suggestion = options.suggestion ?? null
    this.partial = options.partial ?? { text: '', reasoning: '' }
    this.begun = options.begun ?? false
  }
}

/** What the configuration says about a model. */
export interface ModelFacts {
  readonly contextWindow: number | null
  readonly maxOutputTokens: number | null
  readonly price: Price | null
  readonly fallback: readonly string[]
}

/** The models that this server offers. */
export interface Models {
  readonly defaultName: string
  readonly names: readonly string[]
  get (name: string): Model | undefined
  facts (name: string): ModelFacts
  close (): Promise<void>
}
