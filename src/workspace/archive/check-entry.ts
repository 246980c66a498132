import type { Header } from 'tar-stream'
import { ToolFailure } from '../../errors.ts'
import { quote } from '../failures.ts'
import { parsePath } from '../paths.ts'
import type { RelPath } from '../workspace.ts'

export interface ArchiveEntry { readonly type: 'file' | 'directory', readonly path: RelPath, readonly mode: number, readonly mtimeMs: number }

/**
 * What an entry of an archive would become. Only regular files and directories are taken: a link in an archive can lead
 * out, or let a later entry go through it.
 * @throws ToolFailure invalid_archive
 */
export function checkEntry (header: Header): ArchiveEntry {
  const shown = quote(header.name)
  if (header.type !== 'file' && header.type !== 'directory') {
    const type: string | null = header.type // null, whatever its type says, for a kind that the reader does not know
    throw invalidArchive(`${shown} is a ${type?.replaceAll('-', ' ') ?? 'special entry'}; only regular files and directories are taken.`)
  }
  if (Object.keys(header.pax ?? {}).some((key) => key.startsWith('GNU.sparse.'))) throw invalidArchive(`${shown} is a sparse file.`)
  // The reader puts this character where a name is no UTF-8: two names would become one.
  if (header.name.includes('\ufffd')) throw invalidArchive(`The name ${shown} is not UTF-8.`)
  if (header.name.startsWith('/')) throw invalidArchive(`${shown} is an absolute path.`)
  if (header.type === 'file' && header.name.endsWith('/')) throw invalidArchive(`${shown} is no name of a file.`)
  return {
    type: header.type,
    path: pathOf(header.name, shown),
    // Set-uid bits mean nothing here, and the owner must be able to go on working with it.
    mode: (header.mode & 0o777) | (header.type === 'directory' ? 0o700 : 0o600),
    mtimeMs: timeOf(header.mtime)
  }
}

function pathOf (name: string, shown: string): RelPath {
  try {
    return parsePath(name)
  } catch (error) {
    if (error instanceof ToolFailure) throw invalidArchive(`The name ${shown} is not usable. ${error.message}`)
    throw error
  }
}

function timeOf (time: Date): number {
  const ms = time.getTime()
  return Number.isFinite(ms) && ms > 0 && ms < 2 ** 32 * 1000 ? ms : 0
}

export function invalidArchive (message: string): ToolFailure {
  return new ToolFailure('invalid_archive', message, 'Send a tar.gz of regular files and directories with relative paths, as "git archive --format=tar.gz" makes it.')
}
