import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { purgedEventsPerStep, purgeRetryMs } from '../limits.ts'
import type { EventLog } from '../store/event-log.ts'
import type { Workspaces } from '../workspace/workspace.ts'

/** Removes what deleted sessions leave: first the files, then the events, the head last, so that a restart finds what is left. */
export class Purger {
  readonly #log: EventLog
  readonly #workspaces: Workspaces
  readonly #logger: Pick<Logger, 'warn'>
  readonly #stop = new AbortController()
  readonly #pending = new Set<Promise<void>>()

  constructor (log: EventLog, workspaces: Workspaces, logger: Pick<Logger, 'warn'>) {
    this.#log = log
    this.#workspaces = workspaces
    this.#logger = logger
  }

  /** For a session whose `session_end` is in the log. */
  purge (sessionId: string): void {
    this.#track(this.#retrying(sessionId, async () => {
      await this.#workspaces.remove(sessionId, this.#stop.signal)
      while (!await this.#log.purge(sessionId, purgedEventsPerStep)) this.#stop.signal.throwIfAborted()
    }))
  }

  /** Of a session that did not come to be. */
  discardWorkspace (sessionId: string): void {
    this.#track(this.#retrying(sessionId, () => this.#workspaces.remove(sessionId, this.#stop.signal)))
  }

  async stop (): Promise<void> {
    this.#stop.abort()
    await Promise.allSettled(this.#pending)
  }

  #track (work: Promise<void>): void {
    this.#pending.add(work)
    void work.finally(() => { this.#pending.delete(work) })
  }

  async #retrying (sessionId: string, work: () => Promise<void>): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await work()
        return
      } catch (error) {
        if (this.#stop.signal.aborted) return
        this.#logger.warn({ err: error, sessionId }, 'a deleted session could not be removed; trying again')
        await sleep(purgeRetryMs, null, { signal: this.#stop.signal }).catch(() => {})
      }
    }
  }
}
