import { createHash } from 'node:crypto'
import { ToolFailure } from '../../errors.ts'
import type { Baseline, BaselineFile } from '../baseline.ts'
import type { Entry, Workspace } from '../workspace.ts'
import { Ignored, isGitsOwn } from './ignored.ts'

/** As git knows them: a link is a file that holds its target. */
export type GitMode = '100644' | '100755' | '120000'

export interface Side {
  readonly mode: GitMode
  readonly size: number
  /** Opens the content anew. Its pieces are at most a few hundred KiB. */
  bytes (): AsyncGenerator<Buffer, void, undefined>
}

/** Not both are null. */
export interface FileChange { readonly path: string, readonly before: Side | null, readonly after: Side | null }

/**
 * The files that differ from the baseline, sorted by path; null: from nothing. What the baseline has counts as git's
 * tracked files do: a change of it is told, whatever `.gitignore` says. Names that are no UTF-8 are left out.
 */
export async function * compareWithBaseline (workspace: Workspace, baseline: Baseline | null, signal: AbortSignal): AsyncGenerator<FileChange, void, undefined> {
  const tracked = new Map([...baseline?.files ?? []].filter(([path]) => !isGitsOwn(path)))
  const current = await listCurrent(workspace, new Set(tracked.keys()))
  for (const path of [...new Set([...tracked.keys(), ...current.keys()])].sort()) {
    signal.throwIfAborted()
    const file = tracked.get(path)
    const before = file === undefined || baseline === null ? null : baselineSide(baseline, file)
    const entry = current.get(path)
    const after = entry === undefined ? null : currentSide(workspace, path, entry)
    if (before === null && after === null) continue
    if (file !== undefined && before !== null && after !== null && before.mode === after.mode && before.size === after.size && file.sha256 === await hashOf(after)) continue
    yield { path, before, after }
  }
}

async function listCurrent (workspace: Workspace, tracked: ReadonlySet<string>): Promise<Map<string, Entry>> {
  const ignored = new Ignored(workspace)
  const trackedFolders = new Set([...tracked].flatMap(foldersOf))
  const found = new Map<string, Entry>()
  const enter = async (path: string) => !isGitsOwn(path) && (!await ignored.has(path, true) || trackedFolders.has(path))
  for await (const { path, entry } of workspace.tree(enter)) {
    if (entry.type !== 'file' && entry.type !== 'symlink') continue
    if (!entry.addressable || isGitsOwn(path) || (!tracked.has(path) && await ignored.has(path, false))) continue
    found.set(path, entry)
  }
  return found
}

function foldersOf (path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}

function gitMode (mode: number): GitMode {
  return (mode & 0o100) === 0 ? '100644' : '100755'
}

function baselineSide (baseline: Baseline, file: BaselineFile): Side {
  return { mode: gitMode(file.mode), size: file.size, bytes: () => baseline.bytes(file) }
}

function currentSide (workspace: Workspace, path: string, entry: Entry): Side {
  if (entry.type === 'symlink') {
    const target = Buffer.from(entry.linkText ?? '')
    return { mode: '120000', size: target.length, bytes: async function * () { yield target } }
  }
  return {
    mode: gitMode(entry.mode),
    size: entry.size,
    bytes: async function * () {
      const file = await workspace.openFile(workspace.parse(path))
      try {
        yield * file.bytes()
      } finally {
        file.close()
      }
    }
  }
}

/** Null: it is gone, or something else is there by now, so it has changed for sure. */
async function hashOf (side: Side): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    for await (const piece of side.bytes()) hash.update(piece)
    return hash.digest('hex')
  } catch (error) {
    if (error instanceof ToolFailure) return null
    throw error
  }
}
