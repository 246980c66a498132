import { createHash } from 'node:crypto'
import { AgentError, ToolFailure } from '../errors.ts'
import { diffFilesMax, placeAttemptsMax, replayPageBytes, replayPageEvents, uploadBytesMax } from '../limits.ts'
import type { DirectoryListing, FileEntry, PutArchive, PutFile } from '../protocol/files.ts'
import type { PathState } from '../protocol/plan.ts'
import type { InterruptedExchange } from '../workspace/archive/archives.ts'
import { packTree } from '../workspace/archive/pack-tree.ts'
import { compareWithBaseline, type FileChange } from '../workspace/diff/compare.ts'
import { gitPatch, summarise } from '../workspace/diff/git-patch.ts'
import type { Entry, RelPath, Workspace } from '../workspace/workspace.ts'
import { byOf, requireScope, visible } from './access.ts'
import type { AgentContext } from './agent-context.ts'
import type { Caller } from './caller.ts'
import { decideFilesChanged, isFresh, isIdle, requireIdle, requirePrecondition, type FilesChange } from './decide-files.ts'
import { refusing } from './file-refusal.ts'
import type { Download, FileContent, Precondition, SessionDiff, SessionFiles } from './files.ts'
import { newId } from './ids.ts'
import type { LiveSession } from './live-session.ts'
import { SessionLocks } from './session-locks.ts'

/** The files of sessions over HTTP. What it changes is in the log when it answers. */
export class FilesService implements SessionFiles {
  readonly #context: AgentContext
  readonly #logBytesMax: number
  readonly #locks = new SessionLocks()

  constructor (context: AgentContext, options: { readonly logBytesMax: number }) {
    this.#context = context
    this.#logBytesMax = options.logBytesMax
  }

