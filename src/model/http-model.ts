import { setTimeout as sleep } from 'node:timers/promises'
import { modelErrorBodyBytes, modelGoOnMax, modelLateEndMs } from '../limits.ts'
import type { Agent } from './agent.ts'
import type { Dialect, Reader } from './dialect.ts'
import { classifyStatus, failure, suggestionFor, type Failure } from './failure.ts'
import { ModelError, type Model, type ModelAnswer, type ModelPart, type ModelRequest } from './model.ts'
import { withCost, type Price } from './price.ts'
import { headerOf, retryDelayMs, withRetryHeaders, type RetryLimits } from './retry.ts'
import { presentable } from './secrets.ts'
import { UpstreamResponse, type ResponseTimeouts } from './upstream-response.ts'

export interface HttpModelOptions<W> extends RetryLimits, ResponseTimeouts {
  /** `provider/name`. */
  readonly name: string
  readonly contextWindow: number | null
  readonly maxOutputTokens: number | null
  /** Null: the cost is what the provider says, or not known. */
  readonly price: Price | null
  readonly dialect: Dialect<W>
  /** Without a trailing slash; the dialect's path is appended. */
  readonly baseUrl: URL
  readonly apiKey: string | null
  /** Kept for all models of one provider; its owner closes it. */
  readonly agent: Agent
  /** Of one call, retries and waits included. */
  readonly totalMs: number
  /** At least 0, below 1: for the jitter of retries. */
  readonly random?: () => number
}

/** A model behind an HTTP API, whatever its dialect: attempts, waits, time limits, and what is told of them. */
export class HttpModel<W extends object> implements Model {
  readonly name: string
  readonly contextWindow: number | null
  readonly maxOutputTokens: number | null
  readonly #options: HttpModelOptions<W>
  readonly #path: string
  readonly #headers: Readonly<Record<string, string>>

  constructor (options: HttpModelOptions<W>) {
    const { baseUrl, dialect, apiKey } = options
    this.name = options.name
    this.contextWindow = options.contextWindow
    this.maxOutputTokens = options.maxOutputTokens
    this.#options = options
    this.#path = `${baseUrl.pathname.replace(/\/+$/, '')}${dialect.path}${baseUrl.search}`
    this.#headers = {
      'user-agent': 'ecluse',
      accept: 'text/event-stream, application/json',
      ...dialect.headers,
      'content-type': 'application/json',
      ...(apiKey === null ? {} : dialect.keyHeader(apiKey))
    }
  }

  async * stream (request: ModelRequest, signal: AbortSignal): AsyncGenerator<readonly ModelPart[], ModelAnswer, void> {
    signal.throwIfAborted()
    const { dialect } = this.#options
    const tools = request.tools.map(({ name }) => name)
    let next: { body: string, reader: Reader<W> } = { body: dialect.render(request), reader: dialect.reader(tools) }
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
      let goneOn = 0
      for (let attempts = 1; ; attempts++) {
        const response = current = this.#open(next.body)
        const { reader } = next
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
        if (!isFailure(result)) {
          const more = goneOn < modelGoOnMax ? dialect.goOn?.(request, result) ?? null : null
          if (more === null) {
            const answer = dialect.answer(result)
            return { ...answer, usage: withCost(answer.usage, this.#options.price), model: this.name }
          }
          next = more
          goneOn++
          continue
        }

        failed = withRetryHeaders(result, response.headers, Date.now())
        const begun = reader.begun
        const delayMs = retryDelayMs(failed, { attempts: attempts - goneOn, begun, repeated, emptyBefore: empty }, this.#options, (this.#options.random ?? Math.random)())
        if (delayMs === null) throw this.#error(failed, reader)
        if (failed.code === 'model_empty') empty++
        repeated ||= begun
        yield [{ type: 'retry', attempt: attempts, delayMs, code: failed.code, detail: this.#present(failed.detail), dropped: begun }]
        await sleep(delayMs, undefined, { signal: call.signal }).catch(() => {})
        signal.throwIfAborted()
        if (call.signal.aborted) throw this.#error(this.#tooLong(), reader)
        // From the start, also when it had gone on: what was given out is void.
        next = { body: dialect.render(request), reader: dialect.reader(tools) }
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

  #error ({ code, detail, cause }: Failure, reader: Reader<W>): ModelError {
    return new ModelError(code, `${this.name}: ${this.#present(detail)}`, { suggestion: suggestionFor(code), partial: reader.partial, begun: reader.begun, cause })
  }
}

function isFailure (result: object): result is Failure {
  return 'code' in result
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
