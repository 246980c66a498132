import { Type } from '@sinclair/typebox'
import { ToolFailure } from '../errors.ts'
import { listDepthMax, listEntriesMax, readBytesMax } from '../limits.ts'
import { quote } from '../workspace/failures.ts'
import type { Entry, RelPath, Workspace } from '../workspace/workspace.ts'
import { defineTool } from './define-tool.ts'
import { locate, notFound } from './locate.ts'

interface Listing { readonly lines: string[], bytes: number, more: boolean }

export const listDir = defineTool({
  name: 'list_dir',
  description: 'Lists a directory: one entry a line, sorted, directories with a slash at the end, files with their size in bytes.',
  parameters: Type.Object({
    path: Type.Optional(Type.String({ description: 'Path relative to the workspace; left out, the workspace itself' })),
    depth: Type.Optional(Type.Integer({ minimum: 1, maximum: listDepthMax, description: 'Levels to list; 1 when left out' }))
  }),
  dangerous: false,
  async prepare (args, { workspace }) {
    const { path, paths, notes } = await locate(workspace, args.path ?? '.')
    return { paths, preview: { summary: `List ${path || 'the workspace'}`, notes: [...notes] } }
  },
  async execute (args, _plan, { workspace, signal }) {
    const { path } = await locate(workspace, args.path ?? '.')
    const entry = await workspace.stat(path)
    if (entry === null) throw await notFound(workspace, path)
    if (entry.type !== 'directory') throw new ToolFailure('not_directory', `${quote(path)} is not a directory.`, 'Use read_file to read a file.')
    const listing: Listing = { lines: [], bytes: 0, more: false }
    await addEntries(listing, workspace, path, '', args.depth ?? 1, signal)
    const note = listing.more ? ['[There are more entries; list a directory below instead.]'] : []
    return {
      content: listing.lines.length === 0 ? '[The directory is empty.]' : [...listing.lines, ...note].join('\n'),
      diff: null,
      verified: null,
      truncated: listing.more,
      seen: []
    }
  }
})

async function addEntries (listing: Listing, workspace: Workspace, path: RelPath, prefix: string, depth: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { entries, more } = await workspace.list(path, { limit: listEntriesMax - listing.lines.length })
  for (const entry of entries) {
    const line = lineOf(entry, prefix)
    listing.bytes += Buffer.byteLength(line) + 1
    if (listing.lines.length >= listEntriesMax || listing.bytes > readBytesMax) {
      listing.more = true
      return
    }
    listing.lines.push(line)
    if (entry.type === 'directory' && entry.addressable && depth > 1) {
      const below = workspace.parse(path === '' ? `./${entry.name}` : `${path}/${entry.name}`)
      await addEntries(listing, workspace, below, `${prefix}${entry.name}/`, depth - 1, signal)
    }
  }
  listing.more ||= more
}

function lineOf (entry: Entry, prefix: string): string {
  const name = plainName(`${prefix}${entry.name}${entry.type === 'directory' ? '/' : ''}`)
  const note = entry.addressable ? '' : ' (the name is not UTF-8)'
  switch (entry.type) {
    case 'file': return `${name}\t${entry.size}${note}`
    case 'directory': return `${name}${note}`
    case 'symlink': return `${name} -> ${plainName(entry.linkText ?? '')}${note}`
    case 'other': return `${name} (neither file nor directory)${note}`
    default: return entry.type satisfies never
  }
}

/** A name that could be taken for more than a name stands in quotes. */
export function plainName (name: string): string {
  return /[\p{C}\p{Zl}\p{Zp}"]|^\s|\s$| -> /u.test(name) ? JSON.stringify(name) : name
}
