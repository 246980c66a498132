import type { CommandRunner } from '../commands/command-runner.ts'
import type { RelPath } from '../workspace.ts'
import { plainSearch, type PlainSearchOptions } from './plain-search.ts'
import { ripgrepSearch } from './ripgrep-search.ts'

/** What is looked through. */
export interface SearchScope {
  readonly sessionId: string
  /** A directory, or with `isFile` a file; without links. */
  readonly path: RelPath
  readonly isFile: boolean
  /** Relative to the directory. Null: every file. */
  readonly glob: string | null
  /** Also names that begin with a dot; never `.git`. */
  readonly hidden: boolean
  /** Also what .gitignore leaves out. */
  readonly ignored: boolean
  /** Files or matching lines. */
  readonly limit: number
}

export interface TextQuery {
  /** A regular expression in the language that RE2 and Rust share, or with `literal` the text itself. */
  readonly pattern: string
  readonly literal: boolean
  readonly ignoreCase: boolean
  /** Also files that are no text, taken as if they were. */
  readonly binary: boolean
  /** Lines shown before and after a match. */
  readonly context: number
}

/** Paths are relative to the workspace, sorted by bytes. */
export interface FoundFiles {
  readonly files: readonly string[]
  /** There are more than `limit`. */
  readonly more: boolean
  /** Time was up before all was looked through. */
  readonly timedOut: boolean
}

export interface FoundLine {
  readonly number: number
  /** Cut around the match when it is long. */
  readonly text: string
  /** False: it is there as context. */
  readonly isMatch: boolean
}

export interface FoundText {
  readonly files: ReadonlyArray<{ readonly path: string, readonly lines: readonly FoundLine[] }>
  readonly more: boolean
  readonly timedOut: boolean
  /** Where nothing was found: some files with matches that .gitignore leaves out. */
  readonly ignoredMatches: readonly string[]
}

/** Looks through a session's files without following links, in bounded time, whatever the pattern. */
export interface FileSearch {
  /** @throws ToolFailure invalid_arguments, cancelled */
  find (scope: SearchScope, signal: AbortSignal): Promise<FoundFiles>
  /** @throws ToolFailure invalid_arguments, cancelled */
  search (scope: SearchScope, query: TextQuery, signal: AbortSignal): Promise<FoundText>
}

/** Ripgrep in the sandbox; where there is none, the same in a thread of this process, slower. */
export function createFileSearch (runner: CommandRunner, options: PlainSearchOptions): FileSearch {
  const quick = ripgrepSearch(runner)
  const plain = plainSearch(options)
  return {
    async find (scope, signal) {
      return await quick.find(scope, signal) ?? await plain.find(scope, signal)
    },
    async search (scope, query, signal) {
      return await quick.search(scope, query, signal) ?? await plain.search(scope, query, signal)
    }
  }
}
