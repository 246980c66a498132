import type { Logger } from 'pino'
import { idempotencyKeyTtlMs, keysPerSweepStep, keySweepMs } from '../limits.ts'
import type { Sessions } from './sessions.ts'

/** Removes idempotency keys whose time is over: nobody would find them any more, and they would only pile up. */
export class KeySweep {
  readonly #sessions: Sessions
  readonly #logger: Pick<Logger, 'warn'>
  #timer: NodeJS.Timeout | null = null
  #stopped = false
  #sweeping: Promise<void> = Promise.resolve()

  constructor (sessions: Sessions, logger: Pick<Logger, 'warn'>) {
    this.#sessions = sessions
    this.#logger = logger
  }

  start (): void {
    this.#sweeping = this.#sweep().catch((error: unknown) => { this.#logger.warn({ err: error }, 'old idempotency keys could not be removed; trying again') })
    this.#timer = setTimeout(() => { this.start() }, keySweepMs).unref()
  }

  async stop (): Promise<void> {
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#sweeping
  }

  async #sweep (): Promise<void> {
    const { log, now } = this.#sessions
    const before = new Date(Date.parse(now()) - idempotencyKeyTtlMs).toISOString()
    while (!this.#stopped && await log.forgetIdempotent(before, keysPerSweepStep) === keysPerSweepStep);
  }
}
