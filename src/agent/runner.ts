import { setTimeout as sleep } from 'node:timers/promises'
import { AgentError } from '../errors.ts'
import { restartDelayMs } from '../limits.ts'
import { StoreError } from '../store/event-log.ts'
import type { AgentContext } from './agent-context.ts'
import { callModel } from './call-model.ts'
import { Drive } from './drive.ts'
import { handleCalls } from './handle-calls.ts'
import { isLogFull } from './log-room.ts'
import { nextStep } from './next-step.ts'
import { workedMs } from './reduce.ts'
import { resume } from './resume.ts'
import { setPrompt } from './set-prompt.ts'
import { endRun, runError } from './settle.ts'

export interface RunnerOptions {
  /** Sessions at work at one time; more wait their turn. */
  readonly activeRunsMax: number
  readonly resumeRuns: boolean
}

interface Entry { drive: Drive | null, again: boolean, resume: boolean, done: Promise<void> }

const callShare = 0.8 // of the time to stop: calls that have begun may go on so long; the rest is for them to be stopped

/** Has the effects. Every effect ends in an append; what to do next is read from the state, never remembered. */
export class Runner {
  readonly #context: AgentContext
  readonly #options: RunnerOptions
  readonly #entries = new Map<string, Entry>()
  /** Sessions whose turn has not come. */
  readonly #waiting = new Set<string>()
  /** Sessions that the last process left at work: whoever wakes one first, it is resumed. */
  readonly #left = new Set<string>()
  #begun = false
  #stopping = false
  readonly #stop = new AbortController()

  constructor (context: AgentContext, options: RunnerOptions) {
    this.#context = context
    this.#options = options
  }

