import { createHash } from 'node:crypto'
import { closeSync, fstatSync, type BigIntStats } from 'node:fs'
import { ToolFailure } from '../errors.ts'
import type { PathState } from '../protocol/plan.ts'
import { hashContent, permissions } from './content.ts'
import { quote } from './failures.ts'
import { enter, linkText, look, openFile, withHandle } from './handles.ts'
import { manifestOf } from './manifest.ts'

/** A path's state, and a mark that is cheap to take again: another mark means that something was there in between. */
export interface Observed { readonly state: PathState, readonly mark: string }

/**
 * What effects compare. Links are not followed: a link is its text.
 * @throws ToolFailure not_regular for what is neither file, directory nor link
 */
export async function observe (directory: number, name: string, shown: string): Promise<Observed> {
  const entry = look(directory, name)
  const mark = markOf(entry)
  if (entry === null) return { state: { type: 'absent' }, mark }
  if (entry.isSymbolicLink()) {
    return { state: { type: 'symlink', sha256: createHash('sha256').update(linkText(directory, name) ?? '').digest('hex') }, mark }
  }
  if (entry.isDirectory()) {
    return await withHandle(enter(directory, name, shown), async (handle) => {
      return { state: await directoryState(handle), mark }
    })
  }
  if (!entry.isFile()) throw new ToolFailure('not_regular', `${quote(shown)} is neither a regular file nor a directory.`)
  const handle = openFile(directory, name, shown)
  try {
    const { mode } = fstatSync(handle)
    return { state: { type: 'file', sha256: await hashContent(handle), mode: permissions(mode) }, mark }
  } finally {
    closeSync(handle)
  }
}

/** Of a held directory: its inode stays over a rename, its manifest tells whether what is in it has changed. */
export async function directoryState (handle: number): Promise<PathState> {
  const { ino } = fstatSync(handle, { bigint: true })
  return { type: 'directory', inode: String(ino), manifest: await manifestOf(handle) }
}

/** Changes with every write, rename over, chmod or swap. Of a directory only its identity: the manifest holds the rest. */
export function markOf (entry: BigIntStats | null): string {
  if (entry === null) return 'absent'
  const identity = `${entry.ino}:${entry.mode}`
  return entry.isDirectory() ? identity : `${identity}:${entry.size}:${entry.mtimeNs}:${entry.ctimeNs}`
}

/** Compares states as the log stores them. */
export function sameState (a: PathState, b: PathState): boolean {
  switch (a.type) {
    case 'absent': return b.type === 'absent'
    case 'file': return b.type === 'file' && a.sha256 === b.sha256 && a.mode === b.mode
    case 'symlink': return b.type === 'symlink' && a.sha256 === b.sha256
    case 'directory': return b.type === 'directory' && a.inode === b.inode && a.manifest === b.manifest
    default: return a satisfies never
  }
}
