/** The thread that looks through files where there is no sandbox for ripgrep. */
import { parentPort, workerData } from 'node:worker_threads'
import { RE2JS, RE2JSException } from 're2js'
import { ToolFailure } from '../../errors.ts'
import { ignoredMatchesShown, searchFileBytesMax } from '../../limits.ts'
import { openWorkspaces } from '../open-workspaces.ts'
import { parentOf } from '../paths.ts'
import type { RelPath, Workspace } from '../workspace.ts'
import { excerptOf } from './excerpt.ts'
import type { FoundFiles, FoundLine, FoundText, SearchScope, TextQuery } from './file-search.ts'
import { compileGlob } from './glob.ts'
import type { PlainReply, PlainRequest } from './plain-search.ts'
import { walkFiles, type WalkProgress } from './plain-walk.ts'

async function answer ({ dataDir, scope, query, timeoutMs }: PlainRequest): Promise<PlainReply> {
  const workspaces = await openWorkspaces(dataDir)
  const workspace = await workspaces.open(scope.sessionId)
  const deadline = Date.now() + timeoutMs
  try {
    return query === null
      ? { type: 'files', found: await findFiles(workspace, scope, deadline) }
      : { type: 'text', found: await findText(workspace, scope, query, deadline) }
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error
    return { type: 'failure', code: error.code, message: error.message, suggestion: error.suggestion }
  } finally {
    await workspace.close()
    await workspaces.close()
  }
}

async function * meantFiles (workspace: Workspace, scope: SearchScope, progress: WalkProgress): AsyncGenerator<{ path: RelPath, size: number }> {
  const matches = scope.glob === null || scope.isFile ? () => true : compileGlob(scope.glob)
  const directory = scope.isFile ? parentOf(scope.path) : scope.path
  for await (const { path, entry } of walkFiles(workspace, scope, progress)) {
    if (matches(directory === '' ? path : path.slice(directory.length + 1))) yield { path, size: entry.size }
  }
}

async function findFiles (workspace: Workspace, scope: SearchScope, deadline: number): Promise<FoundFiles> {
  const files: string[] = []
  const progress = until(deadline)
  for await (const { path } of meantFiles(workspace, scope, progress)) {
    files.push(path)
    if (files.length > scope.limit) break
  }
  return { files: files.slice(0, scope.limit), more: files.length > scope.limit || progress.cut, timedOut: Date.now() > deadline }
}

function until (deadline: number): WalkProgress {
  return { entries: 0, cut: false, isOver: () => Date.now() > deadline }
}

async function findText (workspace: Workspace, scope: SearchScope, query: TextQuery, deadline: number): Promise<FoundText> {
  const expression = compile(query)
  const files: Array<{ path: string, lines: FoundLine[] }> = []
  let matches = 0
  const progress = until(deadline)
  for await (const { path, size } of meantFiles(workspace, scope, progress)) {
    if (size > searchFileBytesMax && !scope.isFile) continue
    const lines = await linesOf(workspace, path, query.binary)
    const found = lines === null ? [] : matchesIn(lines, expression, scope.limit + 1 - matches, deadline)
    matches += found.length
    if (matches > scope.limit) found.pop()
    if (lines !== null && found.length > 0) files.push({ path, lines: shown(lines, found, query.context) })
    if (matches > scope.limit || Date.now() > deadline) break
  }
  const timedOut = Date.now() > deadline
  const more = matches > scope.limit || progress.cut
  if (matches > 0 || more || timedOut || scope.ignored) return { files, more, timedOut, ignoredMatches: [] }
  const all = await findText(workspace, { ...scope, ignored: true }, { ...query, context: 0 }, deadline)
  return { files, more: false, timedOut: false, ignoredMatches: all.files.slice(0, ignoredMatchesShown).map(({ path }) => path) }
}

function compile ({ pattern, literal, ignoreCase }: TextQuery): RE2JS {
  try {
    return RE2JS.compile(literal ? RE2JS.quote(pattern) : pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw new ToolFailure('invalid_arguments', `"pattern" is no regular expression that can be used: ${error.message.slice(0, 300)}`,
      'Escape special characters with a backslash, or say literal: true to search for the text as it is.')
  }
}

/** Null: the file is binary and nobody asked for such, or it cannot be read. */
async function linesOf (workspace: Workspace, path: RelPath, binary: boolean): Promise<string[] | null> {
  try {
    const { bytes } = await workspace.read(path, { maxBytes: searchFileBytesMax })
    if (!binary && bytes.includes(0)) return null
    const lines = bytes.toString().split('\n')
    if (lines.at(-1) === '') lines.pop()
    return lines
  } catch (error) {
    if (error instanceof ToolFailure) return null
    throw error
  }
}

interface Match { readonly index: number, readonly start: number }

function matchesIn (lines: readonly string[], expression: RE2JS, limit: number, deadline: number): Match[] {
  const found: Match[] = []
  for (const [index, line] of lines.entries()) {
    if (found.length >= limit || Date.now() > deadline) break
    const matcher = expression.matcher(line.endsWith('\r') ? line.slice(0, -1) : line)
    if (matcher.find()) found.push({ index, start: matcher.start() })
  }
  return found
}

function shown (lines: readonly string[], found: readonly Match[], context: number): FoundLine[] {
  const starts = new Map(found.map(({ index, start }) => [index, start]))
  const indexes = new Set(found.flatMap(({ index }) => Array.from({ length: 2 * context + 1 }, (_, offset) => index - context + offset)))
  return [...indexes].filter((index) => index >= 0 && index < lines.length).sort((a, b) => a - b).map((index) => {
    return { number: index + 1, text: excerptOf(lines[index] ?? '', starts.get(index) ?? 0), isMatch: starts.has(index) }
  })
}

if (parentPort !== null) parentPort.postMessage(await answer(workerData as PlainRequest)) // what `ask` gave
