import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { stat, writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { test, type Test } from 'tap'
import { openSqliteLog, type SqliteLogOptions } from '../../src/store/sqlite/open-sqlite-log.ts'
import { startChild } from './children/child.ts'
import { anEvent, appendTo } from './sample.ts'

const unavailable = { name: 'StoreError', code: 'storage_unavailable' }
const everything = { after: 0, limit: 100_000, maxBytes: 64 << 20 }

async function openLog (t: Test, path: string, options: Omit<SqliteLogOptions, 'path'> = {}) {
  const log = await openSqliteLog({ path, ...options })
  t.teardown(() => log.close())
  return log
}

/** What the child acknowledged must be in the log, and the log whole: an append is there with both of its events, or not. */
async function checkSurvivors (t: Test, path: string, acknowledged: Map<string, number>): Promise<void> {
  const log = await openSqliteLog({ path })
  for (const [sessionId, seq] of acknowledged) {
    const head = await log.readHead(sessionId)
    const seqs = (await log.readEvents(sessionId, everything)).map((event) => event.seq)
    t.ok(seqs.length >= seq, `${sessionId}: ${seqs.length} events, ${seq} acknowledged`)
    t.same(seqs, Array.from({ length: head?.seq ?? 0 }, (_, i) => i + 1))
    t.equal(seqs.length % 2, 0)
  }
  await log.close()
}

test('what was acknowledged survives kill -9, and the log has no gaps', async (t) => {
  const path = join(t.testdir(), 'events.db')
  const acknowledged = new Map<string, number>()
  for (const [round, ...crash] of [['killed'], ['killed'], ['crashes', 'before_commit', '40'], ['crashes', 'after_commit', '40']]) {
    const child = startChild(t, './append-loop.js', path, ...crash)
    let lines = 0
    for (let line = await child.line(); line !== null; line = await child.line()) {
      const [sessionId = '', seq] = line.split(' ')
      acknowledged.set(sessionId, Number(seq))
      if (++lines === 200 && round === 'killed') child.process.kill('SIGKILL')
    }
    t.ok(lines >= 100, `${round} after ${lines} appends`)
    await checkSurvivors(t, path, acknowledged)
  }
})

test('a lock that another process holds for two seconds delays an append, and nothing else', async (t) => {
  const path = join(t.testdir(), 'events.db')
  const log = await openLog(t, path)
  await log.append(appendTo('ses_1', 0))
  const holder = startChild(t, './hold-database.js', path)
  t.equal(await holder.line(), 'held')
  const started = performance.now()
  let settled = false
  const append = log.append(appendTo('ses_1', 1)).finally(() => { settled = true })
  let longestTurn = 0
  for (let last = performance.now(); last - started < 2_000;) {
    await wait(10)
    const now = performance.now()
    longestTurn = Math.max(longestTurn, now - last)
    last = now
    await log.readHead('ses_1')
  }
  t.notOk(settled, 'it waits')
  t.ok(longestTurn < 1_000, `the event loop goes on: its longest turn took ${longestTurn.toFixed(0)} ms`)
  holder.tell('let go')
  t.same(await append, { status: 'appended' })
  t.equal((await log.readEvents('ses_1', everything)).length, 2)
})

test('busyTimeoutMs: a lock held beyond the limit refuses the append, and the next one works', async (t) => {
  const path = join(t.testdir(), 'events.db')
  const log = await openLog(t, path, { busyTimeoutMs: 200 })
  await log.append(appendTo('ses_1', 0))
  const holder = startChild(t, './hold-database.js', path)
  t.equal(await holder.line(), 'held')
  const started = performance.now()
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => log.append(appendTo(`ses_${i}`, i === 1 ? 1 : 0))))
  t.ok(results.every((result) => result.status === 'rejected'))
  t.ok(performance.now() - started < 3_000, 'all of them wait once')
  await t.rejects(log.append(appendTo('ses_1', 1)), unavailable)
  holder.tell('let go')
  t.equal(await holder.line(), null)
  t.same(await log.append(appendTo('ses_1', 1)), { status: 'appended' })
})

