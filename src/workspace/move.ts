import { linkSync, lstatSync, mkdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { ToolFailure } from '../errors.ts'
import type { PathState } from '../protocol/plan.ts'
import { errnoOf, quote } from './failures.ts'
import { at, look, syncDirectory } from './handles.ts'
import { renameEntry } from './staging.ts'
import { markOf, observe, sameState, type Observed } from './state.ts'
import type { Place } from './walk.ts'
import type { RelPath } from './workspace.ts'

/**
 * Permissions of the empty directory that holds a target's name until the real one is renamed over it: none, and the
 * sticky bit. Nobody else makes one like it, so after a crash it is known for what it is.
 */
const placeholderMode = 0o1000

interface Move {
  readonly from: RelPath
  readonly to: RelPath
  readonly source: Place
  readonly target: Place
  readonly before: PathState
  readonly checkpoint: (name: string) => void | Promise<void>
}

/**
 * Moves without overwriting, also what appears at the target in between: a file or link is linked at its new name, which
 * fails if the name is taken, and unlinked at the old one; a directory is renamed over an empty placeholder.
 * The same call again finishes what a crash left half done, and does nothing if it was done.
 */
export async function moveEntry (move: Move): Promise<void> {
  const seen = await observe(move.source.directory, move.source.name, move.from)
  if (seen.state.type === 'absent') return await acceptMoved(move)
  if (!sameState(seen.state, move.before)) throw changed(move.from)
  await move.checkpoint('before_rename')
  if (seen.state.type === 'directory') {
    await moveDirectory(move, seen)
  } else {
    await moveFile(move, seen)
  }
  await move.checkpoint('after_rename')
  await syncDirectory(move.target.directory)
  await syncDirectory(move.source.directory)
}

async function acceptMoved (move: Move): Promise<void> {
  const there = await observe(move.target.directory, move.target.name, move.to)
  if (there.state.type === 'absent') throw new ToolFailure('not_found', `Nothing is at ${quote(move.from)}.`)
  if (!sameState(there.state, move.before)) throw changed(move.from)
}

async function moveFile (move: Move, seen: Observed): Promise<void> {
  const { source, target } = move
  const taken = look(target.directory, target.name)
  // Both names lead to one inode: a move that stopped between link and unlink.
  const linked = taken !== null && taken.ino === look(source.directory, source.name)?.ino
  if (!linked) {
    if (markOf(look(source.directory, source.name)) !== seen.mark) throw changed(move.from)
    if (taken !== null) throw new ToolFailure('already_exists', `Something is at ${quote(move.to)} already.`)
    linkSync(at(source.directory, source.name), at(target.directory, target.name))
  }
  await move.checkpoint('half_moved')
  await syncDirectory(target.directory)
  if (look(source.directory, source.name)?.ino === look(target.directory, target.name)?.ino) {
    unlinkSync(at(source.directory, source.name))
  }
}

async function moveDirectory (move: Move, seen: Observed): Promise<void> {
  const { source, target } = move
  const taken = look(target.directory, target.name)
  if (taken === null) {
    mkdirSync(at(target.directory, target.name), placeholderMode)
  } else if (!taken.isDirectory() || (Number(taken.mode) & 0o7777) !== placeholderMode) {
    throw new ToolFailure('already_exists', `Something is at ${quote(move.to)} already.`)
  }
  try {
    await move.checkpoint('half_moved')
    if (markOf(look(source.directory, source.name)) !== seen.mark) throw changed(move.from)
    renameEntry(source.directory, source.name, target.directory, target.name)
  } catch (error) {
    removePlaceholder(target)
    throw error
  }
}

function removePlaceholder (target: Place): void {
  const path = at(target.directory, target.name)
  const entry = lstatSync(path, { throwIfNoEntry: false })
  if (entry?.isDirectory() !== true || (entry.mode & 0o7777) !== placeholderMode) return
  try {
    rmdirSync(path)
  } catch (error) {
    if (errnoOf(error) !== 'ENOTEMPTY' && errnoOf(error) !== 'ENOENT') throw error
  }
}

export function changed (path: RelPath): ToolFailure {
  return new ToolFailure('changed', `${quote(path)} has changed since this was planned.`, 'Look at it again, then decide anew.')
}
