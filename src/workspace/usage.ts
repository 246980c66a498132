import { ToolFailure } from '../errors.ts'
import { entriesAtOnce, pathDepthMax, usageAgeMsMax } from '../limits.ts'
import { look } from './handles.ts'
import { enterIfThere, sortedNames } from './manifest.ts'

export interface Quota { readonly bytes: number, readonly files: number }

/** Counts regular files and bytes below a held directory, up to one more file than `filesMax`; lets others run in between. */
async function measure (directory: number, filesMax: number, depth = 0, total = { bytes: 0, files: 0 }): Promise<{ bytes: number, files: number }> {
  let looked = 0
  for (const name of await sortedNames(directory)) {
    if (total.files > filesMax) break
    if (++looked % entriesAtOnce === 0) await new Promise(setImmediate)
    const entry = look(directory, name)
    if (entry === null) continue
    total.files += 1
    if (entry.isDirectory()) {
      if (depth < pathDepthMax) await enterIfThere(directory, name, async (handle) => { await measure(handle, filesMax, depth + 1, total) })
    } else {
      total.bytes += Number(entry.size)
    }
  }
  return total
}

/**
 * What a session's workspace holds, for the quota on writes. Counted when it is first needed and carried along;
 * counted again when it is old, because commands write too, and before a write is refused.
 */
export class UsageMeter {
  readonly #quota: Quota
  #count: { bytes: number, files: number, atMs: number } | null = null

  constructor (quota: Quota) {
    this.#quota = quota
  }

  /** @throws ToolFailure quota_exceeded when `growth` does not fit */
  async admit (root: number, growth: Quota): Promise<void> {
    if (growth.bytes <= 0 && growth.files <= 0) return
    const fresh = this.#count === null || Date.now() - this.#count.atMs > usageAgeMsMax
    const first = fresh ? await this.#recount(root) : this.#count
    if (this.#fits(first, growth) || (!fresh && this.#fits(await this.#recount(root), growth))) return
    throw new ToolFailure('quota_exceeded', `The workspace is full: it may hold ${this.#quota.files} entries and ${this.#quota.bytes} bytes.`,
      'Delete what is not needed.')
  }

  /** After a write. */
  add (growth: Quota): void {
    if (this.#count === null) return
    this.#count.bytes += growth.bytes
    this.#count.files += growth.files
  }

  /** After something of unknown size went. */
  forget (): void {
    this.#count = null
  }

  async #recount (root: number): Promise<Quota> {
    this.#count = { ...await measure(root, this.#quota.files), atMs: Date.now() }
    return this.#count
  }

  #fits (count: Quota | null, growth: Quota): boolean {
    return count !== null && count.bytes + growth.bytes <= this.#quota.bytes && count.files + growth.files <= this.#quota.files
  }
}