test('a full disk refuses what does not fit, loses nothing, and passes', { skip: process.platform !== 'linux' && 'needs prlimit' }, async (t) => {
  const path = join(t.testdir(), 'events.db')
  const child = startChild(t, './append-one.js', path)
  const ask = async (line: string) => {
    child.tell(line)
    return await child.line()
  }
  t.equal(await child.line(), 'open')
  t.equal(await ask('ses_1 1000'), 'appended')
  const wal = (await stat(`${path}-wal`)).size
  const limitFiles = async (bytes: number | 'unlimited') => {
    await promisify(execFile)('prlimit', ['--pid', String(child.process.pid), `--fsize=${bytes}:`])
  }
  await limitFiles(wal + 100_000)
  t.equal(await ask('ses_1 500000'), 'storage_full')
  t.equal(await ask('ses_2 500000'), 'storage_full')
  t.equal(await ask('ses_3 1000'), 'appended', 'a small one still fits')
  child.tell('ses_4 500000\nses_5 1000')
  t.same([await child.line(), await child.line()], ['storage_full', 'appended'])
  await limitFiles('unlimited')
  t.equal(await ask('ses_1 500000'), 'appended', 'the fault has cleared')
  await child.kill()

  const log = await openLog(t, path)
  t.same((await log.readEvents('ses_1', everything)).map(({ seq, json }) => [seq, json.length]), [[1, 1_000], [2, 500_000]])
  t.same(await Promise.all(['ses_2', 'ses_3', 'ses_4', 'ses_5'].map(async (id) => (await log.readHead(id))?.seq)), [undefined, 1, undefined, 1])
})

test('in a commit that fails as a whole only the append at fault is refused', async (t) => {
  const log = await openLog(t, join(t.testdir(), 'events.db'))
  const broken = appendTo('ses_b', 0, { head: { updatedAt: null as never } }) // the types rule it out, the schema does too
  const results = await Promise.allSettled([
    log.append(appendTo('ses_a', 0)), log.append(broken), log.append(appendTo('ses_a', 1)), log.append(appendTo('ses_c', 0))
  ])
  t.match(results, [{ status: 'fulfilled' }, { status: 'rejected' }, { status: 'fulfilled' }, { status: 'fulfilled' }])
  t.equal((await log.readEvents('ses_a', everything)).length, 2)
  t.equal(await log.readHead('ses_b'), null)
})

test('when the thread that writes dies, what waits and what comes is refused, and reads go on', async (t) => {
  const failures: Error[] = []
  const log = await openLog(t, join(t.testdir(), 'events.db'), {
    crashAt: { point: 'before_commit', count: 2, victim: 'writer' }, onFailure: (error) => { failures.push(error) }
  })
  await log.append(appendTo('ses_1', 0))
  const results = await Promise.allSettled([log.append(appendTo('ses_1', 1)), log.append(appendTo('ses_2', 0)), log.purge('ses_1', 1)])
  t.match(results, Array(3).fill({ status: 'rejected', reason: unavailable }))
  await t.rejects(log.append(appendTo('ses_1', 1)), unavailable)
  t.match(failures, [unavailable], 'said once')
  t.match(await log.readHead('ses_1'), { seq: 1 })
})

test('a file of a newer server is read, and nothing is written to it', async (t) => {
  const path = join(t.testdir(), 'events.db')
  const first = await openSqliteLog({ path })
  await first.append(appendTo('ses_1', 0))
  await first.close()
  const db = new Database(path)
  db.pragma('user_version = 99')
  db.close()

  const log = await openLog(t, path)
  t.equal((await log.readEvents('ses_1', everything)).length, 1)
  const newer = { name: 'StoreError', code: 'log_newer' }
  await t.rejects(log.append(appendTo('ses_2', 0)), newer)
  await t.rejects(log.purge('ses_1', 10), newer)
  await t.rejects(log.forgetIdempotent('2030-01-01T00:00:00.000Z', 10), newer)
})

test('what is no database, or lies nowhere, is said when it is opened', async (t) => {
  const dir = t.testdir()
  await writeFile(join(dir, 'text.db'), 'no database at all, '.repeat(100))
  await t.rejects(openSqliteLog({ path: join(dir, 'text.db') }), { ...unavailable, message: /SQLITE_NOTADB/ })
  await t.rejects(openSqliteLog({ path: join(dir, 'missing', 'events.db') }), { ...unavailable, message: /ENOENT/ })
})

test('checkpointPages, walBytesKept: the file is its owner\'s alone, and the WAL stays small whatever is written', async (t) => {
  const path = join(t.testdir(), 'events.db')
  const log = await openLog(t, path)
  for (let seq = 0; seq < 20; seq++) {
    await log.append(appendTo('ses_1', seq, { events: [anEvent('ses_1', seq + 1, { json: 'x'.repeat(2 << 20) })] }))
  }
  t.equal((await stat(path)).mode & 0o777, 0o600)
  t.equal((await stat(`${path}-wal`)).mode & 0o777, 0o600)
  t.ok((await stat(`${path}-wal`)).size < 24 << 20)
  await log.close()
  await t.rejects(stat(`${path}-wal`), { code: 'ENOENT' })
})
