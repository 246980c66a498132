import {
  chmodSync, closeSync, constants, fchmodSync, fchownSync, fstatSync, fsync as fsyncCallback, mkdirSync, openSync, renameSync, rmdirSync,
  unlinkSync, writeFile as writeCallback
} from 'node:fs'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { ToolFailure } from '../errors.ts'
import { refilledFoldersMax, usageYieldEntries } from '../limits.ts'
import { errnoOf } from './failures.ts'
import { at, enterDirectory, look, self, withHandle, type Name } from './handles.ts'
import type { Owner } from './walk.ts'

const writeFile = promisify(writeCallback)
const fsync = promisify(fsyncCallback)

/** Opens a session's staging folder, made when missing. */
export function openStaging (stagingRoot: number, sessionId: string): number {
  try {
    mkdirSync(at(stagingRoot, sessionId), 0o700)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  }
  return enterDirectory(stagingRoot, sessionId)
}

/** A stage name comes from a call id: one name, no path. */
export function checkStageName (name: string): void {
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/.test(name)) throw new ToolFailure('internal', 'The name for staging is not usable.')
}

/** A new file with this content in staging, on the disk before this returns. What an earlier try left is replaced. */
export async function stageFile (staging: number, name: string, bytes: Uint8Array, mode: number, owner: Owner | null): Promise<void> {
  await removeTree(staging, name)
  const handle = openSync(at(staging, name), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600)
  try {
    await writeFile(handle, bytes)
    if (owner !== null) fchownSync(handle, owner.uid, owner.gid)
    fchmodSync(handle, mode) // after chown, which clears bits; and the umask has no say
    await fsync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * Removes what is at `name` in a held directory that no tool sees; no error if nothing is there. A folder in it is
 * first pulled up beside it, so the depth of a tree costs neither handles nor stack. Nothing is followed.
 */
export async function removeTree (directory: number, name: Name, signal?: AbortSignal): Promise<void> {
  const waiting: Name[] = [name]
  let pulled = 0
  let refilled = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    signal?.throwIfAborted()
    const entry = look(directory, next)
    if (entry === null) continue
    if (!entry.isDirectory()) {
      unlinkSync(at(directory, next))
      continue
    }
    const folders = await emptyFolder(directory, next, () => `.pulled-${process.pid}-${pulled++}`, signal)
    waiting.push(...folders)
    if (removeFolder(directory, next) || ++refilled > refilledFoldersMax) continue
    waiting.unshift(next)
  }
}

/** Removes a folder of a held directory that no tool sees, and all in it; no error if it is not there. */
export async function clearFolder (parent: number, name: string, signal?: AbortSignal): Promise<void> {
  if (look(parent, name) === null) return
  await withHandle(enterDirectory(parent, name), async (folder) => {
    for (const child of await readdir(self(folder), { encoding: 'buffer' })) await removeTree(folder, child, signal)
  })
  rmdirSync(at(parent, name))
}

/** Unlinks the files of a folder and moves its folders up; gives their new names. */
async function emptyFolder (directory: number, name: Name, freeName: () => string, signal?: AbortSignal): Promise<string[]> {
  return await withHandle(enterDirectory(directory, name), async (folder) => {
    makeWritable(folder)
    const moved: string[] = []
    let done = 0
    for (const child of await readdir(self(folder), { encoding: 'buffer' })) {
      if (++done % usageYieldEntries === 0) await new Promise(setImmediate)
      signal?.throwIfAborted()
      const entry = look(folder, child)
      if (entry === null) continue
      if (entry.isDirectory()) {
        moved.push(pullUp(folder, child, directory, freeName))
      } else {
        unlinkSync(at(folder, child))
      }
    }
    return moved
  })
}

function pullUp (folder: number, child: Buffer, directory: number, freeName: () => string): string {
  let free = freeName()
  while (look(directory, free) !== null) free = freeName() // left by a crash: it has a name of this kind
  const inner = enterDirectory(folder, child)
  makeWritable(inner) // a folder's own entry for its parent changes, which needs its permission
  closeSync(inner)
  renameSync(at(folder, child), at(directory, free))
  return free
}

/** The inode itself is changed, never a path that might be swapped for a link. */
export function makeWritable (folder: number): void {
  const { mode } = fstatSync(folder)
  if ((mode & 0o700) !== 0o700) chmodSync(self(folder), 0o700)
}

/** False: a command that still stands in it has put something there. */
function removeFolder (directory: number, name: Name): boolean {
  try {
    rmdirSync(at(directory, name))
    return true
  } catch (error) {
    if (errnoOf(error) === 'ENOTEMPTY') return false
    throw error
  }
}
