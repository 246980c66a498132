import { createHash, type Hash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { entriesAtOnce, manifestEntriesMax, pathDepthMax } from '../limits.ts'
import { errnoOf } from './failures.ts'
import { enterDirectory, linkText, look, self, withHandle } from './handles.ts'

interface Progress { readonly hash: Hash, entries: number }

/**
 * A hash over the names in a held directory, sorted, down the tree: type, permissions and, of a file, inode, size and
 * the times of its last change. Contents are not read: the kernel's change time cannot be set back, so an edit shows, and
 * a rename of the directory leaves all of it as it is. Its own times are left out for that reason. What is beyond
 * `manifestEntriesMax` entries or `pathDepthMax` levels does not count.
 */
export async function manifestOf (directory: number): Promise<string> {
  const progress: Progress = { hash: createHash('sha256'), entries: 0 }
  await addDirectory(progress, directory, 0)
  return progress.hash.digest('hex')
}

async function addDirectory (progress: Progress, directory: number, depth: number): Promise<void> {
  for (const name of await sortedNames(directory)) {
    if (progress.entries >= manifestEntriesMax) return
    progress.entries += 1
    if (progress.entries % entriesAtOnce === 0) await new Promise(setImmediate)
    const entry = look(directory, name)
    if (entry === null) continue
    add(progress.hash, name, `${entry.mode}`)
    if (entry.isDirectory()) {
      if (depth >= pathDepthMax) continue
      await enterIfThere(directory, name, async (handle) => { await addDirectory(progress, handle, depth + 1) })
      add(progress.hash, 'end')
    } else if (entry.isSymbolicLink()) {
      add(progress.hash, linkText(directory, name) ?? '')
    } else {
      add(progress.hash, `${entry.ino}:${entry.size}:${entry.mtimeNs}:${entry.ctimeNs}`)
    }
  }
}

/** Each part with its length, so that no two lists of parts are the same bytes. */
function add (hash: Hash, ...parts: ReadonlyArray<string | Buffer>): void {
  for (const part of parts) {
    const bytes = Buffer.from(part)
    hash.update(`${bytes.length}:`).update(bytes)
  }
}

/** Names in byte order, those that are no UTF-8 too. */
export async function sortedNames (directory: number): Promise<Buffer[]> {
  const names = await readdir(self(directory), { encoding: 'buffer' })
  return names.sort(Buffer.compare)
}

/** What a command has removed or swapped meanwhile is passed over. */
export async function enterIfThere (directory: number, name: Buffer, use: (handle: number) => Promise<void>): Promise<void> {
  let handle: number
  try {
    handle = enterDirectory(directory, name)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return
    throw error
  }
  await withHandle(handle, use)
}
