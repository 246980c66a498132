import { setTimeout as sleep } from 'node:timers/promises'
import { modelErrorBodyBytes, modelLateEndMs } from '../limits.ts'
import type { Agent } from './agent.ts'
import { AnswerReader, type WireAnswer } from './answer-reader.ts'
import { classifyStatus, failure, suggestionFor, type Failure } from './failure.ts'
import { ModelError, type Echo, type Model, type ModelAnswer, type ModelPart, type ModelRequest } from './model.ts'
import { renderRequest, type Target } from './render-request.ts'
import { headerOf, retryDelayMs, withRetryHeaders, type RetryLimits } from './retry.ts'
import { presentable } from './secrets.ts'
import { UpstreamResponse, type ResponseTimeouts } from './upstream-response.ts'

export interface ChatCompletionsOptions extends RetryLimits, ResponseTimeouts {
  /** `provider/name`. */
  readonly name: string
  readonly target: Target
  /** Without a trailing slash; `/chat/completions` is appended. */
  readonly baseUrl: URL
  readonly apiKey: string | null
  /** Kept for all models of one provider; its owner closes it. */
  readonly agent: Agent
  /** Of one call, retries and waits included. */
  readonly totalMs: number
  /** At least 0, below 1: for the jitter of retries. */
  readonly random?: () => number
}

/** A model behind an OpenAI-compatible chat-completions API. */
export class ChatCompletionsModel implements Model {
  readonly name: string
  readonly #options: ChatCompletionsOptions
  readonly #path: string
  readonly #headers: Readonly<Record<string, string>>

  constructor (options: ChatCompletionsOptions) {
    this.name = options.name
    this.#options = options
    this.#path = `${options.baseUrl.pathname.replace(/\/+$/, '')}/chat/completions${options.baseUrl.search}`
    this.#headers = {
      ...options.target.traits.headers,
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      'user-agent': 'ecluse',
      ...(options.apiKey === null ? {} : { authorization: `Bearer ${options.apiKey}` })
    }
  }

  async * stream (request: ModelRequest, signal: AbortSignal): AsyncGenerator<readonly ModelPart[], ModelAnswer, void> {
    signal.throwIfAborted()
    const body = renderRequest(request, this.#options.target)
    const tools = request.tools.map(({ name }) => name)
    const call = new AbortController()
    let current: UpstreamResponse | null = null
    const stop = (): void => {
      call.abort()
      current?.fail(failure('internal', 'The call was aborted', false))
    }
    let overdue = false
    const total = setTimeout(() => {
      overdue = true
      stop()
    }, this.#options.totalMs)
    signal.addEventListener('abort', stop)
    try {
      let repeated = false
      let empty = 0
      for (let attempts = 1; ; attempts++) {
        const response = current = this.#open(body)
        const reader = new AnswerReader(tools)
        let failed: Failure | null = null
        await response.head()
        if (response.status >= 200 && response.status < 300) {
          while (!reader.ended) {
            const read = await response.read()
            if (read.type !== 'bytes') {
              // After a finish reason nothing that matters is missing.
              if (read.type === 'failed' && !reader.finishing) failed = read.failure
              break
            }
            const parts = reader.feed(read.chunks)
            if (parts.length > 0) yield parts
            if (reader.finishing) response.hurry(modelLateEndMs)
          }
        } else {
          failed = await readFailure(response)
        }
        signal.throwIfAborted()
        if (overdue) throw this.#error(this.#tooLong(), reader)
        const rest = failed === null ? reader.end() : []
        if (rest.length > 0) yield rest
        response.close({ drain: failed === null })
        const result = failed ?? reader.result()
        if (!('code' in result)) return this.#answer(result)

        failed = withRetryHeaders(result, response.headers, Date.now())
        const delayMs = retryDelayMs(failed, { attempts, begun: reader.begun, repeated, emptyBefore: empty }, this.#options, (this.#options.random ?? Math.random)())
        if (delayMs === null) throw this.#error(failed, reader)
        if (failed.code === 'model_empty') empty++
        repeated ||= reader.begun
        yield [{ type: 'retry', attempt: attempts, delayMs, code: failed.code, detail: this.#present(failed.detail), dropped: reader.begun }]
        await sleep(delayMs, undefined, { signal: call.signal }).catch(() => {})
        signal.throwIfAborted()
        if (call.signal.aborted) throw this.#error(this.#tooLong(), reader)
      }
    } finally {
      clearTimeout(total)
      signal.removeEventListener('abort', stop)
      current?.close({ drain: false })
    }
  }

  #open (body: string): UpstreamResponse {
    const { agent, baseUrl, firstByteMs, idleMs } = this.#options
    return new UpstreamResponse({ agent, origin: baseUrl.origin, path: this.#path, headers: this.#headers, body, timeouts: { firstByteMs, idleMs } })
  }

  #tooLong (): Failure {
    return failure('model_total_timeout', `The model call took longer than ${this.#options.totalMs} ms`, false)
  }

  #present (detail: string): string {
    return presentable(detail, this.#options.apiKey)
  }

  #error ({ code, detail, cause }: Failure, reader: AnswerReader): ModelError {
    return new ModelError(code, `${this.name}: ${this.#present(detail)}`, { suggestion: suggestionFor(code), partial: reader.partial, cause })
  }

  #answer ({ text, reasoning, calls, callIds, extras, reasoningDetails, finishReason, usage }: WireAnswer): ModelAnswer {
    const { provider, model, traits } = this.#options.target
    const details = traits.reasoningDetails && reasoningDetails.length > 0 ? { reasoningDetails } : {}
    const callExtras = extras.some((extra) => extra !== null) ? { callExtras: extras } : {}
    const echo: Echo | null = calls.length === 0 && reasoningDetails.length === 0
      ? null
      : { provider, callIds, data: { model, ...details, ...callExtras } }
    return { text, reasoning, calls, finishReason, usage, echo }
  }
}

/** Reads the beginning of an answer that is no success. */
async function readFailure (response: UpstreamResponse): Promise<Failure> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  while (bytes < modelErrorBodyBytes) {
    const read = await response.read()
    // With a status, what the connection does to the rest of the body says nothing more.
    if (read.type === 'failed' && response.status === 0) return read.failure
    if (read.type !== 'bytes') break
    for (const chunk of read.chunks) {
      chunks.push(chunk)
      bytes += chunk.length
    }
  }
  const body = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, modelErrorBodyBytes))
  return classifyStatus(response.status, headerOf(response.headers, 'content-type') ?? '', body)
}
