import { createHash } from 'node:crypto'
import { ToolFailure } from '../errors.ts'
import { placeAttemptsMax, uploadBytesMax } from '../limits.ts'
import type { DirectoryListing, FileEntry, PutFile } from '../protocol/files.ts'
import type { PathState } from '../protocol/plan.ts'
import type { Entry, RelPath } from '../workspace/workspace.ts'
import { byOf } from './access.ts'
import type { Caller } from './caller.ts'
import { requirePrecondition } from './decide-files.ts'
import type { FileAccess } from './file-access.ts'
import type { FileContent, Precondition, SessionFiles } from './files.ts'

/** Single files of a session over HTTP. What it changes is in the log when it answers. */
export class FilesService implements Pick<SessionFiles, 'read' | 'list' | 'write' | 'makeDirectory' | 'remove'> {
  readonly #access: FileAccess

  constructor (access: FileAccess) {
    this.#access = access
  }

  async read (sessionId: string, path: string, caller: Caller): Promise<FileContent | null> {
    return await this.#access.reading(sessionId, caller, async (workspace) => {
      const found = await workspace.resolve(workspace.parse(path))
      if (found === '' || (await workspace.stat(found))?.type === 'directory') return null
      const file = await workspace.openFile(found)
      try {
        const sha256 = await file.sha256()
        return { path: found, size: file.size, sha256, bytes: () => checked(found, file.bytes(), sha256), close: () => { file.close() } }
      } catch (error) {
        file.close()
        throw error
      }
    })
  }

  async list (sessionId: string, path: string, query: { limit: number, cursor: string | null }, caller: Caller): Promise<DirectoryListing> {
    return await this.#access.reading(sessionId, caller, async (workspace) => {
      const found = await workspace.resolve(workspace.parse(path))
      const after = query.cursor === null ? {} : { after: Buffer.from(query.cursor, 'base64url') }
      const { entries, more, last } = await workspace.list(found, { limit: query.limit, ...after })
      return { path: found, entries: entries.map(present), nextCursor: more && last !== null ? Buffer.from(last).toString('base64url') : null }
    })
  }

  async write (sessionId: string, path: string, source: AsyncIterable<Uint8Array>, precondition: Precondition, caller: Caller): Promise<{ file: PutFile, created: boolean }> {
    return await this.#access.changing(sessionId, caller, async (live) => {
      await this.#access.inWorkspace(sessionId, async (workspace) => {
        const target = await workspace.resolve(workspace.parse(path))
        requirePrecondition(precondition, foundBy(await workspace.state(fileName(target))))
      })
      const received = await this.#access.context.workspaces.receiveFile(sessionId, source, { maxBytes: uploadBytesMax })
      try {
        return await this.#access.locked(sessionId, () => this.#access.inWorkspace(sessionId, async (workspace) => {
          const target = fileName(await workspace.resolve(workspace.parse(path)))
          const { size, sha256 } = received
          const before = await settled(precondition, async () => {
            const before = await workspace.state(target)
            requirePrecondition(precondition, foundBy(before))
            if (before.type !== 'file' || before.sha256 !== sha256) {
              await this.#access.telling(live, { path: target, after: { type: 'file', sha256 } }, { how: 'put', paths: [target], by: byOf(caller) },
                () => workspace.put(target, received, { before }))
            }
            return before
          })
          return { file: { path: target, type: 'file' as const, size, sha256 }, created: before.type === 'absent' }
        }))
      } finally {
        received.discard()
      }
    })
  }

  async makeDirectory (sessionId: string, path: string, caller: Caller): Promise<{ file: PutFile, created: boolean }> {
    return await this.#access.changing(sessionId, caller, (live) => this.#access.locked(sessionId, () => this.#access.inWorkspace(sessionId, async (workspace) => {
      const target = await workspace.resolve(workspace.parse(path))
      const created = target !== '' && (await workspace.stat(target))?.type !== 'directory'
      if (created) {
        await this.#access.telling(live, { path: target, after: { type: 'directory' } }, { how: 'put', paths: [target], by: byOf(caller) },
          async () => { await workspace.makeDirectory(target) })
      }
      return { file: { path: target, type: 'directory', size: 0, sha256: null }, created }
    })))
  }

  async remove (sessionId: string, path: string, options: { recursive: boolean, precondition: Precondition }, caller: Caller): Promise<void> {
    await this.#access.changing(sessionId, caller, (live) => this.#access.locked(sessionId, () => this.#access.inWorkspace(sessionId, async (workspace) => {
      const target = await workspace.resolve(workspace.parse(path), { last: false })
      if (target === '') throw new ToolFailure('invalid_path', 'The workspace itself cannot be deleted.', 'Delete what is in it, or put an empty archive.')
      await settled(options.precondition, async () => {
        const before = await workspace.state(target)
        requirePrecondition(options.precondition, foundBy(before))
        if (before.type === 'absent') throw new ToolFailure('not_found', `Nothing is at ${JSON.stringify(target)}.`)
        if (before.type === 'directory' && !options.recursive && (await workspace.list(target, { limit: 1 })).entries.length > 0) {
          throw new ToolFailure('not_empty', `The directory ${JSON.stringify(target)} is not empty.`, 'To delete all of it, say ?recursive=true.')
        }
        await this.#access.telling(live, { path: target, after: { type: 'absent' } }, { how: 'delete', paths: [target], by: byOf(caller) },
          (noteId) => workspace.remove(target, { before, stageName: noteId }))
      })
    })))
  }
}

/** Tries again while something else changes the file; with a precondition the first look is the one that counts. */
async function settled<T> ({ match, noneMatch }: Precondition, attempt: () => Promise<T>): Promise<T> {
  for (let attempts = match === null && noneMatch === null ? placeAttemptsMax : 2; ;) {
    try {
      return await attempt()
    } catch (error) {
      if (--attempts === 0 || !(error instanceof ToolFailure && error.code === 'changed')) throw error
    }
  }
}

function fileName (path: RelPath): RelPath {
  if (path === '') throw new ToolFailure('is_directory', 'The workspace itself is a directory.')
  return path
}

/** What a precondition compares with; what is no file has no ETag. */
function foundBy (state: PathState): string | null {
  return state.type === 'absent' ? null : state.type === 'file' ? state.sha256 : ''
}

function present (entry: Entry): FileEntry {
  const { name, type, size, mode, mtimeMs, addressable, linkText } = entry
  return { name, type, size, mode, mtime: new Date(mtimeMs).toISOString(), ...(linkText === undefined ? {} : { target: linkText }), addressable }
}

/** The last piece is held back until the whole is known to be what its ETag says. */
async function * checked (path: string, bytes: AsyncIterable<Buffer>, sha256: string): AsyncGenerator<Buffer, void, undefined> {
  const hash = createHash('sha256')
  let held: Buffer | null = null
  for await (const piece of bytes) {
    hash.update(piece)
    if (held !== null) yield held
    held = piece
  }
  if (hash.digest('hex') !== sha256) throw new ToolFailure('changed', `${JSON.stringify(path)} was changed while it was read.`)
  if (held !== null) yield held
}
