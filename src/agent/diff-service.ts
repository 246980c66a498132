import { AgentError } from '../errors.ts'
import { diffFilesMax } from '../limits.ts'
import type { FileChange as ToldChange } from '../protocol/files.ts'
import { compareWithBaseline, type FileChange } from '../workspace/diff/compare.ts'
import { gitPatch, summarise } from '../workspace/diff/git-patch.ts'
import type { Caller } from './caller.ts'
import { refusing } from './file-refusal.ts'
import { closingOnFailure, type FileAccess } from './file-access.ts'
import type { SessionDiff, SessionFiles } from './files.ts'

/** What has changed in a workspace since its baseline. */
export class DiffService implements Pick<SessionFiles, 'diff'> {
  readonly #access: FileAccess

  constructor (access: FileAccess) {
    this.#access = access
  }

  async diff (sessionId: string, caller: Caller, signal: AbortSignal): Promise<SessionDiff> {
    const workspace = await this.#access.openFor(sessionId, caller)
    return await closingOnFailure(workspace, async () => {
      const baseline = await this.#access.context.workspaces.archives.baseline(sessionId)
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
}

async function * patchOf (changes: readonly FileChange[], signal: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
  for (const change of changes) {
    signal.throwIfAborted()
    yield * gitPatch(change)
  }
}

async function listOf (changes: readonly FileChange[], signal: AbortSignal): Promise<ToldChange[]> {
  const items: ToldChange[] = []
  for (const change of changes) {
    signal.throwIfAborted()
    items.push(await summarise(change))
  }
  return items
}
