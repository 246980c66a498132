/**
 * What age costs the server: the same requests on a data directory that is new and on one with many sessions.
 *
 *   node build/bench/old-server.js --sessions 100000
 */
import { cp, mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { request } from 'undici'
import { ageStore } from './age-store.ts'
import { quantile } from './load.ts'
import { startEcluse, startModel, type Subject } from './processes.ts'

const { values } = parseArgs({ options: { sessions: { type: 'string', default: '5000' }, rounds: { type: 'string', default: '100' } } })
const rounds = Number(values.rounds)
const scratch = await mkdtemp(path.join(os.tmpdir(), 'ecluse-old-'))
const model = await startModel()
try {
  const young = path.join(scratch, 'young')
  await makeTemplates(young)
  const old = path.join(scratch, 'old')
  await cp(young, old, { recursive: true })
  const startedAt = performance.now()
  const made = ageStore(path.join(old, 'ecluse.db'), Number(values.sessions))
  const { size } = await stat(path.join(old, 'ecluse.db'))
  process.stdout.write(`${made.sessions} sessions, ${made.events} events, ${(size / 2 ** 30).toFixed(2)} GiB, made in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s\n\n`)
  // Else the disk is still writing the copies while the server's commits wait for it.
  const file = await open(path.join(old, 'ecluse.db'), 'r+')
  await file.sync()
  await file.close()
  await measure(young) // the first one warms the machine's caches
  const before = await measure(young)
  const after = await measure(old)
  process.stdout.write('| ms, p50 | new | old | factor |\n| --- | --- | --- | --- |\n')
  for (const [what, ms] of before) process.stdout.write(`| ${what} | ${ms.toFixed(2)} | ${after.get(what)?.toFixed(2)} | ${((after.get(what) ?? NaN) / ms).toFixed(2)} |\n`)
} finally {
  await model.stop()
  await rm(scratch, { recursive: true, force: true })
}

async function call (subject: Subject, method: 'GET' | 'POST', url: string, json?: object): Promise<{ status: number, json: { id?: string, items?: Array<{ callId: string }>, approvals?: Array<{ callId: string }> } }> {
  const { statusCode, body } = await request(`${subject.url}${url}`, {
    method, headers: { ...subject.headers, 'content-type': 'application/json' }, ...(json === undefined ? {} : { body: JSON.stringify(json) })
  })
  return { status: statusCode, json: await body.json() as never } // the fields that this script reads
}

/** A session with four finished runs of three read calls each, and one that waits for an approval. */
async function makeTemplates (dataDir: string): Promise<void> {
  const subject = await startEcluse(model.url, { DATA_DIR: dataDir })
  for (const messages of [['reads 3', 'reads 3', 'reads 3', 'reads 3'], ['reads 3', 'write']]) {
    const { json: { id } } = await call(subject, 'POST', '/sessions', { metadata: { project: 'old' } })
    await writeFile(path.join(dataDir, 'workspaces', String(id), 'a.txt'), 'one\ntwo\nthree\n')
    for (const content of messages) await call(subject, 'POST', `/sessions/${id}/messages`, { content })
  }
  await subject.stop()
}

async function measure (dataDir: string): Promise<Map<string, number>> {
  const starts: number[] = []
  for (let i = 0; i < 5; i++) {
    const subject = await startEcluse(model.url, { DATA_DIR: dataDir })
    starts.push(subject.startMs)
    await subject.stop()
  }
  const subject = await startEcluse(model.url, { DATA_DIR: dataDir })
  const figures = new Map([['start-up', quantile(starts, 0.5)]])
  const timed = async (what: string, work: (round: number) => Promise<unknown>): Promise<void> => {
    const times: number[] = []
    for (let i = 0; i < rounds; i++) {
      const startedAt = performance.now()
      await work(i)
      times.push(performance.now() - startedAt)
    }
    figures.set(what, quantile(times, 0.5))
  }
  await timed('list sessions', () => call(subject, 'GET', '/sessions?limit=2'))
  await timed('list sessions by status and metadata', () => call(subject, 'GET', '/sessions?limit=1&status=awaiting_approval&metadata.project=old'))
  await timed('list pending approvals', () => call(subject, 'GET', '/approvals?status=pending&limit=1'))
  const sessions: string[] = []
  await timed('make a session', async () => { sessions.push(String((await call(subject, 'POST', '/sessions', {})).json.id)) })
  await timed('a new run, to its answer', (i) => call(subject, 'POST', `/sessions/${sessions[i]}/messages`, { content: 'hello' }))
  const calls: string[] = []
  await timed('a run up to its question', async (i) => {
    calls.push(String((await call(subject, 'POST', `/sessions/${sessions[i]}/messages`, { content: 'write' })).json.approvals?.[0]?.callId))
  })
  await timed('an approval', (i) => call(subject, 'POST', `/approvals/${calls[i]}`, { decision: 'deny' }))
  await subject.stop()
  return figures
}
