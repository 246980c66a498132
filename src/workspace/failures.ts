import { ToolFailure } from '../errors.ts'
import type { ToolCode } from '../protocol/error-codes.ts'

/** A name or path as errors show it: control characters escaped, never ambiguous. */
export function quote (path: string): string {
  return path === '' ? 'the workspace itself' : JSON.stringify(path)
}

export function errnoOf (error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

const worded: Record<string, readonly [ToolCode, (path: string) => string]> = {
  ENOENT: ['not_found', (path) => `Nothing is at ${path}.`],
  EEXIST: ['already_exists', (path) => `Something is at ${path} already.`],
  EISDIR: ['is_directory', (path) => `${path} is a directory.`],
  ENOTDIR: ['not_directory', (path) => `${path} is not a directory.`],
  ELOOP: ['symlink', (path) => `${path} goes through a symbolic link.`],
  ENAMETOOLONG: ['name_too_long', (path) => `${path} is too long.`],
  ENOTEMPTY: ['not_empty', (path) => `The directory ${path} is not empty.`],
  ENOSPC: ['disk_full', (path) => `No space is left on the disk; ${path} was not written.`],
  EDQUOT: ['quota_exceeded', (path) => `The disk quota is used up; ${path} was not written.`],
  EFBIG: ['too_large', (path) => `${path} is too large for the file system.`],
  EXDEV: ['not_regular', (path) => `${path} is on another file system.`],
  EACCES: ['internal', (path) => `The permissions of ${path} do not allow this.`],
  EPERM: ['internal', (path) => `The permissions of ${path} do not allow this.`],
  EROFS: ['internal', (path) => `The file system of ${path} is read-only.`]
}

/**
 * What the file system said, in words of the workspace. Node's own messages hold host paths and never leave.
 * What is no error of the file system comes back as it is.
 */
export function reword (error: unknown, path: string): unknown {
  const errno = errnoOf(error)
  // ABORT_ERR and ERR_… are Node's own codes, not the system's.
  if (errno === undefined || error instanceof ToolFailure || !/^E[A-Z0-9]+$/.test(errno)) return error
  const known = worded[errno]
  if (known !== undefined) return new ToolFailure(known[0], known[1](quote(path)))
  return new ToolFailure('internal', `The file system failed on ${quote(path)} (${errno}).`)
}

/** Runs `action`, and rewords what the file system says. */
export async function reworded<T> (path: string, action: () => T | Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    throw reword(error, path)
  }
}
