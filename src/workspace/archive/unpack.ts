import { createHash } from 'node:crypto'
import { chmodSync, closeSync, fchmodSync, fchownSync, fsync as fsyncCallback, futimesSync } from 'node:fs'
import { promisify } from 'node:util'
import { ToolFailure } from '../../errors.ts'
import { archiveSyncsAtOnce } from '../../limits.ts'
import type { BaselineWriter } from '../baseline.ts'
import { openFile, self, syncDirectory, withHandle } from '../handles.ts'
import { parentOf, splitPath } from '../paths.ts'
import { createFile, writeAll } from '../receive-file.ts'
import type { Quota } from '../usage.ts'
import { makeDirectories, makePlace, openDirectory, openPlace, type Owner, type Place } from '../walk.ts'
import type { RelPath } from '../workspace.ts'
import { checkEntry, invalidArchive, type ArchiveEntry } from './check-entry.ts'
import { inflate } from './inflate.ts'

const fsync = promisify(fsyncCallback)

export interface UnpackOptions {
  readonly quota: Quota
  readonly owner: Owner | null
  readonly baseline: BaselineWriter | null
  readonly signal: AbortSignal
}

export interface Unpacked { readonly files: number, readonly bytes: number, readonly names: readonly string[] }

const recordBytes = 2_048 // of headers and padding that an entry may take, on average

/**
 * Unpacks a tar.gz into a held, empty directory that nobody else sees; all of it is on the disk when this resolves.
 * The caller removes what a failure leaves.
 * @throws ToolFailure invalid_archive, quota_exceeded, too_large; what `source` throws
 */
export async function unpack (root: number, source: AsyncIterable<Uint8Array>, options: UnpackOptions): Promise<Unpacked> {
  const { quota, signal } = options
  const { entries, ended } = inflate(source, quota.bytes + quota.files * recordBytes, signal)
  const unpacking = new Unpacking(root, options)
  const taken = (async () => {
    for await (const entry of entries) {
      await unpacking.add(checkEntry(entry.header), entry.header.size, entry as AsyncIterable<Buffer>) // tar-stream hands on what it is given
    }
  })()
  // Whichever fails first is the reason: the other one only sees a stream that was destroyed.
  const reasons: unknown[] = []
  await Promise.all([ended, taken].map((part) => part.catch((error: unknown) => {
    reasons.push(error)
    entries.destroy()
  })))
  if (reasons.length > 0) throw reasons.find((reason) => reason instanceof ToolFailure) ?? reasons[0]
  await unpacking.sync()
  return unpacking.result()
}

class Unpacking {
  readonly #root: number
  readonly #options: UnpackOptions
  readonly #files = new Set<RelPath>()
  /** Whether the archive has named it; it may come after what is in it. */
  readonly #directories = new Map<RelPath, boolean>()
  #bytes = 0

  constructor (root: number, options: UnpackOptions) {
    this.#root = root
    this.#options = options
  }

  async add (entry: ArchiveEntry, size: number, content: AsyncIterable<Buffer>): Promise<void> {
    if (this.#files.has(entry.path) || this.#directories.get(entry.path) === true || (entry.type === 'file' && this.#directories.has(entry.path))) {
      throw invalidArchive(`${JSON.stringify(entry.path)} is in it twice.`)
    }
    this.#note(entry)
    this.#bytes += size
    const { quota } = this.#options
    if (this.#files.size + this.#directories.size > quota.files || this.#bytes > quota.bytes) {
      throw new ToolFailure('quota_exceeded', `A workspace may hold ${quota.files} entries and ${quota.bytes} bytes; the archive has more.`)
    }
    if (entry.path === '') {
      if (entry.type === 'file') throw invalidArchive('A file has no name.')
    } else if (entry.type === 'directory') {
      await this.#makeDirectory(entry)
    } else {
      const place = await makePlace(this.#root, entry.path, this.#options.owner, false)
      await withHandle(place.directory, () => this.#writeFile(place, entry, content))
    }
  }

  result (): Unpacked {
    const names = [...this.#files, ...this.#directories.keys()].map((path) => path.split('/', 1)[0] ?? '').filter((name) => name !== '')
    return { files: this.#files.size, bytes: this.#bytes, names: [...new Set(names)].sort() }
  }

  /** Once for all: the first one makes most of the others' work, and a few at a time share the disk's commits. */
  async sync (): Promise<void> {
    const files = this.#files.values()
    await Promise.all(Array.from({ length: archiveSyncsAtOnce }, async () => {
      for (const path of files) {
        this.#options.signal.throwIfAborted()
        const place = openPlace(this.#root, path)
        await withHandle(place.directory, () => withHandle(openFile(place.directory, place.name, path), (handle) => fsync(handle)))
      }
    }))
    for (const path of this.#directories.keys()) await withHandle(openDirectory(this.#root, path), syncDirectory)
    await syncDirectory(this.#root)
  }

  #note (entry: ArchiveEntry): void {
    if (entry.type === 'file') this.#files.add(entry.path)
    else this.#directories.set(entry.path, true)
    for (let parent = parentOf(entry.path); parent !== '' && !this.#directories.has(parent); parent = parentOf(parent)) {
      if (this.#files.has(parent)) throw invalidArchive(`${JSON.stringify(parent)} is in it both as a file and as a directory.`)
      this.#directories.set(parent, false)
    }
  }

  /** What is in it may have made it already. */
  async #makeDirectory ({ path, mode }: ArchiveEntry): Promise<void> {
    await withHandle(await makeDirectories(this.#root, splitPath(path), this.#options.owner, false), (made) => { chmodSync(self(made), mode) })
  }

  async #writeFile ({ directory, name }: Place, entry: ArchiveEntry, content: AsyncIterable<Buffer>): Promise<void> {
    const { owner, baseline } = this.#options
    const handle = createFile(directory, name)
    try {
      const hash = createHash('sha256')
      let size = 0
      for await (const piece of content) {
        size += piece.length
        hash.update(piece)
        await writeAll(handle, piece)
        await baseline?.write(piece)
      }
      if (owner !== null) fchownSync(handle, owner.uid, owner.gid)
      fchmodSync(handle, entry.mode)
      if (entry.mtimeMs > 0) futimesSync(handle, entry.mtimeMs / 1000, entry.mtimeMs / 1000)
      baseline?.end({ path: entry.path, mode: entry.mode, size, sha256: hash.digest('hex') })
    } finally {
      closeSync(handle)
    }
  }
}
