import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, type BigIntStats } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { ToolFailure } from '../errors.ts'
import { errnoOf, quote } from './failures.ts'

/** Not among Node's constants, but open() passes it: a handle on the inode itself, which neither reads nor blocks. */
const O_PATH = 0o10000000

export type Name = string | Buffer

/**
 * A name in a held directory. `/proc/self/fd/N` is a link to the inode, not to its path, so the kernel resolves
 * one name of text and nothing else; renames above it do not matter.
 */
export function at (directory: number, name: Name): string | Buffer {
  const prefix = `/proc/self/fd/${directory}/`
  return typeof name === 'string' ? prefix + name : Buffer.concat([Buffer.from(prefix), name])
}

/** The held inode itself. */
export function self (handle: number): string {
  return `/proc/self/fd/${handle}`
}

/** A handle on a directory of the host, named by the operator. */
export function openHostDirectory (path: string): number {
  return openSync(path, O_PATH | constants.O_DIRECTORY)
}

/** Opens a directory in a held one without following a link. Throws the system's errors. */
export function enterDirectory (directory: number, name: Name): number {
  const handle = openSync(at(directory, name), O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  if (fstatSync(handle).dev === fstatSync(directory).dev) return handle
  closeSync(handle)
  throw new ToolFailure('not_regular', `${quote(text(name))} is on another file system.`)
}

/** As `enterDirectory`, with errors in words of the workspace; `shown` is the path so far. */
export function enter (directory: number, name: string, shown: string): number {
  try {
    return enterDirectory(directory, name)
  } catch (error) {
    // O_DIRECTORY with O_NOFOLLOW says ENOTDIR of a link too; the look is for the words only.
    if (errnoOf(error) === 'ENOTDIR') throw linkFailure(directory, name, shown) ?? error
    throw error
  }
}

function linkFailure (directory: number, name: Name, shown: string): ToolFailure | null {
  if (look(directory, name)?.isSymbolicLink() !== true) return null
  return new ToolFailure('symlink', `${quote(shown)} is a symbolic link (to ${JSON.stringify(linkText(directory, name))}); it is not followed here.`)
}

/** Where a link leads. Null: it is no link any more, a command has been quicker. */
export function linkText (directory: number, name: Name): string | null {
  try {
    return readlinkSync(at(directory, name), { encoding: 'buffer' }).toString()
  } catch (error) {
    if (errnoOf(error) === 'EINVAL' || errnoOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Null: nothing is there. */
export function look (directory: number, name: Name): BigIntStats | null {
  return lstatSync(at(directory, name), { bigint: true, throwIfNoEntry: false }) ?? null
}

/**
 * Opens a regular file for reading. The inode is held and looked at before it is opened, so that a FIFO or a device
 * can neither block nor act, and no swap comes between.
 * @throws ToolFailure symlink, is_directory, not_regular; the system's errors
 */
export function openFile (directory: number, name: Name, shown: string): number {
  const inode = openSync(at(directory, name), O_PATH | constants.O_NOFOLLOW)
  try {
    const stat = fstatSync(inode)
    if (stat.isSymbolicLink()) throw linkFailure(directory, name, shown) ?? new ToolFailure('symlink', `${quote(shown)} is a symbolic link.`)
    if (stat.isDirectory()) throw new ToolFailure('is_directory', `${quote(shown)} is a directory.`)
    if (!stat.isFile() || stat.dev !== fstatSync(directory).dev) {
      throw new ToolFailure('not_regular', `${quote(shown)} is neither a regular file nor a directory.`)
    }
    return openSync(self(inode), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } finally {
    closeSync(inode)
  }
}

/** Makes the names in a held directory durable; one that may not be read cannot be asked for it. */
export async function syncDirectory (directory: number): Promise<void> {
  let handle: FileHandle
  try {
    handle = await open(self(directory), constants.O_RDONLY | constants.O_DIRECTORY)
  } catch (error) {
    if (errnoOf(error) === 'EACCES') return // what was done in it is done all the same
    throw error
  }
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Runs `use` with a handle and closes it, whatever comes. */
export async function withHandle<T> (handle: number, use: (handle: number) => T | Promise<T>): Promise<T> {
  try {
    return await use(handle)
  } finally {
    closeSync(handle)
  }
}

export function text (name: Name): string {
  return typeof name === 'string' ? name : name.toString()
}
