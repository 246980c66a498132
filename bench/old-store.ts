/**
 * What age costs: the same calls on a new store and on one with many sessions and events.
 *
 *   node build/bench/old-store.js --sessions 100000 --events 5000000
 */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSqliteLog } from '../src/store/sqlite/open-sqlite-log.ts'
import type { EventLog, HeadRow } from '../src/store/event-log.ts'
import { anEvent, appendTo, at } from '../test/store/sample.ts'
import { fillStore, sessionName } from './fill-store.ts'

const { values } = parseArgs({ options: { sessions: { type: 'string', default: '5000' }, events: { type: 'string', default: '250000' }, rounds: { type: 'string', default: '400' } } })
const sessions = Number(values.sessions)
const eventsEach = Math.max(10, Math.round(Number(values.events) / sessions))
const rounds = Number(values.rounds)
const newSessions = 1_000 // a store as good as empty
const active = 100 // sessions at work at the same time

const dir = await mkdtemp(join(tmpdir(), 'old-store-'))
try {
  const few = join(dir, 'empty.db')
  const many = join(dir, 'old.db')
  await fillStore(few, newSessions, eventsEach)
  const started = performance.now()
  await fillStore(many, sessions, eventsEach)
  console.log(`${sessions} sessions, ${sessions * eventsEach} events, ${mib(await size(many))} MiB, made in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  await measure(few, newSessions) // the process warms up
  await rm(few)
  await fillStore(few, newSessions, eventsEach)
  const before = await measure(few, newSessions)
  const after = await measure(many, sessions)
  console.log(`${'ms'.padEnd(44)}${'new'.padStart(9)}${'old'.padStart(9)}${'factor'.padStart(9)}`)
  for (const [what, ms] of before) {
    const old = after.get(what) ?? NaN
    console.log(`${what.padEnd(44)}${ms.toFixed(3).padStart(9)}${old.toFixed(3).padStart(9)}${(old / ms).toFixed(2).padStart(9)}`)
  }
} finally {
  await rm(dir, { recursive: true })
}

async function measure (path: string, sessions: number): Promise<Map<string, number>> {
  const times = new Map<string, number>()
  const opening: number[] = []
  for (let i = 0; i < 10; i++) {
    const started = performance.now()
    const log = await openSqliteLog({ path })
    await log.listUnsettled(null, 50)
    opening.push(performance.now() - started)
    await log.close()
  }
  times.set('open and read what is unsettled', median(opening))

  const log = await openSqliteLog({ path })
  const any = () => sessionName(Math.floor(Math.random() * sessions))
  const team = 'team-1'
  const page = { cursor: null, limit: 50 }
  await timed(times, 'list sessions', () => log.listSessions({ ...page, team, status: null, metadata: {} }))
  await timed(times, 'list sessions that run', () => log.listSessions({ ...page, team, status: 'running', metadata: {} }))
  await timed(times, 'list sessions by two metadata', () => log.listSessions({ cursor: null, limit: 20, team, status: null, metadata: { project: 'p1', env: 'prod' } }))
  await timed(times, 'list pending approvals', () => log.listApprovals({ ...page, team, sessionId: null, runId: null, status: 'pending' }))
  await timed(times, 'list runs', () => log.listRuns({ ...page, sessionId: any(), status: null }))
  await timed(times, 'list what is unsettled', () => log.listUnsettled(null, 50))
  await timed(times, 'next expiry', () => log.nextExpiryAt())
  await timed(times, 'read a head', () => log.readHead(any()))
  await timed(times, 'read a page of 40 events', () => log.readEvents(any(), { after: 5, limit: 40, maxBytes: 1 << 20 }))

  const stamp = performance.now().toString(36)
  let made = 0
  await timed(times, 'create a session', () => log.append(appendTo(`ses_${stamp}_${made++}`, 0, { head: { team } })))

  const heads = new Map<string, HeadRow>()
  const step = async (id: string) => { heads.set(id, await storeStep(log, heads.get(id) ?? await log.readHead(id))) }
  const asleep = shuffled(sessions).map(sessionName)
  await timed(times, 'wake a session that slept', () => step(asleep.pop() ?? ''))
  const awake = [...heads.keys()].slice(0, active)
  for (const atOnce of [1, 10, 100]) {
    const label = `append, ${atOnce} at once`
    const cpuBefore = process.cpuUsage()
    const walls: number[] = []
    for (let i = 0; i < rounds; i++) {
      const ids = Array.from({ length: atOnce }, (_, n) => awake[(i * atOnce + n) % active] ?? '')
      const started = performance.now()
      await Promise.all(ids.map(step))
      walls.push((performance.now() - started) / atOnce)
    }
    const { user, system } = process.cpuUsage(cpuBefore)
    times.set(label, median(walls))
    times.set(`${label}, CPU of all threads`, (user + system) / 1000 / rounds / atOnce)
  }
  await log.close()
  return times
}

/** What a step of a run stores: an event, the head, the run. */
async function storeStep (log: EventLog, head: HeadRow | null): Promise<HeadRow> {
  if (head === null) throw new Error('the session is not there')
  const { sessionId, seq } = head
  const runId = `run_${sessionId}_bench`
  const json = JSON.stringify({ type: 'tool_call_end', seq: seq + 1, at, sessionId, runId, callId: `call_${seq}`, ok: true, content: 'x'.repeat(300) })
  const next: HeadRow = { ...head, seq: seq + 1, status: 'running', unsettled: true, state: JSON.stringify({ seq, padding: 'y'.repeat(1_000) }) }
  const { status } = await log.append(appendTo(sessionId, seq, {
    events: [anEvent(sessionId, seq + 1, { type: 'tool_call_end', runId, json })],
    head: next,
    runs: [{ runId, sessionId, status: 'running', summary: JSON.stringify({ runId, padding: 'z'.repeat(300), seq }) }]
  }))
  if (status !== 'appended') throw new Error(`the append was answered with ${status}`)
  return next
}

function shuffled (count: number): number[] {
  return Array.from({ length: count }, (_, i) => ({ i, by: Math.random() })).sort((a, b) => a.by - b.by).map(({ i }) => i)
}

async function timed (times: Map<string, number>, what: string, call: () => Promise<unknown>): Promise<void> {
  const each: number[] = []
  for (let i = 0; i < rounds; i++) {
    const started = performance.now()
    await call()
    each.push(performance.now() - started)
  }
  times.set(what, median(each))
}

function median (numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN
}

async function size (path: string): Promise<number> { return (await stat(path)).size }
function mib (bytes: number): number { return Math.round(bytes / (1024 * 1024)) }
