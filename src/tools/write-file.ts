import { Type } from '@sinclair/typebox'
import { ToolFailure } from '../errors.ts'
import { editBytesMax, writeBytesMax } from '../limits.ts'
import { quote } from '../workspace/failures.ts'
import type { RelPath } from '../workspace/workspace.ts'
import { defineTool } from './define-tool.ts'
import { locateFile } from './locate.ts'
import { fileNow, type FileNow } from './text-file.ts'
import type { PrepareContext } from './tool.ts'
import { planContent, contentEffect, writeContent } from './write-effect.ts'

export const writeFile = defineTool({
  name: 'write_file',
  description: 'Writes a whole file, exactly as given; replaces what is there and creates parent directories. ' +
    'To change parts of a file use edit_file.',
  parameters: Type.Object({
    path: Type.String({ description: 'Path relative to the workspace' }),
    content: Type.String({ description: 'The whole content' })
  }),
  dangerous: true,
  seesPlanned: true,
  async prepare (args, context) {
    const bytes = Buffer.from(args.content)
    if (bytes.length > writeBytesMax) {
      throw new ToolFailure('too_large', `"content" has ${bytes.length} bytes; at most ${writeBytesMax} can be written at once.`, 'Write a part, then add to it with edit_file.')
    }
    const located = await locateFile(context.workspace, args.path)
    const now = await fileNow(located.path, context, editBytesMax)
    refuseStale(located.path, now, context)
    const verb = now.bytes === null ? 'Create' : 'Replace'
    return planContent(located, now, bytes, `${verb} ${located.path} (${bytes.length} bytes)`)
  },
  async execute (_args, plan, context) {
    const { effect, bytes } = contentEffect(plan)
    const verb = effect.before.type === 'absent' ? 'Created' : 'Replaced'
    return await writeContent(plan, context, `${verb} ${quote(effect.path)}: ${bytes.length} bytes, read back and compared.`)
  }
})

/** A whole file written from old knowledge would undo what others did since. */
function refuseStale (path: RelPath, now: FileNow, context: PrepareContext): void {
  const seen = context.seen(path)
  // What is gone cannot be lost; what the step itself planned is no news.
  if (seen === undefined || now.planned || now.state.type === 'absent' || now.state.sha256 === seen) return
  throw new ToolFailure('changed', seen === null
    ? `${quote(path)} has changed: it was not there when you last looked.`
    : `${quote(path)} has changed since you read it.`, 'Read it again, then write it with the changes kept.')
}
