import { closeSync } from 'node:fs'
import { pathDepthMax, usageYieldEntries } from '../limits.ts'
import { entryOf } from './entries.ts'
import { errnoOf } from './failures.ts'
import { enterDirectory } from './handles.ts'
import { sortedNames } from './manifest.ts'
import type { TreeEntry } from './workspace.ts'

type Enter = (path: string) => boolean | Promise<boolean>

/** Walks a tree from a held directory; one handle a level is open. Lets others run in between. */
export async function * walkTree (root: number, enter: Enter): AsyncGenerator<TreeEntry, void, undefined> {
  yield * below(root, '', 0, enter, { looked: 0 })
}

async function * below (directory: number, prefix: string, depth: number, enter: Enter, progress: { looked: number }): AsyncGenerator<TreeEntry, void, undefined> {
  for (const name of await sortedNames(directory)) {
    if (++progress.looked % usageYieldEntries === 0) await new Promise(setImmediate)
    const entry = entryOf(directory, name)
    if (entry === null) continue
    const path = prefix + entry.name
    yield { path, entry }
    if (entry.type !== 'directory' || !entry.addressable || depth >= pathDepthMax || !await enter(path)) continue
    const handle = enterIfDirectory(directory, name)
    if (handle === null) continue
    try {
      yield * below(handle, `${path}/`, depth + 1, enter, progress)
    } finally {
      closeSync(handle)
    }
  }
}

/** Null: a command has removed or swapped it. */
function enterIfDirectory (directory: number, name: Buffer): number | null {
  try {
    return enterDirectory(directory, name)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return null
    throw error
  }
}
