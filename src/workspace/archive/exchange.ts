import { renameSync, unlinkSync } from 'node:fs'
import type { JsonObject } from '../../protocol/common.ts'
import { errnoOf } from '../failures.ts'
import { at, look, syncDirectory } from '../handles.ts'
import { removeTree, stageFile } from '../staging.ts'

/** Where things are: `incoming` is the session's own folder, the other two hold those of all sessions. */
export interface ExchangeParts {
  readonly incoming: number
  readonly workspaces: number
  readonly baselines: number
  readonly sessionId: string
  readonly id: string
  readonly checkpoint: (name: string) => void | Promise<void>
}

/** In the session's folder while an exchange is under way: the crash that finds it completes what it tells of. */
export interface Marker { readonly id: string, readonly record: JsonObject }

export const markerName = 'exchange.json'
export const treeName = (id: string) => `tree-${id}`
export const packName = (id: string) => `pack-${id}`
const replacedName = (id: string) => `replaced-${id}`

/**
 * Puts an unpacked tree in the place of a workspace. The steps are marker, old tree away, new tree in, baseline in,
 * marker gone; each of them is found on the disk, so that the same call again goes on where a crash stopped it.
 */
export class Exchange {
  readonly #parts: ExchangeParts

  constructor (parts: ExchangeParts) {
    this.#parts = parts
  }

  /** Whether the old tree is away already. */
  get begun (): boolean {
    const { incoming, id } = this.#parts
    return look(incoming, treeName(id)) === null || look(incoming, replacedName(id)) !== null
  }

  async mark (record: JsonObject): Promise<void> {
    const { incoming, id, checkpoint } = this.#parts
    await checkpoint('archive_unpacked')
    const marker: Marker = { id, record }
    const draft = `marker-${id}`
    await stageFile(incoming, draft, Buffer.from(JSON.stringify(marker)), 0o600, null)
    renameSync(at(incoming, draft), at(incoming, markerName))
    await syncDirectory(incoming)
    await checkpoint('archive_marked')
  }

  /** Synchronous: in this process nobody sees the moment without a workspace. */
  swap (): void {
    const { incoming, workspaces, sessionId, id } = this.#parts
    if (look(incoming, treeName(id)) === null) return
    if (look(workspaces, sessionId) !== null) renameSync(at(workspaces, sessionId), at(incoming, replacedName(id)))
    void this.#parts.checkpoint('archive_half_swapped')
    renameSync(at(incoming, treeName(id)), at(workspaces, sessionId))
  }

  /** Makes the swap durable, and its baseline the session's. */
  async secure (): Promise<void> {
    const { incoming, workspaces, baselines, sessionId, id } = this.#parts
    await syncDirectory(workspaces)
    await syncDirectory(incoming)
    await this.#parts.checkpoint('archive_swapped')
    if (look(incoming, packName(id)) === null) return
    renameSync(at(incoming, packName(id)), at(baselines, sessionId))
    await syncDirectory(baselines)
  }

  async unmark (): Promise<void> {
    const { incoming } = this.#parts
    unlinkIfThere(incoming, markerName)
    await syncDirectory(incoming)
  }

  /** Removes what the exchange has left, or what was received for it. */
  async clear (): Promise<void> {
    const { incoming, id } = this.#parts
    for (const name of [treeName(id), packName(id), replacedName(id)]) await removeTree(incoming, name)
  }
}

function unlinkIfThere (directory: number, name: string): void {
  try {
    unlinkSync(at(directory, name))
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}
