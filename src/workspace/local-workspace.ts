import { closeSync, linkSync, renameSync, unlinkSync } from 'node:fs'
import { ToolFailure } from '../errors.ts'
import { newFileMode } from '../limits.ts'
import type { PathState } from '../protocol/plan.ts'
import { readContent } from './content.ts'
import { entriesOf, entryOf, selfEntry } from './entries.ts'
import { errnoOf, quote, reword, reworded } from './failures.ts'
import { at, look, syncDirectory, withHandle } from './handles.ts'
import { sortedNames } from './manifest.ts'
import { changed, moveEntry } from './move.ts'
import { nearest } from './near-names.ts'
import { holdFile } from './open-file.ts'
import { isWithin, nameOf, parentOf, parsePath, splitPath } from './paths.ts'
import { dressFile, unlinkIfThere } from './receive-file.ts'
import { resolveLinks } from './resolve.ts'
import { checkStageName, removeTree, renameEntry, stageFile } from './staging.ts'
import { directoryState, markOf, observe, sameState } from './state.ts'
import { walkTree } from './tree.ts'
import type { UsageMeter } from './usage.ts'
import { makeDirectories, makePlace, openDirectory, openPlace, type Owner, type Place } from './walk.ts'
import type { Entry, FileContent, OpenFile, ReceivedFile, RelPath, TreeEntry, Workspace } from './workspace.ts'

/** What a workspace is made of. */
export interface WorkspaceParts {
  /** Its own from then on, and closed with it. */
  readonly root: number
  /** Opens the session's staging folder, made when missing; the caller closes it. */
  readonly openStaging: () => number
  /** Opens the folder where uploads wait, likewise. */
  readonly openIncoming: () => number
  readonly sessionId: string
  readonly meter: UsageMeter
  readonly owner: Owner | null
  /** Called at named points of a change, for tests that stop the process there. */
  readonly checkpoint: (name: string) => void | Promise<void>
}

/** A session's directory on Linux. The walk to a path is synchronous (a trip to the thread pool a name costs more), data is not. */
export class LocalWorkspace implements Workspace {
  readonly #parts: WorkspaceParts
  #open = true

  constructor (parts: WorkspaceParts) {
    this.#parts = parts
  }

