import { Type } from '@sinclair/typebox'
import { findResultsDefault, findResultsMax, searchTimeoutMs } from '../limits.ts'
import { compileGlob } from '../workspace/search/glob.ts'
import type { FileSearch } from '../workspace/search/file-search.ts'
import { defineTool } from './define-tool.ts'
import { plainName } from './list-dir.ts'
import { locateScope } from './locate-scope.ts'
import { fitLines } from './fit-lines.ts'
import { locate } from './locate.ts'
import type { Tool } from './tool.ts'

export function findFilesTool (search: FileSearch): Tool {
  return defineTool({
    name: 'find_files',
    description: 'Finds files by name: a glob such as "*.ts" (at any depth), "src/**/*.test.ts", "{a,b}.md". Paths are relative to the workspace, sorted. ' +
      'What .gitignore leaves out and hidden files are not listed unless asked for.',
    parameters: Type.Object({
      pattern: Type.String({ description: 'Glob, relative to path' }),
      path: Type.Optional(Type.String({ description: 'Directory to look in; left out, the workspace' })),
      hidden: Type.Optional(Type.Boolean({ description: 'Also names that begin with a dot' })),
      ignored: Type.Optional(Type.Boolean({ description: 'Also what .gitignore leaves out' })),
      maxResults: Type.Optional(Type.Integer({ minimum: 1, maximum: findResultsMax, description: `${findResultsDefault} when left out` }))
    }),
    dangerous: false,
    async prepare (args, { workspace }) {
      compileGlob(args.pattern)
      const { path, paths, notes } = await locate(workspace, args.path ?? '.')
      return { paths, preview: { summary: `Find ${args.pattern} in ${path || 'the workspace'}`, notes: [...notes] } }
    },
    async execute (args, _plan, { workspace, signal }) {
      const scope = await locateScope(workspace, args.path)
      const found = await search.find({
        ...scope, glob: args.pattern, hidden: args.hidden ?? false, ignored: args.ignored ?? false, limit: args.maxResults ?? findResultsDefault
      }, signal)
      const { lines, cut } = fitLines(found.files.map(plainName))
      const notes = [
        ...(found.files.length === 0 ? [`[No file matches.${args.ignored === true && args.hidden === true ? '' : ' Hidden files and what .gitignore leaves out were not looked at unless asked for.'}]`] : []),
        ...(found.more || cut ? [found.files.length === 0 ? '[Not all was looked through; use a narrower path.]' : '[There are more; use a narrower pattern or path.]'] : []),
        ...(found.timedOut ? [`[Stopped after ${searchTimeoutMs} ms: not all was looked through.]`] : [])
      ]
      return { content: [...lines, ...notes].join('\n'), diff: null, verified: null, truncated: found.more || cut || found.timedOut, seen: [] }
    }
  })
}
