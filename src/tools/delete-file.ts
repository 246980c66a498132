import { Type } from '@sinclair/typebox'
import { ToolFailure } from '../errors.ts'
import { deleteEntriesMax } from '../limits.ts'
import { quote } from '../workspace/failures.ts'
import type { RelPath, Workspace } from '../workspace/workspace.ts'
import { defineTool } from './define-tool.ts'
import { locate, notFound } from './locate.ts'
import { seenAfter } from './recognise.ts'

interface Count { files: number, directories: number, bytes: number }

export const deleteFile = defineTool({
  name: 'delete_file',
  description: 'Deletes a file, a symbolic link (not what it leads to) or an empty directory; with recursive, a directory and all in it.',
  parameters: Type.Object({
    path: Type.String({ description: 'Path relative to the workspace' }),
    recursive: Type.Optional(Type.Boolean({ description: 'Needed for a directory that is not empty' }))
  }),
  dangerous: true,
  async prepare (args, { workspace, signal }) {
    const { path, paths, notes } = await locate(workspace, args.path, { last: false })
    if (path === '') throw new ToolFailure('invalid_path', 'The workspace itself cannot be deleted.')
    const before = await workspace.state(path)
    if (before.type === 'absent') throw await notFound(workspace, path)
    const count = { files: 0, directories: 0, bytes: 0 }
    if (before.type === 'directory') await countEntries(count, workspace, path, signal)
    const entries = count.files + count.directories
    if (entries > 0 && args.recursive !== true) {
      throw new ToolFailure('not_empty', `${quote(path)} is a directory with ${entries} entries.`, 'To delete all of it, say recursive: true.')
    }
    return {
      paths,
      effects: [{ path, before, after: { type: 'absent' } }],
      preview: { summary: `Delete ${path}`, notes: [...notes, describe(before.type, count)] }
    }
  },
  async execute (_args, plan, { workspace, callId }) {
    const effect = plan.effects[0]
    if (effect === undefined) throw new ToolFailure('internal', 'The plan does not say what to delete.')
    const path = workspace.parse(effect.path)
    await workspace.remove(path, { before: effect.before, stageName: callId })
    if (await workspace.stat(path) !== null) {
      throw new ToolFailure('verification_failed', `${quote(path)} was deleted, but something is there again.`, 'Use list_dir to see what is there.')
    }
    return {
      content: `Deleted ${quote(path)}.`,
      diff: null,
      verified: true,
      truncated: false,
      seen: seenAfter(effect)
    }
  }
})

/** @throws ToolFailure too_large beyond `deleteEntriesMax` */
async function countEntries (count: Count, workspace: Workspace, path: RelPath, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { entries, more } = await workspace.list(path, { limit: deleteEntriesMax })
  for (const entry of entries) {
    if (entry.type !== 'directory') {
      count.files += 1
      count.bytes += entry.size
    } else {
      count.directories += 1
      if (entry.addressable) await countEntries(count, workspace, workspace.parse(`${path}/${entry.name}`), signal)
    }
  }
  if (more || count.files + count.directories > deleteEntriesMax) {
    throw new ToolFailure('too_large', `${quote(path)} has more than ${deleteEntriesMax} entries.`, 'Delete what is in it in parts.')
  }
}

function describe (type: 'file' | 'symlink' | 'directory', { files, directories, bytes }: Count): string {
  if (type === 'symlink') return 'It is a symbolic link; what it leads to stays.'
  if (type === 'file') return 'It is a file.'
  return `It is a directory with ${files} files and ${directories} directories in it (${bytes} bytes).`
}
