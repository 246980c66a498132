import { setTimeout as sleep } from 'node:timers/promises'
import { request, type Answer } from '../support/request.ts'

const pauseMs = 20

/** Asks a server that may be gone at any moment, again and again, until it answers. */
export class Api {
  readonly key: string
  readonly #url: () => string
  readonly #signal: AbortSignal

  /** @param signal when to give up */
  constructor (url: () => string, key: string, signal: AbortSignal) {
    this.#url = url
    this.key = key
    this.#signal = signal
  }

  get url (): string { return this.#url() }

  get signal (): AbortSignal { return this.#signal }

  async ask<T> (method: string, path: string, json?: unknown, headers: Record<string, string> = {}): Promise<Answer<T>> {
    for (;;) {
      try {
        const answer = await request<T>(`${this.url}${path}`, { method, key: this.key, headers, signal: this.#signal, ...(json === undefined ? {} : { json }) })
        if (answer.status !== 503) return answer
      } catch (error) {
        if (this.#signal.aborted) throw new Error(`No answer to ${method} ${path}`, { cause: error })
      }
      await sleep(pauseMs)
    }
  }
}
