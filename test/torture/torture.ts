import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { crashPoints } from '../support/crash-hooks.ts'
import { startPlanModel } from '../support/plan-model.ts'
import { Api } from './api.ts'
import { check, type Verdict } from './check.ts'
import { gather } from './evidence.ts'
import type { Notes } from './notes.ts'
import { Random } from './random.ts'
import { ServerLives } from './server-lives.ts'
import { talk } from './talk.ts'

export interface TortureOptions {
  readonly kills: number
  readonly seed: number
  /** Clients at work at once. */
  readonly clients?: number
  /** Another main script than the one that can be killed at points, absolute. */
  readonly entry?: string
  readonly env?: Readonly<Record<string, string>>
  /** Messages that clients have sent before the first kill; default: a few, or none. */
  readonly messagesFirst?: number
  /** Points to be killed at, in turn; default: all. */
  readonly points?: readonly string[]
  /** Told now and then how far it has come. */
  readonly onProgress?: (text: string) => void
}

const crashMain = fileURLToPath(new URL('../support/crash-main.js', import.meta.url))
const modelPaceMs = 2
const pointPatienceMs = 2_500
const finishMs = 60_000
const purgeMs = 10_000

/** Puts a server under clients, kills it again and again, lets the clients finish, and judges what is left. */
export async function torture (options: TortureOptions): Promise<Verdict> {
  const random = new Random(options.seed)
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'ecluse-torture-'))
  const dataDir = path.join(scratch, 'data')
  await mkdir(path.join(scratch, 'cwd'))
  const model = await startPlanModel(modelPaceMs)
  const key = randomBytes(16).toString('hex')
  const lives = new ServerLives({ entry: options.entry ?? crashMain, dataDir, cwd: path.join(scratch, 'cwd'), modelUrl: model.baseUrl, key, env: options.env ?? {} })
  const notes: Notes = { sessions: [], faults: [] }
  const giveUp = new AbortController()
  let stopping = false
  try {
    lives.start(null)
    if (!await lives.listening()) throw new Error(`The server does not start: ${lives.stderr}`)
    const api = new Api(() => lives.url, key, giveUp.signal)
    const clients = Promise.all(Array.from({ length: options.clients ?? 4 }, (_, index) =>
      talk(`talk${index + 1}`, { api, dataDir, notes, random: random.fork(), stopping: () => stopping })))
    const broken = clients.then(() => null, (error: unknown) => error)
    const kills = await killAgainAndAgain(lives, random.fork(), notes, options)

    stopping = true
    const timer = setTimeout(() => { giveUp.abort() }, finishMs)
    const error = await reviving(lives, notes, broken)
    clearTimeout(timer)
    if (error !== null) notes.faults.push(`the clients did not come to an end: ${String(error)}`)
    const deleted = notes.sessions.filter((session) => session.deleted).map(({ id }) => path.join(dataDir, 'workspaces', id))
    for (const end = performance.now() + purgeMs; deleted.some((directory) => existsSync(directory)) && performance.now() < end;) await sleep(50)
    await sleep(200) // the last rows of what is purged
    const { code } = await lives.end('SIGTERM')
    if (code !== 0) notes.faults.push(`after SIGTERM the server ended with ${code}`)

    const verdict = check(await gather(dataDir, notes, { stderr: lives.stderr, modelFaults: model.faults }))
    return { faults: verdict.faults, counts: { ...kills, ...verdict.counts, 'model calls': model.requests() } }
  } finally {
    giveUp.abort()
    await lives.end('SIGKILL')
    await model.close()
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Waits for the clients; a server that ends though nobody kills it is a fault, and started again, so that they can finish. */
async function reviving<T> (lives: ServerLives, notes: Notes, clients: Promise<T>): Promise<T> {
  const left = new Set([clients])
  void clients.then(() => left.clear())
  for (; left.size > 0; await sleep(20)) {
    if (lives.running) continue
    notes.faults.push('the server ended though nobody killed it')
    lives.start(null)
    await lives.listening()
  }
  return await clients
}

/** Every other life ends at a point, the others at any moment, some before the server listens. At the end it runs. */
async function killAgainAndAgain (lives: ServerLives, random: Random, notes: Notes, options: TortureOptions): Promise<Record<string, number>> {
  const points = options.points ?? crashPoints
  const counts: Record<string, number> = { kills: 0, 'kills at any moment': 0, 'kills while it starts': 0 }
  const count = (name: string): void => { counts[name] = (counts[name] ?? 0) + 1 }
  const sent = (): number => notes.sessions.reduce((sum, { messages }) => sum + messages.length, 0)
  for (const end = performance.now() + finishMs; sent() < (options.messagesFirst ?? 0) && performance.now() < end && lives.running;) await sleep(20)
  await sleep(random.integer(200, 800))
  for (let kill = 1, turn = 0; kill <= options.kills; kill++) {
    const point = kill % 2 === 0 ? points[turn++ % points.length] ?? null : null
    await lives.end('SIGKILL')
    count('kills')
    lives.start(point === null ? null : `${point}:${point.endsWith('commit') ? random.integer(1, 40) : random.integer(1, 3)}`)
    if (point !== null) {
      if (await lives.ended(pointPatienceMs + random.integer(0, 500))) count(`kills at ${point}`)
      else count('kills at any moment')
    } else if (random.chance(0.15)) {
      await sleep(random.integer(0, 400))
      count('kills while it starts')
    } else {
      await lives.listening()
      await sleep(random.integer(0, 900))
      count('kills at any moment')
    }
    const { code, signal } = await lives.end('SIGKILL')
    if (signal !== 'SIGKILL') notes.faults.push(`the server ended by itself with ${code ?? signal}`)
    if (kill % 20 === 0) options.onProgress?.(`${kill} of ${options.kills} kills`)
  }
  if (!lives.running) {
    lives.start(null)
    if (!await lives.listening()) notes.faults.push('the server does not start any more')
  }
  return counts
}
