import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

const listenTimeoutMs = 30_000

export interface ServerLivesOptions {
  readonly entry: string
  readonly dataDir: string
  /** An empty directory: no `.env`. */
  readonly cwd: string
  readonly modelUrl: string
  readonly key: string
  /** Added to the environment. */
  readonly env: Readonly<Record<string, string>>
}

/** The server process, one life after the other on the same data and port. */
export class ServerLives {
  readonly #options: ServerLivesOptions
  #port = 0
  #child: ChildProcess | null = null
  #stdout = ''
  #stderr = ''

  constructor (options: ServerLivesOptions) { this.#options = options }

  get url (): string { return `http://127.0.0.1:${this.#port}` }

  /** All that was written to stderr, where there are only errors. */
  get stderr (): string { return this.#stderr }

  get running (): boolean { return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null }

  /** @param crashAt where it kills itself; null: nowhere */
  start (crashAt: string | null): void {
    const { entry, dataDir, cwd, modelUrl, key, env } = this.#options
    this.#stdout = ''
    const child = spawn(process.execPath, [entry], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        DATA_DIR: dataDir,
        PORT: String(this.#port),
        MODEL: 'custom/plan',
        MODEL_BASE_URL: modelUrl,
        API_KEYS: `torture:${key}`,
        LOG_LEVEL: 'error',
        ...env,
        ...(crashAt === null ? {} : { CRASH_AT: crashAt })
      }
    })
    child.stdout.setEncoding('utf8').on('data', (text: string) => { this.#stdout += text })
    child.stderr.setEncoding('utf8').on('data', (text: string) => { this.#stderr += text })
    this.#child = child
  }

  /** @returns false: it ended before it listened */
  async listening (): Promise<boolean> {
    for (const deadline = performance.now() + listenTimeoutMs; this.running; await sleep(5)) {
      const port = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(this.#stdout)?.[1]
      if (port !== undefined) {
        this.#port = Number(port)
        return true
      }
      if (performance.now() > deadline) throw new Error(`The server does not listen: ${this.#stdout}\n${this.#stderr}`)
    }
    return false
  }

  /** Waits for the end of the process, at most `timeoutMs`. @returns whether it has ended */
  async ended (timeoutMs: number): Promise<boolean> {
    const child = this.#child
    if (child === null || !this.running) return true
    const timer = new AbortController()
    await Promise.race([once(child, 'exit'), sleep(timeoutMs, null, { signal: timer.signal }).catch(() => {})])
    timer.abort()
    return !this.running
  }

  /** How the process ended. */
  async end (signal: NodeJS.Signals): Promise<{ code: number | null, signal: NodeJS.Signals | null }> {
    const child = this.#child
    if (child === null) return { code: null, signal: null }
    if (this.running) {
      child.kill(signal)
      await once(child, 'exit')
    }
    return { code: child.exitCode, signal: child.signalCode }
  }
}
