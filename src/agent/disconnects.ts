import { decideCancel } from './decide-run.ts'
import type { LiveSession } from './live-session.ts'
import type { CommitNotice, Sessions } from './sessions.ts'
import type { SessionState } from './state.ts'

/** Cancels runs that were sent with `cancelOnDisconnect` once nobody has followed them for a while. */
export class Disconnects {
  readonly #sessions: Sessions
  readonly #graceMs: number
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor (sessions: Sessions, graceMs: number) {
    this.#sessions = sessions
    this.#graceMs = graceMs
  }

  onFollowed (live: LiveSession, followed: boolean): void {
    if (followed) this.#disarm(live.id)
    else if (live.state !== null) this.#arm(live.state)
  }

  onCommit ({ live, after, events }: CommitNotice): void {
    if (!live.followed && events.some((event) => event.type === 'run_start')) this.#arm(after)
    if (after.run === null) this.#disarm(live.id)
  }

  stop (): void { for (const sessionId of this.#timers.keys()) this.#disarm(sessionId) }

  #arm (state: SessionState): void {
    const run = state.run
    if (run?.cancelOnDisconnect !== true || this.#timers.has(state.sessionId)) return
    const timer = setTimeout(() => {
      this.#timers.delete(state.sessionId)
      void this.#sessions.with(state.sessionId, async (live) => {
        if (live.followed) return
        await this.#sessions.commit(live, (state) => state === null || state.ended
          ? []
          : decideCancel(state, run.runId, { kind: 'cancel' }, `Nobody followed the run for ${this.#graceMs / 1000} s.`))
      }).catch(() => {}) // the store said so in its own log; the run goes on, which loses nothing
    }, this.#graceMs)
    timer.unref()
    this.#timers.set(state.sessionId, timer)
  }

  #disarm (sessionId: string): void {
    clearTimeout(this.#timers.get(sessionId))
    this.#timers.delete(sessionId)
  }
}
