import { ToolFailure } from '../errors.ts'
import { quote } from '../workspace/failures.ts'
import type { SearchScope } from '../workspace/search/file-search.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { locate, notFound } from './locate.ts'

/**
 * Where to look: an existing directory or file, the workspace when left out.
 * @throws ToolFailure not_found, not_regular
 */
export async function locateScope (workspace: Workspace, argument: string | undefined): Promise<Pick<SearchScope, 'sessionId' | 'path' | 'isFile'>> {
  const { path } = await locate(workspace, argument ?? '.')
  const entry = await workspace.stat(path)
  if (entry === null) throw await notFound(workspace, path)
  if (entry.type !== 'file' && entry.type !== 'directory') {
    throw new ToolFailure('not_regular', `${quote(path)} is neither a regular file nor a directory.`)
  }
  return { sessionId: workspace.sessionId, path, isFile: entry.type === 'file' }
}
