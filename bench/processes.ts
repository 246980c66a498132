import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export interface Subject {
  readonly name: string
  readonly url: string
  readonly pid: number
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>
  readonly dataDir: string
  /** From the start of the process until it listens. */
  readonly startMs: number
  /** Live heap after a forced collection, bytes. */
  heapUsed (): Promise<number>
  stop (): Promise<void>
}

const built = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

async function listening (child: ChildProcess, pattern: RegExp): Promise<string> {
  let output = ''
  child.stdout?.setEncoding('utf8')
  for await (const chunk of child.stdout ?? []) {
    output += chunk
    const match = pattern.exec(output)
    if (match?.[1] !== undefined) {
      child.stdout?.resume()
      return match[1]
    }
  }
  throw new Error(`it did not listen:\n${output}`)
}

async function end (child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

export async function startModel (): Promise<{ url: string, stop (): Promise<void> }> {
  const child = spawn(process.execPath, [built('./model.js')], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { url: await listening(child, /(http:\S+)/), stop: async () => { await end(child) } }
}

async function start (name: string, entry: string, args: string[], env: Record<string, string>, pattern: RegExp): Promise<Subject> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ecluse-bench-'))
  const dataDir = env['DATA_DIR'] ?? path.join(directory, 'data')
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--expose-gc', '--import', built('./heap-probe.js'), entry, ...args], {
    cwd: directory, stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', ...env }
  })
  const url = await listening(child, pattern)
  const startMs = performance.now() - startedAt
  const key = await readFile(path.join(dataDir, 'api-key'), 'utf8').catch(() => '')
  return {
    name,
    url,
    pid: child.pid ?? 0,
    headers: key === '' ? {} : { authorization: `Bearer ${key.trim()}` },
    dataDir,
    startMs,
    heapUsed: async () => {
      child.send('heap')
      const [bytes] = await once(child, 'message')
      return Number(bytes)
    },
    stop: async () => {
      await end(child)
      await rm(directory, { recursive: true, force: true })
    }
  }
}

export async function startEcluse (modelUrl: string, env: Record<string, string> = {}): Promise<Subject> {
  return await start('écluse', built('../bundle/main.js'), [], { MODEL: 'custom/bench', MODEL_BASE_URL: modelUrl, ...env }, /listens on (http:\S+)/)
}

/** `P` stores nothing, `F` commits every event to SQLite. */
export async function startFloor (kind: 'P' | 'F', modelUrl: string): Promise<Subject> {
  return await start(`floor ${kind}`, built('./floor.js'), [kind, modelUrl], {}, /(http:\S+)/)
}

/** CPU time of all threads of a process so far, ms. Linux. */
export function cpuMs (pid: number): number {
  let nanoseconds = 0
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0])
  }
  return nanoseconds / 1e6
}

/** Resident memory, bytes. Linux. */
export function residentBytes (pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}
