import { ToolFailure } from '../../errors.ts'
import { gitignoreBytesMax, pathDepthMax, searchEntriesMax } from '../../limits.ts'
import { splitPath } from '../paths.ts'
import type { Entry, RelPath, Workspace } from '../workspace.ts'
import type { SearchScope } from './file-search.ts'
import { IgnoreFile } from './gitignore.ts'

/** A .gitignore and the directory that it is in. */
interface Rules { readonly directory: RelPath, readonly file: IgnoreFile }

export interface WalkProgress {
  entries: number
  /** There were more than are looked at. */
  cut: boolean
  /** Called often: true ends the walk. */
  isOver (): boolean
}

/**
 * The files of a scope in the order of ripgrep's `--sort path`, without following links. The directory that was asked for is looked
 * through whatever .gitignore says about it.
 */
export async function * walkFiles (workspace: Workspace, scope: SearchScope, progress: WalkProgress): AsyncGenerator<{ path: RelPath, entry: Entry }> {
  if (scope.isFile) {
    const entry = await workspace.stat(scope.path)
    if (entry?.type === 'file') yield { path: scope.path, entry }
    return
  }
  const above: Rules[] = []
  const names = splitPath(scope.path)
  for (let depth = 0; depth < names.length && !scope.ignored; depth++) {
    const directory = workspace.parse(names.slice(0, depth).join('/') || '.')
    above.push(...await rulesIn(workspace, directory))
  }
  yield * walkDirectory(workspace, scope, scope.path, above, progress)
}

async function * walkDirectory (
  workspace: Workspace, scope: SearchScope, directory: RelPath, above: readonly Rules[], progress: WalkProgress
): AsyncGenerator<{ path: RelPath, entry: Entry }> {
  const { entries, more } = await workspace.list(directory, { limit: searchEntriesMax - progress.entries })
  if (more) progress.cut = true
  const hasRules = !scope.ignored && entries.some(({ name, type }) => name === '.gitignore' && type === 'file')
  const rules = hasRules ? [...above, ...await rulesIn(workspace, directory)] : above
  for (const entry of entries) {
    if (progress.isOver()) return
    if (progress.entries >= searchEntriesMax) {
      progress.cut = true
      return
    }
    progress.entries += 1
    if (!entry.addressable || entry.name === '.git' || (entry.name.startsWith('.') && !scope.hidden)) continue
    const path = workspace.parse(directory === '' ? `./${entry.name}` : `${directory}/${entry.name}`)
    if (isIgnored(rules, path, entry.type === 'directory')) continue
    if (entry.type === 'file') yield { path, entry }
    if (entry.type === 'directory' && splitPath(path).length < pathDepthMax) {
      yield * unlessGone(walkDirectory(workspace, scope, path, rules, progress))
    }
  }
}

/** A directory that a command removes or swaps for a link meanwhile is passed over. */
async function * unlessGone<T> (walk: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield * walk
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error
  }
}

async function rulesIn (workspace: Workspace, directory: RelPath): Promise<Rules[]> {
  try {
    const path = workspace.parse(directory === '' ? '.gitignore' : `${directory}/.gitignore`)
    const { bytes } = await workspace.read(path, { maxBytes: gitignoreBytesMax })
    return [{ directory, file: new IgnoreFile(bytes.toString()) }]
  } catch (error) {
    if (error instanceof ToolFailure) return []
    throw error
  }
}

/** The nearest file that says something decides. */
function isIgnored (rules: readonly Rules[], path: RelPath, isDirectory: boolean): boolean {
  for (const { directory, file } of rules.toReversed()) {
    const said = file.ignores(directory === '' ? path : path.slice(directory.length + 1), isDirectory)
    if (said !== null) return said
  }
  return false
}