  async read (sessionId: string, path: string, caller: Caller): Promise<FileContent | null> {
    return await this.#reading(sessionId, caller, async (workspace) => {
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
    return await this.#reading(sessionId, caller, async (workspace) => {
      const found = await workspace.resolve(workspace.parse(path))
      const after = query.cursor === null ? {} : { after: Buffer.from(query.cursor, 'base64url') }
      const { entries, more, last } = await workspace.list(found, { limit: query.limit, ...after })
      return { path: found, entries: entries.map(present), nextCursor: more && last !== null ? Buffer.from(last).toString('base64url') : null }
    })
  }

  async write (sessionId: string, path: string, source: AsyncIterable<Uint8Array>, precondition: Precondition, caller: Caller): Promise<{ file: PutFile, created: boolean }> {
    return await this.#changing(sessionId, caller, async (live) => {
      await this.#inWorkspace(sessionId, async (workspace) => {
        const target = await workspace.resolve(workspace.parse(path))
        requirePrecondition(precondition, foundBy(await workspace.state(fileName(target))))
      })
      const received = await this.#context.workspaces.receiveFile(sessionId, source, { maxBytes: uploadBytesMax })
      try {
        return await this.#locks.run(sessionId, () => this.#inWorkspace(sessionId, async (workspace) => {
          const target = fileName(await workspace.resolve(workspace.parse(path)))
          const before = await settled(precondition, async () => {
            const before = await workspace.state(target)
            requirePrecondition(precondition, foundBy(before))
            if (before.type !== 'file' || before.sha256 !== received.sha256) await workspace.put(target, received, { before })
            return before
          })
          if (before.type !== 'file' || before.sha256 !== received.sha256) await this.#commit(live, { how: 'put', paths: [target], by: byOf(caller) })
          const file = { path: target, type: 'file' as const, size: received.size, sha256: received.sha256 }
          return { file, created: before.type === 'absent' }
        }))
      } finally {
        received.discard()
      }
    })
  }

  async makeDirectory (sessionId: string, path: string, caller: Caller): Promise<{ file: PutFile, created: boolean }> {
    return await this.#changing(sessionId, caller, (live) => this.#locks.run(sessionId, () => this.#inWorkspace(sessionId, async (workspace) => {
      const target = await workspace.resolve(workspace.parse(path))
      const created = target !== '' && await workspace.makeDirectory(target)
      if (created) await this.#commit(live, { how: 'put', paths: [target], by: byOf(caller) })
      return { file: { path: target, type: 'directory', size: 0, sha256: null }, created }
    })))
  }

  async remove (sessionId: string, path: string, options: { recursive: boolean, precondition: Precondition }, caller: Caller): Promise<void> {
    await this.#changing(sessionId, caller, (live) => this.#locks.run(sessionId, () => this.#inWorkspace(sessionId, async (workspace) => {
      const target = await workspace.resolve(workspace.parse(path), { last: false })
      if (target === '') throw new ToolFailure('invalid_path', 'The workspace itself cannot be deleted.', 'Delete what is in it, or put an empty archive.')
      await settled(options.precondition, async () => {
        const before = await workspace.state(target)
        requirePrecondition(options.precondition, foundBy(before))
        if (before.type === 'absent') throw new ToolFailure('not_found', `Nothing is at ${JSON.stringify(target)}.`)
        if (before.type === 'directory' && !options.recursive && (await workspace.list(target, { limit: 1 })).entries.length > 0) {
          throw new ToolFailure('not_empty', `The directory ${JSON.stringify(target)} is not empty.`, 'To delete all of it, say ?recursive=true.')
        }
        await workspace.remove(target, { before, stageName: newId('call') })
      })
      await this.#commit(live, { how: 'delete', paths: [target], by: byOf(caller) })
    })))
  }

  async readArchive (sessionId: string, caller: Caller): Promise<Download & { readonly omitted: number }> {
    const workspace = await this.#openFor(sessionId, caller)
    return await closingOnFailure(workspace, async () => {
      const { bytes, omitted } = await packTree(workspace)
      return {
        omitted,
        bytes: () => bytes,
        close: async () => {
          bytes.destroy()
          await workspace.close()
        }
      }
    })
  }

  async writeArchive (sessionId: string, source: AsyncIterable<Uint8Array>, caller: Caller, signal: AbortSignal): Promise<PutArchive> {
    return await this.#changing(sessionId, caller, async (live) => {
      const keepBaseline = isFresh(requireIdle(live.state))
      const received = await this.#context.workspaces.archives.receive(sessionId, source, { keepBaseline, signal })
      try {
        await this.#locks.run(sessionId, async () => {
          const change: FilesChange = { how: 'archive', paths: received.names, by: byOf(caller), exchangeId: received.id }
          await received.exchange({ ...change }, () => {
            if (isFresh(requireIdle(live.state)) !== keepBaseline) throw new AgentError('file_changed', 'A run came and went while the archive was received.', { suggestion: 'Send it again.' })
          })
          await this.#commit(live, change)
          await received.settle()
        })
      } finally {
        await received.discard()
      }
      return { files: received.files, bytes: received.bytes, baseline: keepBaseline }
    })
  }

  async diff (sessionId: string, caller: Caller, signal: AbortSignal): Promise<SessionDiff> {
    const workspace = await this.#openFor(sessionId, caller)
    return await closingOnFailure(workspace, async () => {
      const baseline = await this.#context.workspaces.archives.baseline(sessionId)
      const close = async () => {
        baseline?.close()
        await workspace.close()
      }
      try {
        const changes: FileChange[] = []
        for await (const change of compareWithBaseline(workspace, baseline, signal)) {
          changes.push(change)
          if (changes.length > diffFilesMax) {
            throw new AgentError('diff_too_large', `More than ${diffFilesMax} files have changed.`, { suggestion: 'Get the archive instead, or let a .gitignore leave out what is made anew.' })
          }
        }
        return { empty: changes.length === 0, patch: () => patchOf(changes, signal), list: () => refusing(() => listOf(changes, signal)), close }
      } catch (error) {
        baseline?.close()
        throw error
      }
    })
  }

  /** Completes the exchanges that the last process left. Before anybody can ask for files, and before any run. */
  async recover (): Promise<void> {
    const { logger, workspaces } = this.#context
    for await (const exchange of workspaces.archives.interrupted()) {
      await this.#complete(exchange).catch((error: unknown) => {
        logger.error({ err: error, sessionId: exchange.sessionId }, 'an archive could not take its place; the next start tries again')
      })
    }
  }

  async #complete (exchange: InterruptedExchange): Promise<void> {
    await this.#context.sessions.with(exchange.sessionId, async (live) => {
      const { state } = live
      if (state === null || state.ended || (!exchange.begun && !isIdle(state))) return await exchange.discard()
      await exchange.complete()
      const change = exchange.record as unknown as FilesChange // written by `writeArchive`
      if (!await this.#isLogged(exchange.sessionId, exchange.id)) await this.#commit(live, change)
      await exchange.settle()
    })
  }

  async #isLogged (sessionId: string, exchangeId: string): Promise<boolean> {
    const { log } = this.#context.sessions
    for (let after = 0; ;) {
      const page = await log.readEvents(sessionId, { after, limit: replayPageEvents, maxBytes: replayPageBytes, types: ['files_changed'] })
      if (page.some((stored) => stored.private !== null && stored.private.includes(exchangeId))) return true
      const last = page.at(-1)
      if (last === undefined) return false
      after = last.seq
    }
  }

  async #commit (live: LiveSession, change: FilesChange): Promise<void> {
    await this.#context.sessions.commit(live, (state) => decideFilesChanged(state, change))
  }

  async #openFor (sessionId: string, caller: Caller): Promise<Workspace> {
    requireScope(caller, 'read')
    visible(await this.#context.sessions.read(sessionId), caller)
    return await refusing(() => this.#context.workspaces.open(sessionId))
  }

  async #reading<T> (sessionId: string, caller: Caller, use: (workspace: Workspace) => Promise<T>): Promise<T> {
    requireScope(caller, 'read')
    visible(await this.#context.sessions.read(sessionId), caller)
    return await refusing(() => this.#inWorkspace(sessionId, use))
  }

  async #changing<T> (sessionId: string, caller: Caller, use: (live: LiveSession) => Promise<T>): Promise<T> {
    requireScope(caller, 'run')
    const { sessions } = this.#context
    return await sessions.with(sessionId, async (live) => {
      visible(live.state, caller)
      if (await sessions.log.logBytes(sessionId) >= this.#logBytesMax) {
        throw new AgentError('log_full', 'The log of this session has reached its bound.', { suggestion: 'Go on in a new session.' })
      }
      return await refusing(() => use(live))
    })
  }

  async #inWorkspace<T> (sessionId: string, use: (workspace: Workspace) => Promise<T>): Promise<T> {
    const workspace = await this.#context.workspaces.open(sessionId)
    try {
      return await use(workspace)
    } finally {
      await workspace.close()
    }
  }
}

async function closingOnFailure<T> (workspace: Workspace, use: () => Promise<T>): Promise<T> {
  try {
    return await refusing(use)
  } catch (error) {
    await workspace.close()
    throw error
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

async function * patchOf (changes: readonly FileChange[], signal: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
  for (const change of changes) {
    signal.throwIfAborted()
    yield * gitPatch(change)
  }
}

async function listOf (changes: readonly FileChange[], signal: AbortSignal): Promise<Awaited<ReturnType<typeof summarise>>[]> {
  const items = []
  for (const change of changes) {
    signal.throwIfAborted()
    items.push(await summarise(change))
  }
  return items
}
