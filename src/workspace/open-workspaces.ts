import { chmodSync, chownSync, closeSync, fstatSync, mkdirSync, renameSync, rmdirSync, statSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolFailure } from '../errors.ts'
import { usageMetersMax, workspaceBytesMax, workspaceFilesMax } from '../limits.ts'
import { errnoOf, reworded } from './failures.ts'
import { at, enterDirectory, look, openHostDirectory, self, syncDirectory, withHandle } from './handles.ts'
import { LocalWorkspace } from './local-workspace.ts'
import { openStaging, removeTree } from './staging.ts'
import { UsageMeter, type Quota } from './usage.ts'
import type { Owner } from './walk.ts'
import type { Workspace, Workspaces } from './workspace.ts'

export interface WorkspacesOptions {
  /** The value of `UV_USE_IO_URING`: with io_uring a thread of the kernel's may see another `/proc/self`. */
  readonly ioUring?: string | undefined
  /** What new files belong to when the server is root and commands are not. Default: nobody else. */
  readonly owner?: Owner
  readonly quota?: Quota
  /** Called at `staged`, `before_rename`, `half_moved` and `after_rename` of each change: where tests stop the process. */
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
 * Opens the workspaces in `dataDir`: `workspaces/<session>/` and, never visible to a tool, `staging/<session>/`.
 * Both are made when missing, and must be on one file system.
 * @throws Error when this system cannot confine paths: no `/proc`, or io_uring on
 */
export async function openWorkspaces (dataDir: string, options: WorkspacesOptions = {}): Promise<Workspaces> {
  if (options.ioUring !== undefined && options.ioUring !== '' && options.ioUring !== '0') {
    throw new Error('UV_USE_IO_URING is set: paths cannot be confined with io_uring. Unset it.')
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await mkdir(join(dataDir, 'workspaces'), { recursive: true, mode: 0o711 })
  await mkdir(join(dataDir, 'staging'), { recursive: true, mode: 0o700 })
  // Commands of another user reach their own workspace by its path, and can list nothing on the way.
  if (options.owner !== undefined) chmodSync(dataDir, 0o711)
  chmodSync(join(dataDir, 'workspaces'), 0o711)
  const root = openHostDirectory(join(dataDir, 'workspaces'))
  const staging = openHostDirectory(join(dataDir, 'staging'))
  try {
    probe(root, staging)
  } catch (error) {
    closeSync(root)
    closeSync(staging)
    throw error
  }
  return new LocalWorkspaces(root, staging, options)
}

function probe (root: number, staging: number): void {
  const there = statSync(`${self(root)}/.`, { throwIfNoEntry: false })
  if (there?.ino !== fstatSync(root).ino) throw new Error('/proc is missing: paths cannot be confined without /proc/self/fd. Mount it.')
  if (fstatSync(staging).dev !== fstatSync(root).dev) {
    throw new Error('workspaces/ and staging/ in DATA_DIR are on different file systems; they must be on one.')
  }
}

class LocalWorkspaces implements Workspaces {
  readonly #root: number
  readonly #staging: number
  readonly #options: WorkspacesOptions
  readonly #meters = new Map<string, UsageMeter>()
  #open = true

  constructor (root: number, staging: number, options: WorkspacesOptions) {
    this.#root = root
    this.#staging = staging
    this.#options = options
  }

  async create (sessionId: string): Promise<void> {
    checkSessionId(sessionId)
    await reworded(sessionId, async () => {
      try {
        mkdirSync(at(this.#root, sessionId), 0o700)
      } catch (error) {
        if (errnoOf(error) !== 'EEXIST') throw error
      }
      const { owner } = this.#options
      await withHandle(enterDirectory(this.#root, sessionId), (directory) => {
        if (owner !== undefined) chownSync(self(directory), owner.uid, owner.gid)
      })
      await syncDirectory(this.#root)
    })
  }

  async open (sessionId: string): Promise<Workspace> {
    checkSessionId(sessionId)
    if (look(this.#root, sessionId)?.isDirectory() !== true) throw new ToolFailure('not_found', 'The session has no workspace.')
    return await reworded(sessionId, () => {
      const root = enterDirectory(this.#root, sessionId)
      return new LocalWorkspace({
        root,
        stagingRoot: enterDirectory(this.#staging, '.'),
        sessionId,
        meter: this.#meter(sessionId),
        owner: this.#options.owner ?? null,
        checkpoint: this.#options.checkpoint ?? (() => {})
      })
    })
  }

  async emptyStaging (sessionId: string): Promise<void> {
    checkSessionId(sessionId)
    await reworded(sessionId, async () => { await this.#clearStaging(sessionId) })
  }

  async remove (sessionId: string, signal: AbortSignal): Promise<void> {
    checkSessionId(sessionId)
    await reworded(sessionId, async () => {
      await withHandle(openStaging(this.#staging, sessionId), async (staging) => {
        await removeTree(staging, removedName, signal)
        if (look(this.#root, sessionId) !== null) {
          renameSync(at(this.#root, sessionId), at(staging, removedName))
          await syncDirectory(this.#root)
        }
      })
      await this.#clearStaging(sessionId, signal)
    })
    this.#meters.delete(sessionId)
  }

  async close (): Promise<void> {
    if (!this.#open) return
    this.#open = false
    closeSync(this.#root)
    closeSync(this.#staging)
  }

  async #clearStaging (sessionId: string, signal?: AbortSignal): Promise<void> {
    if (look(this.#staging, sessionId) === null) return
    await withHandle(enterDirectory(this.#staging, sessionId), async (staging) => {
      for (const name of await readdir(self(staging), { encoding: 'buffer' })) await removeTree(staging, name, signal)
    })
    rmdirSync(at(this.#staging, sessionId))
  }

  /** The meter of a session; the one that was used longest ago goes when there are too many. */
  #meter (sessionId: string): UsageMeter {
    const meter = this.#meters.get(sessionId) ?? new UsageMeter(this.#options.quota ?? { bytes: workspaceBytesMax, files: workspaceFilesMax })
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
