import { Worker } from 'node:worker_threads'
import { ToolFailure } from '../../errors.ts'
import { searchTimeoutMs, searchWorkerGraceMs } from '../../limits.ts'
import { toolCodes, type ToolCode } from '../../protocol/error-codes.ts'
import type { FileSearch, FoundFiles, FoundText, SearchScope, TextQuery } from './file-search.ts'

export interface PlainSearchOptions {
  /** That of `openWorkspaces`. */
  readonly dataDir: string
}

/** What the thread is asked: without a query for files alone. */
export interface PlainRequest {
  readonly dataDir: string
  readonly scope: SearchScope
  readonly query: TextQuery | null
  readonly timeoutMs: number
}

export type PlainReply =
  | { readonly type: 'files', readonly found: FoundFiles }
  | { readonly type: 'text', readonly found: FoundText }
  | { readonly type: 'failure', readonly code: string, readonly message: string, readonly suggestion: string | null }

/** Looks through files in a thread of its own, which is ended when it takes too long: patterns come from models. */
export function plainSearch ({ dataDir }: PlainSearchOptions): FileSearch {
  return {
    async find (scope, signal) {
      const reply = await ask({ dataDir, scope, query: null, timeoutMs: searchTimeoutMs }, signal)
      return reply?.type === 'files' ? reply.found : { files: [], more: false, timedOut: true }
    },
    async search (scope, query, signal) {
      const reply = await ask({ dataDir, scope, query, timeoutMs: searchTimeoutMs }, signal)
      return reply?.type === 'text' ? reply.found : { files: [], more: false, timedOut: true, ignoredMatches: [] }
    }
  }
}

/** Null: it did not answer in time. */
async function ask (request: PlainRequest, signal: AbortSignal): Promise<PlainReply | null> {
  if (signal.aborted) throw cancelled()
  const worker = new Worker(new URL('./plain-search-worker.js', import.meta.url), { workerData: request, env: {}, execArgv: [] })
  try {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => { finish(() => { resolve(null) }) }, request.timeoutMs + searchWorkerGraceMs)
      const onAbort = (): void => { finish(() => { reject(cancelled()) }) }
      const finish = (settle: () => void): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        settle()
      }
      signal.addEventListener('abort', onAbort, { once: true })
      worker.on('error', (error) => { finish(() => { reject(error) }) })
      worker.on('message', (reply: PlainReply) => {
        finish(() => {
          if (reply.type === 'failure') reject(new ToolFailure(codeOf(reply.code), reply.message, reply.suggestion))
          else resolve(reply)
        })
      })
    })
  } finally {
    await worker.terminate()
  }
}

function cancelled (): ToolFailure {
  return new ToolFailure('cancelled', 'The search was stopped.')
}

function codeOf (code: string): ToolCode {
  return Object.hasOwn(toolCodes, code) ? code as ToolCode : 'internal' // it is a key of the table
}