  get sessionId (): string { return this.#parts.sessionId }

  parse (path: unknown): RelPath {
    return parsePath(path)
  }

  async resolve (path: RelPath, options: { last?: boolean } = {}): Promise<RelPath> {
    return await reworded(path, () => resolveLinks(this.#root(), path, options.last ?? true))
  }

  async stat (path: RelPath): Promise<Entry | null> {
    if (path === '') return selfEntry(this.#root())
    return await this.#unlessMissing(path, null, ({ directory, name }) => entryOf(directory, Buffer.from(name)))
  }

  async state (path: RelPath): Promise<PathState> {
    if (path === '') return await reworded(path, () => directoryState(this.#root()))
    const absent: PathState = { type: 'absent' }
    return await this.#unlessMissing(path, absent, async ({ directory, name }) => (await observe(directory, name, path)).state)
  }

  async read (path: RelPath, options: { maxBytes: number, offset?: number, follow?: boolean }): Promise<FileContent> {
    const real = options.follow === true ? await this.resolve(path) : path
    if (real === '') throw new ToolFailure('is_directory', 'The workspace itself is a directory.')
    return await this.#atPlace(real, ({ directory, name }) => readContent(directory, name, real, options.offset ?? 0, options.maxBytes))
  }

  async list (path: RelPath, options: { limit: number, after?: Uint8Array }): Promise<{ entries: Entry[], more: boolean, last: Uint8Array | null }> {
    const { after } = options
    return await reworded(path, () => withHandle(openDirectory(this.#root(), path), async (directory) => {
      const all = await sortedNames(directory)
      const names = after === undefined ? all : all.filter((name) => Buffer.compare(name, after) > 0)
      const entries = await entriesOf(directory, names.slice(0, options.limit))
      return { entries, more: names.length > options.limit, last: names.slice(0, options.limit).at(-1) ?? null }
    }))
  }

  async openFile (path: RelPath): Promise<OpenFile> {
    if (path === '') throw new ToolFailure('is_directory', 'The workspace itself is a directory.')
    return await this.#atPlace(path, ({ directory, name }) => holdFile(directory, name, path))
  }

  async * tree (enter: (path: string) => boolean | Promise<boolean> = () => true): AsyncGenerator<TreeEntry, void, undefined> {
    try {
      yield * walkTree(this.#root(), enter)
    } catch (error) {
      throw reword(error, '')
    }
  }

  async nearNames (path: RelPath, limit: number): Promise<string[]> {
    return await this.#unlessMissing(parentOf(path), [], async () => {
      return await withHandle(openDirectory(this.#root(), parentOf(path)), async (directory) => {
        return nearest(nameOf(path), (await sortedNames(directory)).map(String), limit)
      })
    })
  }

  async write (path: RelPath, bytes: Uint8Array, options: { before: PathState, mode?: number, stageName: string }): Promise<void> {
    checkStageName(options.stageName)
    await this.#admitted(path, options.before, bytes.length, async (mode) => {
      await withHandle(this.#staging(), async (staging) => {
        try {
          await stageFile(staging, options.stageName, bytes, options.mode ?? mode, this.#parts.owner)
          await this.#parts.checkpoint('staged')
          await this.#putStaged(path, staging, options.stageName, options.before)
        } finally {
          unlinkIfThere(staging, options.stageName)
        }
      })
    })
  }

  async put (path: RelPath, file: ReceivedFile, options: { before: PathState }): Promise<void> {
    await this.#admitted(path, options.before, file.size, async (mode) => {
      this.#root()
      await withHandle(this.#parts.openIncoming(), async (incoming) => {
        await dressFile(incoming, file.name, mode, this.#parts.owner)
        await this.#putStaged(path, incoming, file.name, options.before)
      })
    })
  }

  async makeDirectory (path: RelPath): Promise<boolean> {
    const there = await this.stat(path)
    if (there?.type === 'directory') return false
    if (there !== null) throw new ToolFailure('already_exists', `Something else is at ${quote(path)}.`)
    const growth = { bytes: 0, files: await this.#missing(path) }
    await reworded(path, () => this.#parts.meter.admit(this.#root(), growth))
    await reworded(path, async () => { await withHandle(await makeDirectories(this.#root(), splitPath(path), this.#parts.owner), () => {}) })
    this.#parts.meter.add(growth)
    return true
  }

  /** How many entries a path needs that are not there: itself and its parents. */
  async #missing (path: RelPath): Promise<number> {
    let count = 0
    for (let at = path; at !== '' && await this.stat(at) === null; at = parentOf(at)) count++
    return count
  }

  /** Runs `act` with the mode that the file keeps or gets, if what it adds to the workspace fits. */
  async #admitted (path: RelPath, before: PathState, size: number, act: (mode: number) => Promise<void>): Promise<void> {
    if (before.type === 'directory') throw new ToolFailure('is_directory', `${quote(path)} is a directory.`)
    if (before.type === 'symlink') throw new ToolFailure('symlink', `${quote(path)} is a symbolic link; it is not written through.`)
    const old = await this.stat(path)
    const growth = { bytes: size - (old?.size ?? 0), files: await this.#missing(path) }
    await reworded(path, () => this.#parts.meter.admit(this.#root(), growth))
    await reworded(path, () => act(before.type === 'file' ? before.mode : newFileMode))
    this.#parts.meter.add(growth)
  }

  async #putStaged (path: RelPath, staging: number, stageName: string, before: PathState): Promise<void> {
    const place = await makePlace(this.#root(), path, this.#parts.owner)
    await withHandle(place.directory, async () => {
      const seen = await observe(place.directory, place.name, path)
      if (!sameState(seen.state, before)) throw changed(path)
      await this.#parts.checkpoint('before_rename')
      const target = at(place.directory, place.name)
      if (before.type === 'absent') {
        linkNew(at(staging, stageName), target, path) // fails if the name was taken meanwhile; a rename would not
      } else {
        // Nothing is awaited between this look and the rename.
        if (markOf(look(place.directory, place.name)) !== seen.mark) throw changed(path)
        renameSync(at(staging, stageName), target)
      }
      await this.#parts.checkpoint('after_rename')
      await syncDirectory(place.directory)
    })
  }

  async move (from: RelPath, to: RelPath, options: { before: PathState }): Promise<void> {
    if (isWithin(to, from)) throw new ToolFailure('invalid_path', `${quote(from)} cannot be moved into itself.`)
    await this.#atPlace(from, async (source) => {
      const target = await reworded(to, () => makePlace(this.#root(), to, this.#parts.owner))
      await reworded(to, () => withHandle(target.directory, async () => {
        await moveEntry({ from, to, source, target, before: options.before, checkpoint: this.#parts.checkpoint })
      }))
    })
  }

  async remove (path: RelPath, options: { before: PathState, stageName: string }): Promise<void> {
    checkStageName(options.stageName)
    await this.#atPlace(path, async ({ directory, name }) => {
      await withHandle(this.#staging(), async (staging) => {
        await removeTree(staging, options.stageName)
        const seen = await observe(directory, name, path)
        if (!sameState(seen.state, options.before)) throw changed(path)
        await this.#parts.checkpoint('before_rename')
        if (markOf(look(directory, name)) !== seen.mark) throw changed(path)
        renameEntry(directory, name, staging, options.stageName)
        await this.#parts.checkpoint('after_rename')
        await syncDirectory(directory)
        this.#parts.meter.forget()
        await removeTree(staging, options.stageName)
      })
    })
  }

  async close (): Promise<void> {
    if (!this.#open) return
    this.#open = false
    closeSync(this.#parts.root)
  }

  /** Numbers of closed handles are given out again: a call that comes late must not use them. */
  #root (): number {
    if (!this.#open) throw new ToolFailure('internal', 'The workspace is closed.')
    return this.#parts.root
  }

  #staging (): number {
    this.#root()
    return this.#parts.openStaging()
  }

  async #atPlace<T> (path: RelPath, use: (place: Place) => T | Promise<T>): Promise<T> {
    return await reworded(path, async () => {
      const place = openPlace(this.#root(), path)
      return await withHandle(place.directory, () => use(place))
    })
  }

  async #unlessMissing<T> (path: RelPath, otherwise: T, use: (place: Place) => T | Promise<T>): Promise<T> {
    try {
      return path === '' ? await use({ directory: this.#root(), name: '.' }) : await this.#atPlace(path, use)
    } catch (error) {
      if (error instanceof ToolFailure && error.code === 'not_found') return otherwise
      throw error
    }
  }
}

function linkNew (staged: string | Buffer, target: string | Buffer, path: RelPath): void {
  try {
    linkSync(staged, target)
  } catch (error) {
    throw errnoOf(error) === 'EEXIST' ? changed(path) : error
  }
  unlinkSync(staged)
}
