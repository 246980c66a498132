import { ToolFailure } from '../errors.ts'
import { nearNamesMax } from '../limits.ts'
import { quote } from '../workspace/failures.ts'
import { parentOf } from '../workspace/paths.ts'
import type { RelPath, Workspace } from '../workspace/workspace.ts'

/** Where a file argument leads, and what of it policy looks at. */
export interface Located {
  readonly path: RelPath
  /** The path, and the one that was asked for when a link or another Unicode form led here. */
  readonly paths: readonly string[]
  /** For people, when they differ. */
  readonly notes: readonly string[]
}

/**
 * Finds what an argument names; `last: false` for a link that is meant itself.
 * @throws ToolFailure invalid_path, outside_workspace, symlink, not_directory
 */
export async function locate (workspace: Workspace, argument: string, options: { last?: boolean } = {}): Promise<Located> {
  const asked = workspace.parse(argument)
  const path = await workspace.resolve(asked, options)
  if (path === asked) return { path, paths: [path], notes: [] }
  return { path, paths: [path, asked], notes: [`${quote(asked)} leads to ${quote(path)}.`] }
}

/** As `locate`, for an argument that must name a file. */
export async function locateFile (workspace: Workspace, argument: string): Promise<Located> {
  const located = await locate(workspace, argument)
  const entry = argument.endsWith('/') ? await workspace.stat(located.path) : null
  if (entry !== null && entry.type !== 'directory') throw new ToolFailure('not_directory', `${quote(located.path)} is no directory: leave the slash at the end out.`)
  if (argument.endsWith('/') || located.path === '') throw isDirectory(located.path)
  return located
}

export function isDirectory (path: RelPath): ToolFailure {
  return new ToolFailure('is_directory', `${quote(path)} is a directory, not a file.`, 'Use list_dir to see what is in it.')
}

/** Says that nothing is there, and what has a similar name. */
export async function notFound (workspace: Workspace, path: RelPath): Promise<ToolFailure> {
  const names = await workspace.nearNames(path, nearNamesMax)
  const parent = parentOf(path)
  const near = names.map((name) => quote(parent === '' ? name : `${parent}/${name}`))
  if (near.length > 0) return new ToolFailure('not_found', `Nothing is at ${quote(path)}. Similar names: ${near.join(', ')}.`, 'Use one of them, or list_dir to see what is there.')
  const missing = await firstMissing(workspace, path)
  const where = missing === path ? '' : ` There is no ${quote(missing)} either.`
  return new ToolFailure('not_found', `Nothing is at ${quote(path)}.${where}`, 'Use list_dir to see what is there.')
}

async function firstMissing (workspace: Workspace, path: RelPath): Promise<RelPath> {
  let missing = path
  for (let parent = parentOf(path); parent !== '' && await workspace.stat(parent) === null; parent = parentOf(parent)) missing = parent
  return missing
}
