import { chmodSync, chownSync, closeSync, fstatSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolFailure } from '../errors.ts'
import { usageMetersMax, workspaceBytesMax, workspaceFilesMax } from '../limits.ts'
import { errnoOf, reworded } from './failures.ts'
import { at, enterDirectory, look, openHostDirectory, self, syncDirectory, withHandle } from './handles.ts'
import { leftChanges, noteChange, type Change, type ChangeNote, type LeftChange } from './change-notes.ts'
import { LocalWorkspace } from './local-workspace.ts'
import type { Archives } from './archive/archives.ts'
import { LocalArchives } from './archive/local-archives.ts'
import { leaveFolder, newIncomingId, type Roots } from './incoming.ts'
import { receiveFile, unlinkIfThere } from './receive-file.ts'
import { clearFolder, openStaging, removeTree } from './staging.ts'
import { UsageMeter, type Quota } from './usage.ts'
import type { Owner } from './walk.ts'
import type { ReceivedFile, Workspace, Workspaces } from './workspace.ts'

export interface WorkspacesOptions {
  /** The value of `UV_USE_IO_URING`: with io_uring a thread of the kernel's may see another `/proc/self`. */
  readonly ioUring?: string | undefined
  /** What new files belong to when the server is root and commands are not. Default: nobody else. */
  readonly owner?: Owner
  readonly quota?: Quota
  /**
   * Called at `staged`, `before_rename`, `half_moved` and `after_rename` of each change, and at `archive_unpacked`, `…_marked`,
   * `…_half_swapped` and `…_swapped` of an archive: where tests stop the process.
   */
  readonly checkpoint?: (name: string) => void | Promise<void>
}

/** Name in staging of a workspace that is being removed; no stage name begins with a dot. */
const removedName = '.workspace'

/** Where a session's files are on the host: for what mounts them into a sandbox, and for nothing else. */
export function workspaceDirectory (dataDir: string, sessionId: string): string {
  checkSessionId(sessionId)
  return join(dataDir, 'workspaces', sessionId)
}

/**
 * Opens the workspaces in `dataDir`: `workspaces/<session>/` and, never visible to a tool, `staging/<session>/` for
 * changes under way, `incoming/<session>/` for uploads and `baselines/` for what a diff compares with.
 * All are made when missing, and must be on one file system.
 * @throws Error when this system cannot confine paths: no `/proc`, or io_uring on
 */
