import type { PathState } from '../protocol/plan.ts'

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
  list (path: RelPath, options: { limit: number }): Promise<{ entries: Entry[], more: boolean }>
  /** Names in the parent directory that resemble the last one, best first. */
  nearNames (path: RelPath, limit: number): Promise<string[]>
  /**
   * Atomically makes `path` a file with this content; parents are created. New content is staged outside of
   * what tools see and moved into place only if `before` still holds.
   * @throws ToolFailure changed, when `before` does not hold
   */
  write (path: RelPath, bytes: Uint8Array, options: { before: PathState, mode?: number, stageName: string }): Promise<void>
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
  /** Removes the directory and all in it; may be called again after a crash. */
  remove (sessionId: string, signal: AbortSignal): Promise<void>
  /** Lets go of the directories; workspaces that are open stay usable. */
  close (): Promise<void>
}
