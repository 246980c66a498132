import { ToolFailure } from '../errors.ts'
import { nameBytesMax, pathBytesMax, pathDepthMax } from '../limits.ts'
import { quote } from './failures.ts'
import type { RelPath } from './workspace.ts'

/** What commands call the workspace; tools may use the same name. */
export const workspaceMount = '/workspace'

/**
 * Checks and normalises a path: `./a//b/` is `a/b`, `.` is `''`, `/workspace/a` is `a`. Text only, no look at the disk.
 * @throws ToolFailure invalid_path, outside_workspace, name_too_long
 */
export function parsePath (path: unknown): RelPath {
  if (typeof path !== 'string') throw new ToolFailure('invalid_path', 'A path must be a string.')
  if (path === '') throw new ToolFailure('invalid_path', 'The path is empty.', 'Use "." for the workspace itself.')
  if (path.includes('\0')) throw new ToolFailure('invalid_path', 'A path cannot contain a NUL character.')
  // Node would write U+FFFD for it, and two names would become one.
  if (/\p{Surrogate}/u.test(path)) throw new ToolFailure('invalid_path', 'The path is not valid Unicode.')
  const names = namesOf(path)
  if (names.includes('..')) throw outside(path)
  if (names.length > pathDepthMax) throw new ToolFailure('name_too_long', `The path has more than ${pathDepthMax} levels.`)
  const normal = names.join('/')
  if (Buffer.byteLength(normal) > pathBytesMax) throw new ToolFailure('name_too_long', `The path is longer than ${pathBytesMax} bytes.`)
  if (names.some((name) => Buffer.byteLength(name) > nameBytesMax)) {
    throw new ToolFailure('name_too_long', `A name in the path is longer than ${nameBytesMax} bytes.`)
  }
  return brand(normal)
}

function namesOf (path: string): string[] {
  const inside = path === workspaceMount ? '' : path.startsWith(`${workspaceMount}/`) ? path.slice(workspaceMount.length + 1) : path
  // `/workspace//etc` has an absolute rest; nobody means it.
  if (inside.startsWith('/')) throw outside(path)
  return inside.split('/').filter((name) => name !== '' && name !== '.')
}

function outside (path: string): ToolFailure {
  const shown = quote(path.length > 200 ? `${path.slice(0, 200)}…` : path)
  return new ToolFailure('outside_workspace', `${shown} leads out of the workspace.`, 'Use a path relative to the workspace, without "..".')
}

/** Text that has been checked already. */
function brand (checked: string): RelPath {
  return checked as RelPath // the one place that makes the type: callers have checked
}

export function splitPath (path: RelPath): string[] {
  return path === '' ? [] : path.split('/')
}

/** The directory that holds `path`; of a top-level name, and of the workspace itself, the workspace. */
export function parentOf (path: RelPath): RelPath {
  return brand(path.slice(0, Math.max(0, path.lastIndexOf('/'))))
}

export function nameOf (path: RelPath): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Whether `path` is `folder` or lies in it. */
export function isWithin (path: RelPath, folder: RelPath): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}
