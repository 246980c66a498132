/** The thread that writes: an fsync, or a lock that another process holds, stops it and not the event loop. */
import { closeSync, openSync } from 'node:fs'
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads'
import Database from 'better-sqlite3'
import * as limits from '../../limits.ts'
import { prepareApply } from './apply-append.ts'
import { failureOf, isBusy } from './failure.ts'
import { prepareHousekeeping } from './housekeeping.ts'
import { unpack, type PackedAppend } from './packed-append.ts'
import { configureWriter, migrate } from './schema.ts'
import type { CrashPoint, FromWriter, Reply, ToWriter, WriterSettings } from './writer-messages.ts'

type Job = PackedAppend | Exclude<ToWriter, { type: 'appends' }>

function serve (port: MessagePort, settings: WriterSettings): void {
  const post = (message: FromWriter) => { port.postMessage(message) }
  let writer
  try {
    writer = openWriter(settings)
  } catch (error) {
    post({ type: 'not_opened', failure: failureOf(error) })
    port.close()
    return
  }
  const { commit, tend, close } = writer
  const queue: Job[] = []

  port.on('message', (first: ToWriter) => {
    enqueue(queue, first)
    while (queue.length > 0) {
      // All that came while the last commit was on its way to the disk goes into this one.
      for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) enqueue(queue, next.message)
      const batch: PackedAppend[] = []
      for (const job of queue) {
        if ('type' in job || batch.length >= limits.appendsPerCommitMax) break
        batch.push(job)
      }
      if (batch.length > 0) {
        queue.splice(0, batch.length)
        post({ type: 'replies', replies: commit(batch) })
        continue
      }
      const job = queue.shift()
      if (job === undefined || !('type' in job)) continue
      if (job.type === 'close') {
        close()
        port.close()
        return
      }
      post({ type: 'replies', replies: [tend(job)] })
    }
  })
  post({ type: 'ready' })
}

function enqueue (queue: Job[], message: ToWriter): void {
  if (message.type === 'appends') queue.push(...unpack(message.flat))
  else queue.push(message)
}

function openWriter ({ path, busyTimeoutMs, logVersion, crashAt }: WriterSettings) {
  closeSync(openSync(path, 'a', 0o600)) // SQLite would make it readable for others
  const db = new Database(path, { timeout: busyTimeoutMs })
  configureWriter(db)
  const writable = migrate(db)
  const apply = prepareApply(db, logVersion)
  const housekeeping = prepareHousekeeping(db)
  const begin = db.prepare('BEGIN IMMEDIATE')
  const end = db.prepare('COMMIT')
  const crash = countdown(crashAt)
  const newer: Reply = { status: 'failed', code: 'log_newer', message: 'The database was written by a newer server; this one only reads it.', cause: null }

  /** One transaction for all; when it fails as a whole, one for each, so that an append fails for itself alone. */
  function commit (batch: readonly PackedAppend[]): Reply[] {
    if (!writable) return batch.map(() => newer)
    try {
      begin.run()
      const replies = batch.map(apply)
      crash('before_commit')
      end.run()
      crash('after_commit')
      return replies
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK')
      // A lock concerns them all, and each of them would wait for it as long again.
      if (batch.length === 1 || isBusy(error)) return batch.map(() => failureOf(error))
      return batch.flatMap((append) => commit([append]))
    }
  }

  function tend (job: Exclude<Job, PackedAppend | { type: 'close' }>): Reply {
    if (!writable) return newer
    try {
      switch (job.type) {
        case 'purge': return housekeeping.purge(job.sessionId, job.limit)
        case 'forget_idempotent': return housekeeping.forgetIdempotent(job.before, job.limit)
        default: return job satisfies never
      }
    } catch (error) {
      return failureOf(error)
    }
  }

  return { commit, tend, close: () => { db.close() } }
}

function countdown (crashAt: CrashPoint | null): (point: CrashPoint['point']) => void {
  let left = crashAt?.count ?? 0
  return (point) => {
    if (crashAt?.point !== point || --left !== 0) return
    if (crashAt.victim === 'process') process.kill(process.pid, 'SIGKILL')
    process.exit(1) // in a worker: of this thread alone
  }
}

if (parentPort === null) throw new Error('the writer is a worker thread')
// workerData is what startWriter passes.
serve(parentPort, workerData as WriterSettings)
