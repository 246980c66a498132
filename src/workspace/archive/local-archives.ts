import { chownSync, closeSync, mkdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { BaselineWriter, openBaseline, type Baseline } from '../baseline.ts'
import { hasNotes } from '../change-notes.ts'
import { reworded } from '../failures.ts'
import { at, enterDirectory, look, self, withHandle } from '../handles.ts'
import { leaveFolder, newIncomingId, type Roots } from '../incoming.ts'
import { clearFolder, openStaging, removeTree } from '../staging.ts'
import type { Quota } from '../usage.ts'
import type { Owner } from '../walk.ts'
import type { Archives, InterruptedExchange, ReceivedArchive } from './archives.ts'
import { Exchange, markerName, packName, treeName, type Marker } from './exchange.ts'
import { unpack, type Unpacked } from './unpack.ts'

export interface ArchiveParts {
  readonly roots: Roots
  readonly owner: Owner | null
  readonly quota: Quota
  readonly checkpoint: (name: string) => void | Promise<void>
  readonly onExchanged: (sessionId: string) => void
}

type ReceiveOptions = Parameters<Archives['receive']>[2]

/** Unpacks into `incoming/<session>/`, which no tool, command or other archive sees. */
export class LocalArchives implements Archives {
  readonly #parts: ArchiveParts

  constructor (parts: ArchiveParts) {
    this.#parts = parts
  }

  async receive (sessionId: string, source: AsyncIterable<Uint8Array>, options: ReceiveOptions): Promise<ReceivedArchive> {
    return await reworded(sessionId, async () => {
      const { incoming } = this.#parts.roots
      const folder = openStaging(incoming, sessionId)
      const id = newIncomingId()
      const exchange = this.#exchange(sessionId, folder, id)
      try {
        mkdirSync(at(folder, treeName(id)), 0o700)
        return this.#received(sessionId, folder, id, exchange, await this.#unpack(folder, id, source, options))
      } catch (error) {
        await exchange.clear()
        leaveFolder(incoming, folder, sessionId)
        throw error
      }
    })
  }

  async * interrupted (): AsyncGenerator<InterruptedExchange, void, undefined> {
    const { incoming } = this.#parts.roots
    for (const sessionId of await readdir(self(incoming))) {
      const folder = enterDirectory(incoming, sessionId)
      const marker = readMarker(folder)
      if (marker !== null) yield this.#interrupted(sessionId, folder, marker)
      const left = look(folder, markerName) !== null || await hasNotes(folder) // it could not be completed now: the next start tries again
      closeSync(folder)
      if (!left) await clearFolder(incoming, sessionId)
    }
  }

  async baseline (sessionId: string): Promise<Baseline | null> {
    const { baselines } = this.#parts.roots
    return look(baselines, sessionId) === null ? null : await reworded(sessionId, () => openBaseline(baselines, sessionId))
  }

  async remove (sessionId: string, signal: AbortSignal): Promise<void> {
    const { incoming, baselines } = this.#parts.roots
    await reworded(sessionId, async () => {
      await clearFolder(incoming, sessionId, signal)
      await removeTree(baselines, sessionId, signal)
    })
  }

  async #unpack (folder: number, id: string, source: AsyncIterable<Uint8Array>, { keepBaseline, signal }: ReceiveOptions): Promise<Unpacked> {
    const { owner, quota } = this.#parts
    const baseline = keepBaseline ? new BaselineWriter(folder, packName(id)) : null
    try {
      return await withHandle(enterDirectory(folder, treeName(id)), async (root) => {
        if (owner !== null) chownSync(self(root), owner.uid, owner.gid)
        const unpacked = await unpack(root, source, { owner, quota, baseline, signal })
        await baseline?.finish()
        return unpacked
      })
    } finally {
      baseline?.close()
    }
  }

  #received (sessionId: string, folder: number, id: string, exchange: Exchange, unpacked: Unpacked): ReceivedArchive {
    let swapped = false
    const leave = async (): Promise<void> => {
      await exchange.clear()
      leaveFolder(this.#parts.roots.incoming, folder, sessionId)
    }
    return {
      id,
      ...unpacked,
      exchange: async (record, mayGo) => {
        await reworded(sessionId, async () => {
          await exchange.mark(record)
          try {
            mayGo()
          } catch (error) {
            await exchange.unmark()
            throw error
          }
          exchange.swap()
          swapped = true
          this.#parts.onExchanged(sessionId)
          await exchange.secure()
        })
      },
      settle: async () => {
        await reworded(sessionId, async () => {
          await exchange.unmark()
          await leave()
        })
      },
      discard: async () => { if (!swapped) await reworded(sessionId, leave) } // else the next start completes it
    }
  }

  #interrupted (sessionId: string, folder: number, { id, record }: Marker): InterruptedExchange {
    const exchange = this.#exchange(sessionId, folder, id)
    return {
      sessionId,
      id,
      record,
      begun: exchange.begun,
      complete: async () => {
        await reworded(sessionId, async () => {
          exchange.swap()
          await exchange.secure()
        })
      },
      settle: async () => { await reworded(sessionId, () => exchange.unmark()) },
      discard: async () => { await reworded(sessionId, () => exchange.unmark()) }
    }
  }

  #exchange (sessionId: string, incoming: number, id: string): Exchange {
    const { roots, checkpoint } = this.#parts
    return new Exchange({ incoming, workspaces: roots.workspaces, baselines: roots.baselines, sessionId, id, checkpoint })
  }
}

/** It was put there by one rename, so it is whole. */
function readMarker (folder: number): Marker | null {
  return look(folder, markerName) === null ? null : JSON.parse(readFileSync(at(folder, markerName), 'utf8')) as Marker
}
