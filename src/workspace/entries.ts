import { fstatSync, type BigIntStats } from 'node:fs'
import { entriesAtOnce } from '../limits.ts'
import { permissions } from './content.ts'
import { linkText, look } from './handles.ts'
import type { Entry } from './workspace.ts'

/** What is at a name of a held directory. Null: nothing, or gone meanwhile. */
export function entryOf (directory: number, name: Buffer): Entry | null {
  const stat = look(directory, name)
  if (stat === null) return null
  const shown = name.toString()
  const entry = { ...facts(stat), name: shown, addressable: Buffer.from(shown).equals(name) }
  return entry.type === 'symlink' ? { ...entry, linkText: linkText(directory, name) ?? '' } : entry
}

/** As `entryOf`, of many: others get their turn in between. */
export async function entriesOf (directory: number, names: readonly Buffer[]): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const [index, name] of names.entries()) {
    if (index % entriesAtOnce === entriesAtOnce - 1) await new Promise(setImmediate)
    const entry = entryOf(directory, name)
    if (entry !== null) entries.push(entry)
  }
  return entries
}

/** The workspace's own directory. */
export function selfEntry (root: number): Entry {
  return { ...facts(fstatSync(root, { bigint: true })), name: '', addressable: true }
}

function facts (stat: BigIntStats): Pick<Entry, 'type' | 'size' | 'mode' | 'mtimeMs'> {
  return { type: typeOf(stat), size: Number(stat.size), mode: permissions(stat.mode), mtimeMs: Number(stat.mtimeMs) }
}

function typeOf (stat: BigIntStats): Entry['type'] {
  if (stat.isFile()) return 'file'
  if (stat.isDirectory()) return 'directory'
  return stat.isSymbolicLink() ? 'symlink' : 'other'
}
