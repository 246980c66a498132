import type { Logger } from 'pino'
import { expiredPerStep, expiryRetryMs } from '../limits.ts'
import { decideExpiry } from './decide-approval.ts'
import type { Sessions } from './sessions.ts'

const longestTimerMs = 2 ** 31 - 1 // setTimeout fires at once beyond it

/** One timer for the expiries of all sessions, set to the earliest; none when nothing can expire. */
export class Expiry {
  readonly #sessions: Sessions
  readonly #logger: Pick<Logger, 'error'>
  #timer: NodeJS.Timeout | null = null
  #armedFor: string | null = null
  #stopped = false

  constructor (sessions: Sessions, logger: Pick<Logger, 'error'>) {
    this.#sessions = sessions
    this.#logger = logger
  }

  /** Takes in what expired while nobody looked, and waits for the next. */
  async start (): Promise<void> { await this.#fire() }

  /** Something will expire at `at`, RFC 3339. */
  arm (at: string | null): void {
    if (at === null || this.#stopped || (this.#armedFor !== null && this.#armedFor <= at)) return
    this.#set(at, Date.parse(at) - Date.parse(this.#sessions.now()))
  }

  stop (): void {
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #set (at: string, delayMs: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#armedFor = at
    this.#timer = setTimeout(() => { void this.#fire() }, Math.min(Math.max(delayMs, 0), longestTimerMs))
    this.#timer.unref()
  }

  async #fire (): Promise<void> {
    this.#armedFor = null
    try {
      for (;;) {
        const due = await this.#sessions.log.listExpired(this.#sessions.now(), expiredPerStep)
        let settled = 0
        for (const sessionId of due) {
          const { status } = await this.#sessions.with(sessionId, (live) => this.#sessions.commit(live, decideExpiry))
          if (status === 'committed') settled++
        }
        if (settled === 0) break
      }
      this.arm(await this.#sessions.log.nextExpiryAt())
    } catch (error) {
      this.#logger.error({ err: error }, 'approvals could not be expired; trying again')
      if (!this.#stopped) this.#set(this.#sessions.now(), expiryRetryMs)
    }
  }
}
