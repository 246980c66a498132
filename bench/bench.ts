import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { fileText } from './file-text.ts'
import { all, modelFirstByteMs, places, quantile, run } from './load.ts'
import { residentBytes, startEcluse, startFloor, startModel, type Subject } from './processes.ts'

/**
 * `npm run bench [-- --quick]`: every figure of Écluse beside the two floors, measured in the same run, each subject
 * alone on the machine with the model and this client.
 */
const quick = process.argv.includes('--quick')
const pacedDeltas = 39
const pacedIntervalMs = 50
const atOnce = quick ? 50 : 200
const warmUps = quick ? 10 : 20

interface Figures {
  startMs: number
  restMiB: number
  firstTextMs: number
  pacedCpuMs: number
  pacedP99Ms: number
  loopDelayP99Ms: number | null
  readsCpuMs: number
  flood: Record<number, number>
  idleBytes: number | null
  pausedBytes: number | null
}

// What `npm start` runs.
execFileSync(process.execPath, ['scripts/bundle.mjs', 'build/src', 'build/bundle'], { cwd: fileURLToPath(new URL('../../', import.meta.url)), stdio: ['ignore', 'inherit', 'inherit'] })
const model = await startModel()
const results: Record<string, Figures> = {}
try {
  for (const start of [() => startFloor('P', model.url), () => startFloor('F', model.url), () => startEcluse(model.url)]) {
    const subject = await start()
    try {
      results[subject.name] = await measure(subject)
    } finally {
      await subject.stop()
    }
  }
} finally {
  await model.stop()
}
print(results)

async function measure (subject: Subject): Promise<Figures> {
  const ecluse = !subject.name.startsWith('floor')
  process.stderr.write(`${subject.name} …\n`)
  await sleep(500) // it listens; what it does right after that belongs to its rest
  const restMiB = residentBytes(subject.pid) / 2 ** 20
  // Each run in a session of its own, here and below: the floor has no history either.
  const greeted = await places(subject, (quick ? 20 : 100) + warmUps)
  for (const url of greeted.slice(0, warmUps)) await run(subject, url, 'hello')
  const over: number[] = []
  for (const url of greeted.slice(warmUps)) {
    const own = await modelFirstByteMs(model.url, 'hello')
    over.push((await run(subject, url, 'hello')).firstTextMs - own)
  }

  const pacedAt = await places(subject, atOnce)
  if (ecluse) await metric(subject, 'event_loop_delay_p99') // it counts from one look to the next
  const paced = await all(subject, pacedAt, `paced ${pacedDeltas} ${pacedIntervalMs}`)
  const deltas = paced.runs.reduce((sum, { deltas }) => sum + deltas, 0)
  if (deltas !== atOnce * pacedDeltas) throw new Error(`${subject.name}: ${deltas} of ${atOnce * pacedDeltas} deltas arrived`)
  const loopDelayP99Ms = ecluse ? await metric(subject, 'event_loop_delay_p99') : null

  const rounds = quick ? 20 : 60
  const reading = await places(subject, rounds + warmUps)
  for (const url of ecluse ? reading : []) await writeFile(path.join(subject.dataDir, 'workspaces', /ses_\w+/.exec(url)?.[0] ?? '', 'a.txt'), fileText)
  for (const url of reading.slice(0, warmUps)) await all(subject, [url], 'reads 8')
  let readsCpu = 0
  for (const url of reading.slice(warmUps)) readsCpu += (await all(subject, [url], 'reads 8')).cpuMs

  const flood: Record<number, number> = {}
  for (const count of quick ? [1, 50] : [1, 50, 200, 1_000]) {
    const each = Math.max(200, Math.round(100_000 / count))
    const { runs, wallMs } = await all(subject, await places(subject, count), `flood ${each}`)
    const arrived = runs.reduce((sum, { deltas }) => sum + deltas, 0)
    if (arrived !== count * each) throw new Error(`${subject.name}: ${arrived} of ${count * each} deltas arrived`)
    flood[count] = arrived / wallMs * 1_000
  }
  return {
    startMs: subject.startMs,
    restMiB,
    firstTextMs: quantile(over, 0.5),
    pacedCpuMs: paced.cpuMs / deltas * 1_000,
    pacedP99Ms: quantile(paced.runs.map(({ wallMs }) => wallMs), 0.99),
    loopDelayP99Ms,
    readsCpuMs: readsCpu / rounds,
    flood,
    ...(ecluse ? await memory(subject) : { idleBytes: null, pausedBytes: null })
  }
}

