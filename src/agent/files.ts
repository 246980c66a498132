import type { DirectoryListing, FileChange, PutArchive, PutFile } from '../protocol/files.ts'
import type { Caller } from './caller.ts'

/** What a request expects to find, by SHA-256; `*` is anything. Null: it does not say. */
export interface Precondition {
  readonly match: readonly string[] | '*' | null
  readonly noneMatch: readonly string[] | '*' | null
}

/** A file that is held open until `close`. */
export interface FileContent {
  readonly path: string
  readonly size: number
  readonly sha256: string
  /** Exactly `size` bytes with this hash; ends with an error when the file is changed in place meanwhile. */
  bytes (): AsyncGenerator<Buffer, void, undefined>
  close (): void
}

/** Bytes of unknown number, made while they are read. `close` it, also when it was not read. */
export interface Download {
  bytes (): AsyncIterable<Buffer>
  close (): Promise<void>
}

/** What changed since the baseline: a patch or a list, not both. `close` it. */
export interface SessionDiff {
  readonly empty: boolean
  patch (): AsyncGenerator<Buffer, void, undefined>
  list (): Promise<FileChange[]>
  close (): Promise<void>
}

/** A session's workspace, as HTTP sees it. Every method checks the caller's team and scopes, and throws `AgentError`. */
export interface SessionFiles {
  /** Null: it is a directory. */
  read (sessionId: string, path: string, caller: Caller): Promise<FileContent | null>
  list (sessionId: string, path: string, query: { limit: number, cursor: string | null }, caller: Caller): Promise<DirectoryListing>
  /** Atomic; `source` is read only after the precondition was found to hold, which is looked at again when it is whole. */
  write (sessionId: string, path: string, source: AsyncIterable<Uint8Array>, precondition: Precondition, caller: Caller): Promise<{ file: PutFile, created: boolean }>
  makeDirectory (sessionId: string, path: string, caller: Caller): Promise<{ file: PutFile, created: boolean }>
  remove (sessionId: string, path: string, options: { recursive: boolean, precondition: Precondition }, caller: Caller): Promise<void>
  /** The workspace as tar.gz. `omitted`: entries that are neither regular files nor directories. */
  readArchive (sessionId: string, caller: Caller): Promise<Download & { readonly omitted: number }>
  /** Replaces everything. @throws AgentError run_active, also when a run starts before the archive is whole */
  writeArchive (sessionId: string, source: AsyncIterable<Uint8Array>, caller: Caller, signal: AbortSignal): Promise<PutArchive>
  diff (sessionId: string, caller: Caller, signal: AbortSignal): Promise<SessionDiff>
}