export async function openWorkspaces (dataDir: string, options: WorkspacesOptions = {}): Promise<Workspaces> {
  if (options.ioUring !== undefined && options.ioUring !== '' && options.ioUring !== '0') {
    throw new Error('UV_USE_IO_URING is set: paths cannot be confined with io_uring. Unset it.')
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await mkdir(join(dataDir, 'workspaces'), { recursive: true, mode: 0o711 })
  for (const name of ['staging', 'incoming', 'baselines']) await mkdir(join(dataDir, name), { recursive: true, mode: 0o700 })
  // Commands of another user reach their own workspace by its path, and can list nothing on the way.
  if (options.owner !== undefined) chmodSync(dataDir, 0o711)
  chmodSync(join(dataDir, 'workspaces'), 0o711)
  const roots: Roots = {
    workspaces: openHostDirectory(join(dataDir, 'workspaces')),
    staging: openHostDirectory(join(dataDir, 'staging')),
    incoming: openHostDirectory(join(dataDir, 'incoming')),
    baselines: openHostDirectory(join(dataDir, 'baselines'))
  }
  try {
    probe(roots)
  } catch (error) {
    for (const handle of Object.values(roots)) closeSync(handle)
    throw error
  }
  return new LocalWorkspaces(roots, options)
}

function probe ({ workspaces, staging, incoming, baselines }: Roots): void {
  const there = statSync(`${self(workspaces)}/.`, { throwIfNoEntry: false })
  if (there?.ino !== fstatSync(workspaces).ino) throw new Error('/proc is missing: paths cannot be confined without /proc/self/fd. Mount it.')
  const { dev } = fstatSync(workspaces)
  if ([staging, incoming, baselines].some((handle) => fstatSync(handle).dev !== dev)) {
    throw new Error('workspaces/, staging/, incoming/ and baselines/ in DATA_DIR are on different file systems; they must be on one.')
  }
}

class LocalWorkspaces implements Workspaces {
  readonly archives: Archives
  readonly #roots: Roots
  readonly #options: WorkspacesOptions
  readonly #meters = new Map<string, UsageMeter>()
  #open = true

  constructor (roots: Roots, options: WorkspacesOptions) {
    this.#roots = roots
    this.#options = options
    this.archives = new LocalArchives({
      roots,
      owner: options.owner ?? null,
      quota: this.#quota,
      checkpoint: options.checkpoint ?? (() => {}),
      onExchanged: (sessionId) => { this.#meters.get(sessionId)?.forget() }
    })
  }

  get #quota (): Quota { return this.#options.quota ?? { bytes: workspaceBytesMax, files: workspaceFilesMax } }

  async create (sessionId: string): Promise<void> {
    checkSessionId(sessionId)
    await reworded(sessionId, async () => {
      try {
        mkdirSync(at(this.#roots.workspaces, sessionId), 0o700)
      } catch (error) {
        if (errnoOf(error) !== 'EEXIST') throw error
      }
      const { owner } = this.#options
      await withHandle(enterDirectory(this.#roots.workspaces, sessionId), (directory) => {
        if (owner !== undefined) chownSync(self(directory), owner.uid, owner.gid)
      })
      await syncDirectory(this.#roots.workspaces)
    })
  }

  async open (sessionId: string): Promise<Workspace> {
    checkSessionId(sessionId)
    if (look(this.#roots.workspaces, sessionId)?.isDirectory() !== true) throw new ToolFailure('not_found', 'The session has no workspace.')
    return await reworded(sessionId, () => {
      const root = enterDirectory(this.#roots.workspaces, sessionId)
      return new LocalWorkspace({
        root,
        stagingRoot: enterDirectory(this.#roots.staging, '.'),
        incomingRoot: enterDirectory(this.#roots.incoming, '.'),
        sessionId,
        meter: this.#meter(sessionId),
        owner: this.#options.owner ?? null,
        checkpoint: this.#options.checkpoint ?? (() => {})
      })
    })
  }

  async emptyStaging (sessionId: string): Promise<void> {
    checkSessionId(sessionId)
    await reworded(sessionId, async () => { await clearFolder(this.#roots.staging, sessionId) })
  }

  async receiveFile (sessionId: string, source: AsyncIterable<Uint8Array>, options: { maxBytes: number }): Promise<ReceivedFile> {
    checkSessionId(sessionId)
    return await reworded(sessionId, async () => {
      const folder = openStaging(this.#roots.incoming, sessionId)
      try {
        const received = await receiveFile(folder, `file-${newIncomingId()}`, source, Math.min(options.maxBytes, this.#quota.bytes))
        return {
          ...received,
          discard: () => {
            unlinkIfThere(folder, received.name)
            leaveFolder(this.#roots.incoming, folder, sessionId)
          }
        }
      } catch (error) {
        leaveFolder(this.#roots.incoming, folder, sessionId)
        throw error
      }
    })
  }

  async noteChange (sessionId: string, change: Change): Promise<ChangeNote> {
    checkSessionId(sessionId)
    return await noteChange(this.#roots, sessionId, change)
  }

  leftChanges (): AsyncGenerator<LeftChange, void, undefined> {
    return leftChanges(this.#roots, (sessionId) => this.open(sessionId))
  }

  async remove (sessionId: string, signal: AbortSignal): Promise<void> {
    checkSessionId(sessionId)
    await reworded(sessionId, async () => {
      await withHandle(openStaging(this.#roots.staging, sessionId), async (staging) => {
        await removeTree(staging, removedName, signal)
        if (look(this.#roots.workspaces, sessionId) !== null) {
          renameSync(at(this.#roots.workspaces, sessionId), at(staging, removedName))
          await syncDirectory(this.#roots.workspaces)
        }
      })
      await clearFolder(this.#roots.staging, sessionId, signal)
      await this.archives.remove(sessionId, signal)
    })
    this.#meters.delete(sessionId)
  }

  async close (): Promise<void> {
    if (!this.#open) return
    this.#open = false
    for (const handle of Object.values(this.#roots)) closeSync(handle)
  }

  /** The meter of a session; the one that was used longest ago goes when there are too many. */
  #meter (sessionId: string): UsageMeter {
    const meter = this.#meters.get(sessionId) ?? new UsageMeter(this.#quota)
    this.#meters.delete(sessionId)
    this.#meters.set(sessionId, meter)
    const oldest = this.#meters.keys().next()
    if (this.#meters.size > usageMetersMax && oldest.done !== true) this.#meters.delete(oldest.value)
    return meter
  }
}

/** A session id becomes a directory's name. */
function checkSessionId (sessionId: string): void {
  if (!/^ses_[0-9A-Za-z_-]{1,120}$/.test(sessionId)) throw new ToolFailure('invalid_path', 'This is no session id.')
}
