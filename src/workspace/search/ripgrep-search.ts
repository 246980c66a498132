import { ToolFailure } from '../../errors.ts'
import { ignoredMatchesShown, searchFileBytesMax, searchTimeoutMs } from '../../limits.ts'
import { ignoreFilePath, type CommandResult, type CommandRunner } from '../commands/command-runner.ts'
import { nameOf, parentOf } from '../paths.ts'
import type { RelPath } from '../workspace.ts'
import type { FoundFiles, FoundText, SearchScope, TextQuery } from './file-search.ts'
import { compileGlob, normalGlob, type GlobMatcher } from './glob.ts'
import { RipgrepReader } from './ripgrep-json.ts'

/** As `FileSearch`; null where the sandbox is missing. */
export interface RipgrepSearch {
  find (scope: SearchScope, signal: AbortSignal): Promise<FoundFiles | null>
  search (scope: SearchScope, query: TextQuery, signal: AbortSignal): Promise<FoundText | null>
}

export function ripgrepSearch (runner: CommandRunner): RipgrepSearch {
  return {
    async find (scope, signal) {
      const matches = matcherOf(scope)
      const names = new NameReader(matches, scope.limit)
      const result = await run(runner, scope, [...walkArguments(scope), '--files', '--null', '--', target(scope)], signal, names)
      if (result === null) return null
      return {
        files: names.names.slice(0, scope.limit).map((name) => inWorkspace(scope, name)),
        more: names.isFull,
        timedOut: result.outcome === 'timeout'
      }
    },
    async search (scope, query, signal) {
      const found = await searchText(runner, scope, query, signal)
      if (found === null || found.files.length > 0 || found.timedOut || scope.ignored) return found
      const all = await searchText(runner, { ...scope, ignored: true, limit: ignoredMatchesShown }, { ...query, context: 0 }, signal, 1)
      return { ...found, ignoredMatches: all?.files.map(({ path }) => path) ?? [] }
    }
  }
}

async function searchText (runner: CommandRunner, scope: SearchScope, query: TextQuery, signal: AbortSignal, perFile = scope.limit + 1): Promise<FoundText | null> {
  const reader = new RipgrepReader(matcherOf(scope), scope.limit)
  const args = [
    ...walkArguments(scope), '--json', `--max-filesize=${searchFileBytesMax}`, `--max-count=${perFile}`,
    '--regex-size-limit=10M', '--dfa-size-limit=10M', '--no-messages', '--crlf',
    query.ignoreCase ? '--ignore-case' : '--case-sensitive',
    ...(query.literal ? ['--fixed-strings'] : []),
    ...(query.binary ? ['--text'] : []),
    ...(query.context > 0 ? [`--context=${query.context}`] : []),
    `--regexp=${query.pattern}`, '--', target(scope)
  ]
  const result = await run(runner, scope, args, signal, reader)
  if (result === null) return null
  reader.finish()
  if (result.outcome === 'exited' && result.exitCode === 2 && !reader.started) throw invalidPattern(result.stderr.head.toString())
  return {
    files: reader.files.map(({ path, lines }) => ({ path: inWorkspace(scope, path), lines })),
    more: reader.isFull,
    timedOut: result.outcome === 'timeout',
    ignoredMatches: []
  }
}

/**
 * Overrides on the command line beat .gitignore, so the glob is not given there: it stands in a file of lower rank, which
 * only saves work. What counts is `matcherOf`.
 */
function walkArguments (scope: SearchScope): string[] {
  return [
    '--no-config', '--no-follow', '--no-require-git', '--no-ignore-dot', '--no-ignore-exclude', '--no-ignore-global',
    '--hidden', scope.hidden ? '--glob=!.git' : '--glob=!.*',
    ...(scope.ignored ? ['--no-ignore-vcs'] : []),
    `--ignore-file=${ignoreFilePath}`, '--threads=1', '--sort=path'
  ]
}

/** Globs that both sides read alike; others are left to `matcherOf`. */
function ignoreFileFor ({ glob }: SearchScope): string {
  if (glob === null || !/^[A-Za-z0-9_./*?-]+$/.test(glob)) return ''
  return `*\n!*/\n!${normalGlob(glob)}\n`
}

function matcherOf ({ glob, isFile }: SearchScope): GlobMatcher {
  return glob === null || isFile ? () => true : compileGlob(glob)
}

function directoryOf ({ path, isFile }: SearchScope): RelPath {
  return isFile ? parentOf(path) : path
}

function target ({ path, isFile }: SearchScope): string {
  return isFile ? `./${nameOf(path)}` : './'
}

function inWorkspace (scope: SearchScope, name: string): string {
  const directory = directoryOf(scope)
  return directory === '' ? name : `${directory}/${name}`
}

interface Reader { readonly isFull: boolean, add (chunk: Buffer): void }

/** Null: there is no sandbox to run in. Stops when the reader has enough. */
async function run (runner: CommandRunner, scope: SearchScope, argv: string[], signal: AbortSignal, reader: Reader): Promise<CommandResult | null> {
  if (!runner.status.available || !runner.hasRipgrep) return null
  const enough = new AbortController()
  const result = await runner.run({
    sessionId: scope.sessionId,
    program: { type: 'ripgrep', argv, ignoreFile: ignoreFileFor(scope) },
    cwd: directoryOf(scope),
    timeoutMs: searchTimeoutMs
  }, {
    signal: AbortSignal.any([signal, enough.signal]),
    onChunk (stream, bytes) {
      if (stream === 'stderr' || reader.isFull) return
      reader.add(bytes)
      if (reader.isFull) enough.abort()
    }
  })
  if (signal.aborted) throw new ToolFailure('cancelled', 'The search was stopped.')
  return result.outcome === 'sandbox_error' ? null : result
}

function invalidPattern (said: string): ToolFailure {
  const why = /error: (.+)/.exec(said)?.[1] ?? said.trim().split('\n').at(-1)?.replace(/^rg: /, '') ?? ''
  return new ToolFailure('invalid_arguments', `"pattern" is no regular expression that can be used: ${why.slice(0, 300)}`,
    'Escape special characters with a backslash, or say literal: true to search for the text as it is.')
}

/** Names that end with NUL. */
class NameReader implements Reader {
  readonly names: string[] = []
  readonly #accepts: GlobMatcher
  readonly #limit: number
  #rest: Buffer = Buffer.alloc(0)

  constructor (accepts: GlobMatcher, limit: number) {
    this.#accepts = accepts
    this.#limit = limit
  }

  get isFull (): boolean { return this.names.length > this.#limit }

  add (chunk: Buffer): void {
    const bytes = Buffer.concat([this.#rest, chunk])
    let from = 0
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, from)) {
      const name = bytes.subarray(from, end).toString().replace(/^\.\//, '')
      if (!this.isFull && this.#accepts(name)) this.names.push(name)
      from = end + 1
    }
    this.#rest = Buffer.from(bytes.subarray(from))
  }
}
