import { chownSync, closeSync, mkdirSync } from 'node:fs'
import { ToolFailure } from '../errors.ts'
import { errnoOf } from './failures.ts'
import { at, enter, enterDirectory, self, syncDirectory } from './handles.ts'
import { splitPath } from './paths.ts'
import type { RelPath } from './workspace.ts'

/** User and group that new files shall belong to: those that commands run as. */
export interface Owner { readonly uid: number, readonly gid: number }

/** A path's last name in the held directory that contains it. Whoever gets it closes `directory`. */
export interface Place { readonly directory: number, readonly name: string }

/** Walks to a directory. The handle is the caller's to close. */
export function openDirectory (root: number, path: RelPath): number {
  return descend(root, splitPath(path))
}

/**
 * Walks to the directory that holds `path`. At most two handles are open at a time.
 * @throws ToolFailure invalid_path for the workspace itself, symlink; the system's errors
 */
export function openPlace (root: number, path: RelPath): Place {
  const names = splitPath(path)
  return { directory: descend(root, names.slice(0, -1)), name: lastOf(names) }
}

/** As `openPlace`; directories that are missing are made, and on the disk unless `sync` is false. */
export async function makePlace (root: number, path: RelPath, owner: Owner | null, sync = true): Promise<Place> {
  const names = splitPath(path)
  const name = lastOf(names)
  return { directory: await makeDirectories(root, names.slice(0, -1), owner, sync), name }
}

/** Walks to a directory and makes what is missing on the way. The handle is the caller's to close. */
export async function makeDirectories (root: number, names: readonly string[], owner: Owner | null, sync = true): Promise<number> {
  let current = enterDirectory(root, '.')
  try {
    for (const [index, parent] of names.entries()) {
      const next = await enterOrMake(current, parent, names.slice(0, index + 1).join('/'), owner, sync)
      closeSync(current)
      current = next
    }
    return current
  } catch (error) {
    closeSync(current)
    throw error
  }
}

function descend (root: number, names: readonly string[]): number {
  let current = enterDirectory(root, '.')
  for (const [index, name] of names.entries()) {
    try {
      const next = enter(current, name, names.slice(0, index + 1).join('/'))
      closeSync(current)
      current = next
    } catch (error) {
      closeSync(current)
      throw error
    }
  }
  return current
}

async function enterOrMake (directory: number, name: string, shown: string, owner: Owner | null, sync: boolean): Promise<number> {
  try {
    return enter(directory, name, shown)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
  try {
    mkdirSync(at(directory, name), 0o755)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error // somebody else made it: as good
  }
  const made = enter(directory, name, shown)
  try {
    if (owner !== null) chownSync(self(made), owner.uid, owner.gid)
    if (sync) await syncDirectory(directory)
    return made
  } catch (error) {
    closeSync(made)
    throw error
  }
}

function lastOf (names: readonly string[]): string {
  const name = names.at(-1)
  if (name === undefined) throw new ToolFailure('invalid_path', 'This cannot be done to the workspace itself.', 'Name something in it.')
  return name
}
