import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { modelDrainMs, modelReadAheadBytes } from '../limits.ts'
import type { Agent } from './agent.ts'
import { failure, type Failure } from './failure.ts'
import { classifyNetworkError } from './network-failure.ts'

export interface ResponseTimeouts {
  /** From the request to the first byte of the body. */
  readonly firstByteMs: number
  /** Between two reads; comments count. */
  readonly idleMs: number
}

export interface UpstreamRequest {
  readonly agent: Agent
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeouts: ResponseTimeouts
}

/** What the next `read` found. */
export type Read =
  | { readonly type: 'bytes', readonly chunks: readonly Uint8Array[] }
  | { readonly type: 'end' }
  | { readonly type: 'failed', readonly failure: Failure }

/**
 * One request and its answer, read by pulling. It sits directly on undici's dispatch: whatever has arrived
 * since the last read comes at once, and a read that finds something waits for nothing.
 */
export class UpstreamResponse {
  status = 0
  headers: IncomingHttpHeaders = {}
  readonly #origin: string
  readonly #idleMs: number
  #controller: Dispatcher.DispatchController | null = null
  #timer: NodeJS.Timeout
  #queue: Uint8Array[] = []
  #queued = 0
  #end: Read | null = null
  #closed = false
  #begun = false
  #hurried = false
  #wake: (() => void) | null = null

  constructor (request: UpstreamRequest) {
    this.#origin = request.origin
    this.#idleMs = request.timeouts.idleMs
    this.#timer = setTimeout(() => {
      this.#finish({ type: 'failed', failure: failure('model_first_byte_timeout', `The model did not begin to answer within ${request.timeouts.firstByteMs} ms`, true) })
    }, request.timeouts.firstByteMs)
    request.agent.dispatch({ origin: request.origin, path: request.path, method: 'POST', headers: { ...request.headers }, body: request.body }, {
      onRequestStart: (controller) => {
        this.#controller = controller
        // Given up while the connection was still being made.
        if (this.#closed || this.#end !== null) controller.abort(new Error('given up'))
      },
      onResponseStart: (_controller, status, headers) => {
        if (status < 200) return
        this.status = status
        this.headers = headers
        this.#wakeUp()
      },
      onResponseData: (controller, chunk) => { this.#onData(controller, chunk) },
      onResponseEnd: () => { this.#finish({ type: 'end' }) },
      onResponseError: (_controller, error) => {
        this.#finish({ type: 'failed', failure: classifyNetworkError(error, this.status !== 0, this.#origin) })
      }
    })
  }

  /** Resolves when the head of the answer is there: `status` is 0 if it never came; `read` says why. */
  async head (): Promise<void> {
    while (this.status === 0 && this.#end === null) await this.#wait()
  }

  /** What has arrived, or the next that arrives. After an end or a failure it says the same again. */
  async read (): Promise<Read> {
    for (;;) {
      if (this.#queue.length > 0) {
        const chunks = this.#queue
        this.#queue = []
        this.#queued = 0
        if (this.#controller?.paused === true) this.#controller.resume()
        return { type: 'bytes', chunks }
      }
      if (this.#end !== null) return this.#end
      await this.#wait()
    }
  }

  /** Nothing that matters is missing: it may go on for `ms`, whatever signs of life it gives. The first call counts. */
  hurry (ms: number): void {
    if (this.#end !== null || !this.#begun || this.#hurried) return
    this.#hurried = true
    this.#armIdle(Math.min(ms, this.#idleMs))
  }

  /** Ends the waiting of a reader, with `reason` as what it finds. */
  fail (reason: Failure): void {
    this.#finish({ type: 'failed', failure: reason })
  }

  /**
   * The rest is not wanted. An answer that is about to end is given a moment to do so, which frees its
   * connection for the next request; otherwise the connection is cut.
   */
  close (options: { readonly drain: boolean }): void {
    if (this.#closed) return
    this.#closed = true
    this.#queue = []
    clearTimeout(this.#timer)
    if (this.#end !== null) return
    if (this.#controller?.paused === true) this.#controller.resume()
    if (options.drain) this.#timer = setTimeout(() => { this.#abort() }, modelDrainMs).unref()
    else this.#abort()
  }

  #onData (controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#closed || this.#end !== null) return
    if (!this.#begun) this.#armIdle(this.#idleMs)
    else if (!this.#hurried) this.#timer.refresh()
    this.#begun = true
    this.#queue.push(chunk)
    this.#queued += chunk.length
    if (this.#queued > modelReadAheadBytes) controller.pause()
    this.#wakeUp()
  }

  #armIdle (ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      // The reader is slow, not the model.
      if (this.#controller?.paused === true) this.#timer.refresh()
      else this.#finish({ type: 'failed', failure: failure('model_idle_timeout', `The model sent nothing for ${ms} ms in mid-answer`, true) })
    }, ms)
  }

  #finish (end: Read): void {
    if (this.#end !== null) return
    this.#end = end
    clearTimeout(this.#timer)
    if (end.type === 'failed') this.#abort()
    this.#wakeUp()
  }

  #abort (): void {
    if (this.#controller !== null && !this.#controller.aborted) this.#controller.abort(new Error('given up'))
  }

  #wakeUp (): void {
    const wake = this.#wake
    this.#wake = null
    wake?.()
  }

  #wait (): Promise<void> {
    return new Promise((resolve) => { this.#wake = resolve })
  }
}