  /** Sessions at work, and those whose turn has not come. */
  get active (): number { return this.#entries.size + this.#waiting.size }

  get full (): boolean { return this.active >= this.#options.activeRunsMax }

  /** Nothing runs before. `left`: what the last process left at work, as it was before anybody could commit. */
  begin (left: Iterable<string>): void {
    for (const sessionId of left) this.#left.add(sessionId)
    this.#begun = true
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const sessionId of waiting) this.wake(sessionId)
  }

  /** There may be something to do. Harmless when there is not. */
  wake (sessionId: string): void {
    if (this.#stopping) return
    const entry = this.#entries.get(sessionId)
    if (entry !== undefined) {
      entry.again = true
      return
    }
    if (!this.#begun || this.#entries.size >= this.#options.activeRunsMax) {
      this.#waiting.add(sessionId)
      return
    }
    const started: Entry = { drive: null, again: false, resume: this.#left.delete(sessionId), done: Promise.resolve() }
    this.#entries.set(sessionId, started)
    started.done = this.#work(sessionId, started)
  }

  /** Stops what runs in the session; the drive then sees the cancel in the state. */
  interrupt (sessionId: string): void { this.#entries.get(sessionId)?.drive?.stop('cancel') }

  /** No new work; model calls stop at once, calls that have begun get most of `timeoutMs`. What is unfinished is resumed by the next start. */
  async stop (timeoutMs: number): Promise<void> {
    this.#stopping = true
    this.#stop.abort()
    this.#waiting.clear()
    for (const entry of this.#entries.values()) entry.drive?.stop('shutdown')
    const all = Promise.allSettled([...this.#entries.values()].map((entry) => entry.done))
    if (await endsWithin(all, timeoutMs * callShare)) return
    for (const entry of this.#entries.values()) entry.drive?.stopCalls()
    await endsWithin(all, timeoutMs * (1 - callShare))
  }

  async #work (sessionId: string, entry: Entry): Promise<void> {
    for (;;) {
      entry.again = false
      try {
        await this.#drive(sessionId, entry)
        entry.resume = false
      } catch (error) {
        // Treated like a crash of this runner: the log says where the session is, and it is taken up from there.
        this.#context.logger.error({ err: error, sessionId }, 'a run stopped on an error of the server')
        if (!this.#stopping) await this.#afterFailure(sessionId, entry, error)
      }
      if (this.#stopping || !entry.again) break
    }
    this.#entries.delete(sessionId)
    const [next] = this.#waiting
    if (next === undefined) return
    this.#waiting.delete(next)
    this.wake(next)
  }

  async #drive (sessionId: string, entry: Entry): Promise<void> {
    await this.#context.sessions.with(sessionId, async (live) => {
      if (live.state === null) return
      let drive: Drive | null = null
      try {
        for (let resumed = false; !this.#stopping;) {
          if (drive === null || drive.signal.aborted) {
            await drive?.close()
            drive = entry.drive = new Drive(this.#context, live)
          }
          drive.begin()
          try {
            // Again when a cancel cut it short: what had started has to be found out all the same.
            if (!resumed && (entry.resume || leftStarted(drive))) await resume(drive, this.#options.resumeRuns)
            resumed = true
            if (!await this.#step(drive)) return
          } catch (error) {
            // What was stopped says so by throwing; where to go on from there, the state tells.
            if (!drive.signal.aborted || error instanceof StoreError) throw error
          }
        }
      } finally {
        entry.drive = null
        await drive?.close()
      }
    })
  }

  /** @returns whether there is more to do */
  async #step (drive: Drive): Promise<boolean> {
    const { sessions } = this.#context
    const step = nextStep(drive.state, sessions.now())
    const deadline = this.#armDeadline(drive)
    try {
      switch (step.type) {
        case 'append':
          await sessions.commit(drive.live, (state, now) => {
            const again = state === null ? null : nextStep(state, now)
            return again?.type === 'append' ? again.events : []
          })
          return true
        case 'settle_cancel':
          await drive.commit((_state, run, now) => run.cancelRequested ? endRun(run, { status: 'cancelled', finishReason: 'cancelled' }, now) : [])
          return true
        case 'set_prompt': await setPrompt(drive, step.reason); return true
        case 'call_model':
          if (await isLogFull(this.#context, drive.live.id)) await drive.commit((_state, run, now) => run.cancelRequested ? [] : endRun(run, logFull(), now))
          else await callModel(drive)
          return true
        case 'handle_calls': await handleCalls(drive); return true
        case 'wait': case 'rest': return false
        default: return step satisfies never
      }
    } finally {
      clearTimeout(deadline)
    }
  }

  #armDeadline (drive: Drive): NodeJS.Timeout | undefined {
    const run = drive.run
    if (run === null) return undefined
    const left = run.limits.runTimeoutMs - workedMs(run, this.#context.sessions.now())
    // One more millisecond, so that the state agrees that the time is up.
    return setTimeout(() => { drive.stop('timeout') }, Math.max(0, left) + 1)
  }

  async #afterFailure (sessionId: string, entry: Entry, error: unknown): Promise<void> {
    await sleep(restartDelayMs, null, { signal: this.#stop.signal }).catch(() => {})
    entry.again = true
    entry.resume = true
    if (error instanceof StoreError) return // the next resume counts it, if it can be written
    const detail = error instanceof AgentError ? error.message : 'The server met an error that it does not know.'
    await this.#context.sessions.with(sessionId, async (live) => {
      await this.#context.sessions.commit(live, (state, now) => state?.run
        ? endRun(state.run, state.run.cancelRequested
          ? { status: 'cancelled', finishReason: 'cancelled' }
          : { status: 'failed', finishReason: 'error', error: runError('internal', detail) }, now)
        : [])
    }).catch((failure: unknown) => { this.#context.logger.error({ err: failure, sessionId }, 'the run could not be ended either') })
  }
}

async function endsWithin (work: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController()
  const ended = await Promise.race([work.then(() => true), sleep(ms, false, { signal: timer.signal }).catch(() => false)])
  timer.abort()
  return ended
}

function logFull () {
  const error = runError('log_full', 'The log of this session has reached its bound.', 'Go on in a new session.')
  return { status: 'failed', finishReason: 'error', error } as const
}

/** A call stands as started, and nobody executes it: the process that did is gone. */
function leftStarted (drive: Drive): boolean {
  return drive.run?.calls.some((call) => call.status === 'started') ?? false
}
