import type { PathState } from '../protocol/plan.ts'
import type { Archives } from './archive/archives.ts'
import type { Change, ChangeNote, LeftChange } from './change-notes.ts'

declare const relativePath: unique symbol
/** A path inside the workspace, checked and normalised: no `..`, no leading slash; `''` is the workspace itself. Only `Workspace.parse` makes one. */
export type RelPath = string & { readonly [relativePath]: true }

export interface Entry {
  /** The last name of the path; names that are no UTF-8 are shown lossily and marked. */
  readonly name: string
  readonly type: 'file' | 'directory' | 'symlink' | 'other'
  /** Bytes. */
  readonly size: number
  /** Permission bits. */
  readonly mode: number
  readonly mtimeMs: number
  readonly addressable: boolean
  /** Of a symlink. */
  readonly linkText?: string
}

export interface FileContent {
  readonly bytes: Buffer
  /** Size of the file; more than `bytes` when cut. */
  readonly size: number
  readonly mode: number
}

/** A regular file that is held open: what is renamed over its name meanwhile does not matter. `close` it. */
export interface OpenFile {
  readonly size: number
  readonly mode: number
  readonly mtimeMs: number
  /** Of what is in it now. */
  sha256 (): Promise<string>
  /** Exactly `size` bytes. @throws ToolFailure changed, when a command has cut the file short */
  bytes (): AsyncGenerator<Buffer, void, undefined>
  close (): void
}

/** A file that came over the network and waits outside of every workspace. `discard` it in the end, also when it was put. */
export interface ReceivedFile {
  readonly name: string
  readonly size: number
  readonly sha256: string
  discard (): void
}

/** What is in a workspace, by path: `a/b`. */
export interface TreeEntry { readonly path: string, readonly entry: Entry }

/**
 * A session's directory, and nothing outside it. Paths are walked component by component from an open handle
 * without following links, so that no text and no race leads out. Made per run or request; `close` it.
 * Every method throws `ToolFailure` with paths relative to the workspace.
 */
export interface Workspace {
  /** The session's: by it the sandbox finds the same directory. */
  readonly sessionId: string
  /** @throws ToolFailure outside_workspace, invalid_path, name_too_long */
  parse (path: unknown): RelPath
  /**
   * The path without the symbolic links in it, also the last unless `last` is false; what is missing stays as it is.
   * A name that differs from the only similar one on disk by its Unicode form (NFC, NFD) becomes that one.
   * The other methods follow no link: they are given what this answered, and refuse if a link was put there since.
   * @throws ToolFailure symlink, when a link leads out of the workspace
   */
  resolve (path: RelPath, options?: { last?: boolean }): Promise<RelPath>
  /** Null: nothing is there. */
  stat (path: RelPath): Promise<Entry | null>
  /** What effects compare: content hash and mode, or inode and manifest. */
  state (path: RelPath): Promise<PathState>
  /** A regular file, from `offset`, at most `maxBytes`. Links inside the workspace are followed when `follow`. */
  read (path: RelPath, options: { maxBytes: number, offset?: number, follow?: boolean }): Promise<FileContent>
  /** Sorted by bytes. `after`: only names beyond this one; `last`: the one to go on after. */
  list (path: RelPath, options: { limit: number, after?: Uint8Array }): Promise<{ entries: Entry[], more: boolean, last: Uint8Array | null }>
  /** For content of any size. Links are not followed. */
  openFile (path: RelPath): Promise<OpenFile>
  /**
   * Everything below the workspace, a directory before what is in it, names sorted by bytes; links are not followed.
   * `enter`: whether to look into a directory. What a command removes meanwhile is passed over.
   */
  tree (enter?: (path: string) => boolean | Promise<boolean>): AsyncGenerator<TreeEntry, void, undefined>
  /** Names in the parent directory that resemble the last one, best first. */
  nearNames (path: RelPath, limit: number): Promise<string[]>
  /**
   * Atomically makes `path` a file with this content; parents are created. New content is staged outside of
   * what tools see and moved into place only if `before` still holds.
   * @throws ToolFailure changed, when `before` does not hold
   */
  write (path: RelPath, bytes: Uint8Array, options: { before: PathState, mode?: number, stageName: string }): Promise<void>
  /** As `write`, with content that was received before. */
  put (path: RelPath, file: ReceivedFile, options: { before: PathState }): Promise<void>
  /** Parents too. False: it was there. @throws ToolFailure already_exists, when something else is there */
  makeDirectory (path: RelPath): Promise<boolean>
  /** Never overwrites. A move that a crash left half done is finished by the same call. */
  move (from: RelPath, to: RelPath, options: { before: PathState }): Promise<void>
  /** A rename into staging, then removal there. */
  remove (path: RelPath, options: { before: PathState, stageName: string }): Promise<void>
  close (): Promise<void>
}

export interface Workspaces {
  /** Makes the directory of a session; no error if it is there. */
  create (sessionId: string): Promise<void>
  /** @throws ToolFailure not_found when the session has none */
  open (sessionId: string): Promise<Workspace>
  /** After a crash: removes what was staged. Must not run beside a tool call of the session. */
  emptyStaging (sessionId: string): Promise<void>
  /**
   * Takes in a file of at most `maxBytes`, without looking at the workspace.
   * @throws ToolFailure too_large; what `source` throws
   */
  receiveFile (sessionId: string, source: AsyncIterable<Uint8Array>, options: { maxBytes: number }): Promise<ReceivedFile>
  readonly archives: Archives
  /** Before a change that is told elsewhere after it: durable when this resolves. */
  noteChange (sessionId: string, change: Change): Promise<ChangeNote>
  /** Changes of the last process that may not have been told. Called once, before anything else changes files. */
  leftChanges (): AsyncGenerator<LeftChange, void, undefined>
  /** Removes the directory, what is kept beside it, and all in them; may be called again after a crash. */
  remove (sessionId: string, signal: AbortSignal): Promise<void>
  /** Lets go of the directories; workspaces that are open stay usable. */
  close (): Promise<void>
}
