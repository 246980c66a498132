import { Type } from '@sinclair/typebox'
import { ToolFailure } from '../errors.ts'
import { searchContextMax, searchFileBytesMax, searchPatternLengthMax, searchResultsDefault, searchResultsMax, searchTimeoutMs } from '../limits.ts'
import type { FileSearch, FoundText } from '../workspace/search/file-search.ts'
import { compileGlob } from '../workspace/search/glob.ts'
import { cleanOutput } from './clean-output.ts'
import { defineTool } from './define-tool.ts'
import { fitLines } from './fit-lines.ts'
import { plainName } from './list-dir.ts'
import { locateScope } from './locate-scope.ts'
import { locate } from './locate.ts'
import type { Tool, ToolResult } from './tool.ts'

export function searchFilesTool (search: FileSearch): Tool {
  return defineTool({
    name: 'search_files',
    description: 'Searches the content of text files, line by line, with a regular expression (RE2 syntax: no look-around, no back-references), or for the text itself with literal. ' +
      `What .gitignore leaves out, hidden and binary files are not searched unless asked for, files over ${searchFileBytesMax / 1024 ** 2} MiB only where path names them.`,
    parameters: Type.Object({
      pattern: Type.String({ description: 'Regular expression' }),
      path: Type.Optional(Type.String({ description: 'Directory or file to look in; left out, the workspace' })),
      glob: Type.Optional(Type.String({ description: 'Only files that match, relative to path: "*.ts", "src/**/*.md"' })),
      literal: Type.Optional(Type.Boolean({ description: 'The pattern is plain text' })),
      ignoreCase: Type.Optional(Type.Boolean()),
      hidden: Type.Optional(Type.Boolean({ description: 'Also names that begin with a dot' })),
      ignored: Type.Optional(Type.Boolean({ description: 'Also what .gitignore leaves out' })),
      binary: Type.Optional(Type.Boolean({ description: 'Also files that are no text' })),
      context: Type.Optional(Type.Integer({ minimum: 0, maximum: searchContextMax, description: 'Lines to show before and after each match' })),
      maxResults: Type.Optional(Type.Integer({ minimum: 1, maximum: searchResultsMax, description: `Matching lines; ${searchResultsDefault} when left out` }))
    }),
    dangerous: false,
    async prepare (args, { workspace }) {
      checkPattern(args.pattern)
      if (args.glob !== undefined) compileGlob(args.glob)
      const { path, paths, notes } = await locate(workspace, args.path ?? '.')
      return { paths, preview: { summary: `Search ${path || 'the workspace'} for ${args.pattern}`, notes: [...notes] } }
    },
    async execute (args, _plan, { workspace, signal, mayShow = () => true }) {
      checkPattern(args.pattern)
      const scope = await locateScope(workspace, args.path)
      const found = await search.search({
        ...scope, glob: args.glob ?? null, hidden: args.hidden ?? false, ignored: args.ignored ?? false, limit: args.maxResults ?? searchResultsDefault
      }, {
        pattern: args.pattern, literal: args.literal ?? false, ignoreCase: args.ignoreCase ?? false, binary: args.binary ?? false, context: args.context ?? 0
      }, signal)
      const files = found.files.filter(({ path }) => mayShow(path))
      const shown = { ...found, files, ignoredMatches: found.ignoredMatches.filter(mayShow) }
      return resultOf(args.binary === true ? withoutControls(shown) : shown, found.files.length - files.length)
    }
  })
}

function checkPattern (pattern: string): void {
  if (pattern === '' || pattern.length > searchPatternLengthMax) {
    throw new ToolFailure('invalid_arguments', `"pattern" must have 1 to ${searchPatternLengthMax} characters.`)
  }
  // Both engines look at one line at a time, and a program's argument cannot hold a NUL.
  if (/[\n\r\0]/.test(pattern)) throw new ToolFailure('invalid_arguments', '"pattern" must not contain line ends or NUL: one line is searched at a time.')
}

/** What is around a match in a file that is no text is mostly no text either. */
function withoutControls (found: FoundText): FoundText {
  const files = found.files.map(({ path, lines }) => ({ path, lines: lines.map((line) => ({ ...line, text: cleanOutput(line.text) })) }))
  return { ...found, files }
}

function resultOf (found: FoundText, withheld: number): ToolResult {
  const { lines, cut } = fitLines(found.files.flatMap(linesOf))
  const notes = [
    ...(found.files.length === 0 && withheld === 0 ? [nothing(found)] : []),
    ...(found.more || cut ? [found.files.length === 0 ? '[Not all was searched; use a narrower path.]' : '[There are more matches; use a narrower pattern, path or glob.]'] : []),
    ...(withheld > 0 ? [`[The policy of this session withholds matches in ${withheld} ${withheld === 1 ? 'file' : 'files'}.]`] : []),
    ...(found.timedOut ? [`[Stopped after ${searchTimeoutMs} ms: not all was searched. Use a narrower path or glob.]`] : [])
  ]
  return { content: [...lines, ...notes].join('\n'), diff: null, verified: null, truncated: found.more || cut || found.timedOut, seen: [] }
}

/** `path:12: text` for a match, `path-13- text` for what is around it; a gap in the lines is `--`. */
function linesOf ({ path, lines }: FoundText['files'][number]): string[] {
  const name = plainName(path)
  const hasContext = lines.some(({ isMatch }) => !isMatch)
  return lines.flatMap(({ number, text, isMatch }, index) => {
    const previous = lines[index - 1]
    const gap = hasContext && previous !== undefined && previous.number + 1 < number ? ['--'] : []
    return [...gap, isMatch ? `${name}:${number}: ${text}` : `${name}-${number}- ${text}`]
  })
}

/** A model takes an empty result for proof that a text is nowhere. */
function nothing ({ ignoredMatches }: FoundText): string {
  if (ignoredMatches.length === 0) return '[No match.]'
  return `[No match, but in files that .gitignore leaves out there are some: ${ignoredMatches.map(plainName).join(', ')}. To search these too, say ignored: true.]`
}
