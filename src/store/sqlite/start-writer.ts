import { Worker } from 'node:worker_threads'
import * as limits from '../../limits.ts'
import { StoreError, type Append, type AppendResult } from '../event-log.ts'
import { pack, type Flat } from './packed-append.ts'
import type { Failure, FromWriter, Reply, ToWriter, WriterSettings } from './writer-messages.ts'

export interface Writer {
  append (append: Append): Promise<AppendResult>
  purge (sessionId: string, limit: number): Promise<boolean>
  forgetIdempotent (before: string, limit: number): Promise<number>
  /** After what was asked before. */
  close (): Promise<void>
}

interface Waiting { resolve (reply: Reply): void, reject (error: StoreError): void, size: number }

/**
 * Starts the thread that writes.
 * @param onFailure called once if it dies by itself: nothing can be stored any more
 * @throws StoreError when the file cannot be opened
 */
export async function startWriter (settings: WriterSettings, onFailure: (error: StoreError) => void): Promise<Writer> {
  const worker = new Worker(new URL('./writer.js', import.meta.url), { workerData: settings })
  const waiting: Waiting[] = []
  /** Answers on their way to who waits for them. */
  const settled: Array<{ resolve (reply: Reply): void, reply: Reply }> = []
  let waitingSize = 0
  let unsent: Flat[] = []
  let closing = false
  let dead: StoreError | null = null
  let isOpen = false
  let notOpened: StoreError | null = null
  let markOpened = () => {}
  const opened = new Promise<void>((resolve) => { markOpened = resolve })
  let markExited = () => {}
  const exited = new Promise<void>((resolve) => { markExited = resolve })

  worker.on('message', (message: FromWriter) => {
    switch (message.type) {
      case 'ready': markOpened(); break
      case 'not_opened': notOpened = errorOf(message.failure); break
      case 'replies': {
        const answered = waiting.splice(0, message.replies.length)
        for (const { size } of answered) waitingSize -= size
        for (const [i, { resolve }] of answered.entries()) settled.push({ resolve, reply: message.replies[i] ?? null })
        if (settled.length === answered.length) settle()
        break
      }
      default: message satisfies never
    }
  })
  let cause: unknown
  worker.on('error', (error) => { cause = error })
  worker.on('exit', () => {
    dead = new StoreError('storage_unavailable', closing ? 'The store is closed.' : 'The thread that writes the log has ended.', cause)
    for (const { reject } of waiting.splice(0)) reject(dead)
    markExited()
    if (isOpen && !closing) onFailure(dead)
  })

  /** Some a turn: much follows from each, and streams and other requests have their turn between. */
  function settle (): void {
    for (const { resolve, reply } of settled.splice(0, limits.repliesPerTurn)) resolve(reply)
    if (settled.length > 0) setImmediate(settle)
  }

  function send (message: ToWriter): void {
    flush() // what came before stays before
    worker.postMessage(message)
  }

  function flush (): void {
    if (unsent.length === 0) return
    const flat = unsent
    unsent = []
    worker.postMessage({ type: 'appends', flat } satisfies ToWriter)
  }

  function reply (size: number): Promise<Reply> {
    return new Promise((resolve, reject) => {
      waitingSize += size
      waiting.push({ resolve, reject, size })
    })
  }

  function refusal (size: number): StoreError | null {
    if (dead !== null) return dead
    if (closing) return new StoreError('storage_unavailable', 'The store is closed.')
    const full = waiting.length >= limits.queuedAppendsMax || waitingSize + size > limits.queuedAppendBytesMax
    return full ? new StoreError('storage_unavailable', 'Too much waits to be written.') : null
  }

  await Promise.race([opened, exited])
  if (dead !== null) throw notOpened ?? dead
  isOpen = true

  return {
    async append (append) {
      const size = sizeOf(append)
      const refused = refusal(size)
      if (refused !== null) throw refused
      // The appends of all sessions in this turn of the event loop go in one message.
      if (unsent.length === 0) setImmediate(flush)
      pack(append, unsent)
      const answer = await reply(size)
      return answer === null ? { status: 'appended' } : expectReply(answer, isResult)
    },
    async purge (sessionId, limit) {
      const refused = refusal(0)
      if (refused !== null) throw refused
      send({ type: 'purge', sessionId, limit })
      return expectReply(await reply(0), (answer) => typeof answer === 'boolean')
    },
    async forgetIdempotent (before, limit) {
      const refused = refusal(0)
      if (refused !== null) throw refused
      send({ type: 'forget_idempotent', before, limit })
      return expectReply(await reply(0), (answer) => typeof answer === 'number')
    },
    async close () {
      if (!closing && dead === null) {
        closing = true
        send({ type: 'close' })
      }
      await exited
    }
  }
}

function errorOf ({ code, message, cause }: Failure): StoreError {
  return new StoreError(code, message, cause ?? undefined)
}

function sizeOf ({ head, events }: Append): number {
  let size = head.state.length
  for (const event of events) size += event.json.length + (event.private?.length ?? 0)
  return size
}

function isResult (reply: Reply): reply is Exclude<AppendResult, { status: 'appended' }> {
  return typeof reply === 'object' && reply !== null && reply.status !== 'failed'
}

function expectReply<T extends Reply> (reply: Reply, expected: (reply: Reply) => reply is T): T {
  if (typeof reply === 'object' && reply?.status === 'failed') throw errorOf(reply)
  if (!expected(reply)) throw new Error(`the writer answered ${JSON.stringify(reply)}`)
  return reply
}
