import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack, type Header, type Pack } from 'tar-stream'
import { ToolFailure } from '../../errors.ts'
import { copyChunkBytes } from '../../limits.ts'
import type { OpenFile, RelPath, TreeEntry, Workspace } from '../workspace.ts'

type NewHeader = Partial<Header> & Pick<Header, 'name'>

/** A workspace as tar.gz, while it is written. */
export interface PackedTree {
  /** Gzip. What fails on the way ends it with an error, so that a reader never takes half an archive for a whole one. */
  readonly bytes: Readable
  /** Links, devices and names that are no UTF-8: the archive holds what such an archive may bring back. */
  readonly omitted: number
}

/** Regular files and directories with their permissions and times. `bytes` must be read or destroyed; then the workspace is free. */
export async function packTree (workspace: Workspace): Promise<PackedTree> {
  const taken: TreeEntry[] = []
  let omitted = 0
  for await (const found of workspace.tree()) {
    if (found.entry.addressable && (found.entry.type === 'file' || found.entry.type === 'directory')) taken.push(found)
    else omitted++
  }
  const archive = pack()
  const gzip = createGzip({ level: 6 })
  archive.on('error', (error) => { gzip.destroy(error) })
  gzip.on('close', () => { archive.destroy() })
  archive.pipe(gzip)
  void addAll(archive, workspace, taken).then(() => { archive.finalize() }, (error: unknown) => { gzip.destroy(error instanceof Error ? error : new Error(String(error))) })
  return { bytes: gzip, omitted }
}

async function addAll (archive: Pack, workspace: Workspace, entries: readonly TreeEntry[]): Promise<void> {
  for (const { path, entry } of entries) {
    if (archive.destroyed) return
    if (entry.type === 'directory') {
      await addEntry(archive, { name: `${path}/`, type: 'directory', mode: entry.mode & 0o777, mtime: new Date(entry.mtimeMs) })
    } else {
      const file = await openIfThere(workspace, workspace.parse(path))
      if (file === null) continue
      try {
        await addFile(archive, path, file)
      } finally {
        file.close()
      }
    }
  }
}

async function addEntry (archive: Pack, header: NewHeader): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    archive.entry(header, (error) => { if (error) reject(error); else resolve() })
  })
}

async function addFile (archive: Pack, path: string, file: OpenFile): Promise<void> {
  const header = { name: path, type: 'file', size: file.size, mode: file.mode & 0o777, mtime: new Date(file.mtimeMs) } as const
  if (file.size > copyChunkBytes) return await pipeline(file.bytes, archive.entry(header))
  const pieces: Buffer[] = []
  for await (const piece of file.bytes()) pieces.push(piece)
  await addEntryOf(archive, header, Buffer.concat(pieces))
}

async function addEntryOf (archive: Pack, header: NewHeader, bytes: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    archive.entry(header, bytes, (error) => { if (error) reject(error); else resolve() })
  })
}

/** Null: a command has removed it, or put something else there. */
async function openIfThere (workspace: Workspace, path: RelPath): Promise<OpenFile | null> {
  try {
    return await workspace.openFile(path)
  } catch (error) {
    if (error instanceof ToolFailure && goneCodes.has(error.code)) return null
    throw error
  }
}

const goneCodes = new Set(['not_found', 'symlink', 'is_directory', 'not_directory', 'not_regular'])
