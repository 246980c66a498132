import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../../protocol/common.ts'
import type { Model, ModelAnswer, ModelPart, ModelRequest } from '../model.ts'
import { replyTo } from './reply.ts'

/** Without a delay, so many words go out between two turns of the event loop. */
const wordsPerTurn = 64

/**
 * A model without intelligence, in the process: understands a few sentences (docs/demo-model.md), calls the
 * real tools and streams word by word. The same conversation gives the same answer.
 */
export class DemoModel implements Model {
  readonly name = 'demo'
  readonly contextWindow = null
  readonly maxOutputTokens = null
  readonly #wordDelayMs: number

  /** @param options.wordDelayMs between two words; 0 streams as fast as it is read */
  constructor (options: { readonly wordDelayMs: number }) {
    this.#wordDelayMs = options.wordDelayMs
  }

  async * stream (request: ModelRequest, signal: AbortSignal): AsyncGenerator<readonly ModelPart[], ModelAnswer, void> {
    signal.throwIfAborted()
    const reply = replyTo(request)
    yield * this.#speak('reasoning', reply.reasoning, signal)
    yield * this.#speak('text', reply.text, signal)
    const calls = reply.call === null ? [] : [{ tool: reply.call.tool, arguments: reply.call.arguments as JsonObject }]
    for (const call of calls) yield [{ type: 'call', index: 0, tool: call.tool, text: JSON.stringify(call.arguments) }]
    const inputLength = request.messages.reduce((sum, message) => sum + (message.role === 'assistant' ? message.text.length : message.content.length), 0)
    return {
      text: reply.text,
      reasoning: reply.reasoning,
      calls,
      finishReason: calls.length > 0 ? 'tool_calls' : 'stop',
      usage: {
        inputTokens: tokens(inputLength),
        outputTokens: tokens(reply.text.length + reply.reasoning.length + (reply.call === null ? 0 : JSON.stringify(reply.call).length)),
        cachedInputTokens: null,
        cacheWriteTokens: null,
        reasoningTokens: tokens(reply.reasoning.length),
        costUsd: 0
      },
      echo: null,
      model: this.name
    }
  }

  async * #speak (type: 'text' | 'reasoning', text: string, signal: AbortSignal): AsyncGenerator<readonly ModelPart[], void, void> {
    const words = text.match(/\S+\s*/g) ?? []
    const step = this.#wordDelayMs > 0 ? 1 : wordsPerTurn
    for (let start = 0; start < words.length; start += step) {
      try {
        if (this.#wordDelayMs > 0) await sleep(this.#wordDelayMs, undefined, { signal })
        else await turn(undefined, { signal })
      } catch (error) {
        signal.throwIfAborted()
        throw error
      }
      yield [{ type, text: words.slice(start, start + step).join('') }]
    }
  }
}

/** About four characters each. */
function tokens (length: number): number {
  return Math.ceil(length / 4)
}
