import { closeSync, readdirSync } from 'node:fs'
import { ToolFailure } from '../errors.ts'
import { linksFollowedMax } from '../limits.ts'
import { quote } from './failures.ts'
import { enter, enterDirectory, linkText, look, self } from './handles.ts'
import { parsePath, splitPath, workspaceMount } from './paths.ts'
import type { RelPath } from './workspace.ts'

interface Level { readonly handle: number, readonly name: string }

/**
 * The path without links: those that stay inside are followed, in the middle and, with `last`, at the end. Names that
 * are missing stay as they are, but for one that differs from a name on disk only in its Unicode form. Nothing is
 * opened by the answer: it is walked again without following, so that a link swapped later is refused.
 * @throws ToolFailure symlink when a link leads out or in circles, not_directory
 */
export function resolveLinks (root: number, path: RelPath, last: boolean): RelPath {
  const levels: Level[] = []
  try {
    return follow(root, path, last, levels)
  } finally {
    for (const { handle } of levels) closeSync(handle)
  }
}

function follow (root: number, path: RelPath, last: boolean, levels: Level[]): RelPath {
  const rest = splitPath(path)
  let links = 0
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === '..') { // from a link's text only; the held parent is what counts, not where it may have been moved
      const left = levels.pop()
      if (left === undefined) throw leadsOut(path)
      closeSync(left.handle)
      continue
    }
    const current = levels.at(-1)?.handle ?? root
    const found = look(current, name) === null ? twinOf(current, name) : name
    if (found === null) return missing(path, levels, [name, ...rest])
    const entry = look(current, found)
    if (entry?.isSymbolicLink() === true && (last || rest.length > 0)) {
      if (++links > linksFollowedMax) throw new ToolFailure('symlink', `${quote(path)} goes through too many symbolic links.`)
      rest.unshift(...targetOf(linkText(current, found) ?? found, path, levels))
    } else if (rest.length > 0) {
      levels.push({ handle: enter(current, found, joined(levels, [found])), name: found })
    } else {
      return parsePath(joined(levels, [found]))
    }
  }
  return parsePath(joined(levels, []))
}

/** The names that a link stands for; an absolute one inside starts again at the root. */
function targetOf (target: string, path: RelPath, levels: Level[]): string[] {
  if (target.startsWith('/')) {
    if (target !== workspaceMount && !target.startsWith(`${workspaceMount}/`)) throw leadsOut(path)
    for (const { handle } of levels.splice(0)) closeSync(handle)
    return namesIn(target.slice(workspaceMount.length))
  }
  return namesIn(target)
}

function namesIn (target: string): string[] {
  return target.split('/').filter((name) => name !== '' && name !== '.')
}

function missing (path: RelPath, levels: readonly Level[], rest: readonly string[]): RelPath {
  if (rest.includes('..')) throw new ToolFailure('symlink', `${quote(path)} goes through a symbolic link that leads nowhere.`)
  return parsePath(joined(levels, rest))
}

function joined (levels: readonly Level[], rest: readonly string[]): string {
  return [...levels.map(({ name }) => name), ...rest].join('/') || '.'
}

function leadsOut (path: RelPath): ToolFailure {
  return new ToolFailure('symlink', `${quote(path)} goes through a symbolic link that leads out of the workspace.`)
}

/** Models write composed letters whatever the disk has: the one name that is the same text in another form. */
function twinOf (directory: number, name: string): string | null {
  // eslint-disable-next-line no-control-regex -- plain ASCII has one form only
  if (/^[\x00-\x7f]*$/.test(name)) return null
  const form = name.normalize('NFC')
  const listed = enterDirectory(directory, '.')
  try {
    const twins = readdirSync(self(listed)).filter((other) => other.normalize('NFC') === form)
    return twins.length === 1 ? twins[0] ?? null : null
  } finally {
    closeSync(listed)
  }
}
