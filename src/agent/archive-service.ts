import { AgentError } from '../errors.ts'
import type { PutArchive } from '../protocol/files.ts'
import type { InterruptedExchange } from '../workspace/archive/archives.ts'
import { packTree } from '../workspace/archive/pack-tree.ts'
import { byOf } from './access.ts'
import type { Caller } from './caller.ts'
import { isFresh, isIdle, requireIdle, type FilesChange } from './decide-files.ts'
import { closingOnFailure, type FileAccess } from './file-access.ts'
import type { Download, SessionFiles } from './files.ts'

/** Whole workspaces over HTTP, and what a crash left of an exchange. */
export class ArchiveService implements Pick<SessionFiles, 'readArchive' | 'writeArchive'> {
  readonly #access: FileAccess

  constructor (access: FileAccess) {
    this.#access = access
  }

  async readArchive (sessionId: string, caller: Caller): Promise<Download & { readonly omitted: number }> {
    const workspace = await this.#access.openFor(sessionId, caller)
    return await closingOnFailure(workspace, async () => {
      const { bytes, omitted } = await packTree(workspace)
      return {
        omitted,
        bytes: () => bytes,
        close: async () => {
          bytes.destroy()
          await workspace.close()
        }
      }
    })
  }

  async writeArchive (sessionId: string, source: AsyncIterable<Uint8Array>, caller: Caller, signal: AbortSignal): Promise<PutArchive> {
    return await this.#access.changing(sessionId, caller, async (live) => {
      const keepBaseline = isFresh(requireIdle(live.state))
      const received = await this.#access.context.workspaces.archives.receive(sessionId, source, { keepBaseline, signal })
      try {
        await this.#access.locked(sessionId, async () => {
          const change: FilesChange = { how: 'archive', paths: received.names, by: byOf(caller), exchangeId: received.id }
          await received.exchange({ ...change }, () => {
            if (isFresh(requireIdle(live.state)) !== keepBaseline) throw new AgentError('file_changed', 'A run came and went while the archive was received.', { suggestion: 'Send it again.' })
          })
          await this.#access.commit(live, change)
          await received.settle()
        })
      } finally {
        await received.discard()
      }
      return { files: received.files, bytes: received.bytes, baseline: keepBaseline }
    })
  }

  /** Completes the exchanges that the last process left. Before anybody can ask for files, and before any run. */
  async recover (): Promise<void> {
    const { logger, workspaces } = this.#access.context
    for await (const exchange of workspaces.archives.interrupted()) {
      await this.#complete(exchange).catch((error: unknown) => {
        logger.error({ err: error, sessionId: exchange.sessionId }, 'an archive could not take its place; the next start tries again')
      })
    }
  }

  async #complete (exchange: InterruptedExchange): Promise<void> {
    await this.#access.context.sessions.with(exchange.sessionId, async (live) => {
      const { state } = live
      if (state === null || state.ended || (!exchange.begun && !isIdle(state))) return await exchange.discard()
      await exchange.complete()
      const change = exchange.record as unknown as FilesChange // written by `writeArchive`
      if (!await this.#access.isTold(exchange.sessionId, exchange.id)) await this.#access.commit(live, change)
      await exchange.settle()
    })
  }
}