async function memory (subject: Subject): Promise<Pick<Figures, 'idleBytes' | 'pausedBytes'>> {
  const count = 1_000
  const before = await subject.heapUsed()
  const urls = await places(subject, count)
  const idle = await subject.heapUsed()
  for (let i = 0; i < count; i += 50) {
    await Promise.all(urls.slice(i, i + 50).map(async (url) => {
      const { statusCode, body } = await request(url, { method: 'POST', body: '{"content":"write"}', headers: { ...subject.headers, 'content-type': 'application/json' } })
      await body.dump()
      if (statusCode !== 202) throw new Error(`the write did not ask: ${statusCode}`)
    }))
  }
  const paused = await subject.heapUsed()
  return { idleBytes: (idle - before) / count, pausedBytes: (paused - idle) / count }
}

async function metric (subject: Subject, name: string): Promise<number | null> {
  const { body } = await request(`${subject.url}/metrics`, { headers: subject.headers })
  const line = (await body.text()).split('\n').find((line) => line.includes(name) && !line.startsWith('#'))
  if (line === undefined) return null
  return Number(line.split(' ').at(-1)) * (line.includes('seconds') ? 1_000 : 1)
}

function print (results: Record<string, Figures>): void {
  const p = results['floor P']
  const f = results['floor F']
  const e = results['écluse']
  if (p === undefined || f === undefined || e === undefined) throw new Error('a subject is missing')
  const number = (value: number | null | undefined): string => value == null || Number.isNaN(value) ? '–' : value >= 100 ? value.toFixed(0) : value.toPrecision(3)
  const row = (name: string, of: (figures: Figures) => number | null | undefined, aim: string, ratio: number | null): string =>
    `| ${name} | ${number(of(p))} | ${number(of(f))} | ${number(of(e))} | ${ratio === null ? '' : ratio.toFixed(2)} | ${aim} |`
  const table = [
    '| | P | F | Écluse | ratio | aim |', '| --- | --- | --- | --- | --- | --- |',
    row('CPU for 1,000 paced deltas, ms', ({ pacedCpuMs }) => pacedCpuMs, '≤ 1.5 P', e.pacedCpuMs / p.pacedCpuMs),
    row('first text over the model\'s, p50 ms', ({ firstTextMs }) => firstTextMs, '≤ 2 P', e.firstTextMs / p.firstTextMs),
    row('CPU of a run with eight read calls, ms', ({ readsCpuMs }) => readsCpuMs, '≤ 2 F', e.readsCpuMs / f.readsCpuMs),
    ...Object.keys(e.flood).map((count) => row(`deltas/s, ${count} at once`, ({ flood }) => flood[Number(count)], '≥ 0.5 P', (e.flood[Number(count)] ?? NaN) / (p.flood[Number(count)] ?? NaN))),
    row(`p99 wall of ${atOnce} paced runs, ms`, ({ pacedP99Ms }) => pacedP99Ms, '≤ 1.05 P', e.pacedP99Ms / p.pacedP99Ms),
    row('start-up, ms', ({ startMs }) => startMs, '< 350 (4 P)', e.startMs / p.startMs),
    row('memory at rest, MiB', ({ restMiB }) => restMiB, '≤ 81 (85 MB)', null),
    row('heap of an idle session, bytes', ({ idleBytes }) => idleBytes, '≤ 4096', null),
    row('heap of a paused approval, bytes', ({ pausedBytes }) => pausedBytes, '≤ 8192', null),
    row('event-loop delay p99 meanwhile, ms', ({ loopDelayP99Ms }) => loopDelayP99Ms, '< 30', null)
  ]
  process.stdout.write(`${table.join('\n')}\n`)
}
