import { Type } from '@sinclair/typebox'
import { editBytesMax } from '../../src/limits.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { locateFile } from '../../src/tools/locate.ts'
import { fileNow } from '../../src/tools/text-file.ts'
import { planContent, writeContent } from '../../src/tools/write-effect.ts'

export const appendFile = defineTool({
  name: 'append_file',
  description: 'Adds text at the end of a file; creates the file if need be.',
  parameters: Type.Object({
    path: Type.String({ description: 'Path relative to the workspace' }),
    text: Type.String({ minLength: 1, description: 'What to add, with its newline' })
  }),
  dangerous: true,
  seesPlanned: true,
  async prepare (args, context) {
    const located = await locateFile(context.workspace, args.path)
    const now = await fileNow(located.path, context, editBytesMax)
    const bytes = Buffer.concat([now.bytes ?? Buffer.alloc(0), Buffer.from(args.text)])
    return planContent(located, now, bytes, `Add ${args.text.length} characters to ${located.path}`)
  },
  async execute (args, plan, context) {
    return await writeContent(plan, context, `Added ${args.text.length} characters, read back and compared.`)
  }
})
