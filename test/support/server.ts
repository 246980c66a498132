/**
 * The real server process, for tests that see it as a client does.
 *
 *     import { test } from 'tap'
 *     import type { Session } from '../../src/protocol/resources.ts'
 *     import { startServer } from '../support/server.ts'
 *
 *     test('a session is there after a restart', async (t) => {
 *       const server = await startServer(t, { env: { MAX_STEPS: '5' } })
 *       const { json: session } = await server.post<Session>('/sessions', { title: 'x' })
 *       const stream = await server.stream(`/sessions/${session.id}/events`)
 *       t.match(await stream.until('session_start'), [{ id: '1', event: 'session_start', data: { seq: 1 } }])
 *       await server.kill('SIGKILL')
 *       await server.restart()                       // same data, same port
 *       t.equal((await server.get(`/sessions/${session.id}`)).status, 200)
 *     })
 *
 * Every server is ended with its test, by its process id; so is its data directory if the test did not bring its own.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, mkdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { openStream, type EventStream } from './event-stream.ts'
import { request, type Answer, type RequestOptions } from './request.ts'

/** `SERVER_ENTRY=build/bundle/main.js` runs these tests against the bundle. */
const productEntry = process.env['SERVER_ENTRY'] === undefined ? fileURLToPath(new URL('../../src/main.js', import.meta.url)) : path.resolve(process.env['SERVER_ENTRY'])
const startTimeoutMs = 20_000

export interface ServerOptions {
  /** Added to an environment that has nothing but PATH, a free PORT and the data directory. */
  readonly env?: Readonly<Record<string, string>>
  /** Kept after the test. Left out: a fresh one, removed after it. */
  readonly dataDir?: string
  /** Base URL of an OpenAI-compatible server: becomes `MODEL=custom/test`. Left out: the demo. */
  readonly model?: string
  /** Another main script than the product's, absolute. */
  readonly entry?: string
}

export interface Exit { readonly code: number | null, readonly signal: NodeJS.Signals | null }

export interface TestServer {
  readonly url: string
  /** An API key with every scope, or the first of `API_KEYS`. */
  readonly key: string
  readonly pid: number
  readonly dataDir: string
  /** What the process has written so far, restarts included. */
  readonly stdout: () => string
  readonly stderr: () => string
  /** Sends a signal and waits for the end of the process. */
  kill (signal: NodeJS.Signals): Promise<Exit>
  /** Sends a signal and does not wait. */
  signal (signal: NodeJS.Signals): void
  /** When the process has ended. */
  exit (): Promise<Exit>
  /** SIGTERM, and waits. */
  stop (): Promise<Exit>
  /** Starts the process again on the same data and port; ends it first, with SIGTERM, if it runs. `env` adds to what it had. */
  restart (env?: Readonly<Record<string, string>>): Promise<void>
  get<T = unknown> (path: string, options?: RequestOptions): Promise<Answer<T>>
  /** `body` is sent as JSON; undefined sends none. */
  post<T = unknown> (path: string, body?: unknown, options?: RequestOptions): Promise<Answer<T>>
  request<T = unknown> (method: string, path: string, options?: RequestOptions): Promise<Answer<T>>
  stream (path: string, options?: { headers?: Record<string, string>, lastEventId?: string, method?: string, body?: unknown }): Promise<EventStream>
}

/** @throws Error with the output of the process when it does not listen */
export async function startServer (t: Test, options: ServerOptions = {}): Promise<TestServer> {
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'ecluse-'))
  const dataDir = options.dataDir ?? path.join(scratch, 'data')
  await mkdir(path.join(scratch, 'cwd')) // an empty one: no .env
  const output = { stdout: '', stderr: '' }
  let environment: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: dataDir,
    PORT: '0',
    ...(options.model === undefined ? {} : { MODEL: 'custom/test', MODEL_BASE_URL: options.model }),
    ...options.env
  }
  const entry = options.entry ?? productEntry
  let child = spawnServer(entry, environment, path.join(scratch, 'cwd'), output)
  const streams = new Set<EventStream>()
  t.teardown(async () => {
    for (const stream of streams) await stream.close()
    if (running(child)) child.kill('SIGKILL')
    await exitOf(child)
    await rm(scratch, { recursive: true, force: true })
  })
  let url = await listening(child, output)
  const key = await keyOf(environment, dataDir)
  const options_ = (given: RequestOptions = {}): RequestOptions => ({ key, ...given })

  const server: TestServer = {
    get url () { return url },
    get pid () { return child.pid ?? 0 },
    key,
    dataDir,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    signal: (signal) => { child.kill(signal) },
    exit: async () => await exitOf(child),
    kill: async (signal) => {
      child.kill(signal)
      return await exitOf(child)
    },
    stop: async () => await server.kill('SIGTERM'),
    restart: async (env = {}) => {
      if (running(child)) await server.stop()
      environment = { ...environment, PORT: new URL(url).port, ...env }
      child = spawnServer(entry, environment, path.join(scratch, 'cwd'), output)
      url = await listening(child, output)
    },
    get: async (at, given) => await request(`${url}${at}`, options_(given)),
    post: async (at, body, given) => await request(`${url}${at}`, { method: 'POST', ...(body === undefined ? {} : { json: body }), ...options_(given) }),
    request: async (method, at, given) => await request(`${url}${at}`, { method, ...options_(given) }),
    stream: async (at, given) => {
      const stream = await openStream(`${url}${at}`, { key, ...given })
      streams.add(stream)
      return stream
    }
  }
  return server
}

function spawnServer (entry: string, environment: Record<string, string>, cwd: string, output: { stdout: string, stderr: string }): ChildProcess {
  const child = spawn(process.execPath, ['--enable-source-maps', entry], { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.setEncoding('utf8').on('data', (text: string) => { output.stdout += text })
  child.stderr.setEncoding('utf8').on('data', (text: string) => { output.stderr += text })
  return child
}

const running = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

async function exitOf (child: ChildProcess): Promise<Exit> {
  if (running(child)) await once(child, 'exit')
  return { code: child.exitCode, signal: child.signalCode }
}

/** The banner's first line says where; only what comes after this call counts. */
async function listening (child: ChildProcess, output: { stdout: string, stderr: string }): Promise<string> {
  const before = output.stdout.length
  const deadline = performance.now() + startTimeoutMs
  for (;;) {
    const match = /listens on (http:\/\/\S+)/.exec(output.stdout.slice(before))
    if (match?.[1] !== undefined) return match[1]
    if (!running(child) || performance.now() > deadline) {
      if (running(child)) child.kill('SIGKILL')
      throw new Error(`The server does not listen (exit code ${child.exitCode}).\n${output.stdout}\n${output.stderr}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function keyOf (environment: Record<string, string>, dataDir: string): Promise<string> {
  const configured = environment['API_KEYS']?.split(',')[0]?.split(':').at(-1)
  if (configured !== undefined) return configured
  const file = path.join(dataDir, 'api-key')
  return existsSync(file) ? (await readFile(file, 'utf8')).trim() : ''
}
