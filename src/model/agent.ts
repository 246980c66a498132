import type { Agent as UndiciAgent, Dispatcher } from 'undici'

/**
 * undici's agent, which is loaded for the first request: it takes 80 ms and 10 MB that a start, and a server without
 * work, can do without.
 */
export class Agent {
  readonly #options: UndiciAgent.Options
  #loaded: UndiciAgent | null = null
  #loading: Promise<UndiciAgent> | null = null

  constructor (options: UndiciAgent.Options) { this.#options = options }

  dispatch (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    if (this.#loaded !== null) this.#loaded.dispatch(options, handler)
    else void this.#load().then((agent) => { agent.dispatch(options, handler) })
  }

  /** Cuts what is under way. Nothing is dispatched any more. */
  async destroy (): Promise<void> { await (await this.#loading)?.destroy() }

  async #load (): Promise<UndiciAgent> {
    this.#loading ??= import('undici').then((undici) => (this.#loaded = new undici.Agent(this.#options)))
    return await this.#loading
  }
}
