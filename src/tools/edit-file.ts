import { Type } from '@sinclair/typebox'
import { ToolFailure } from '../errors.ts'
import { editBytesMax, editsMax, matchLinesShown } from '../limits.ts'
import { quote } from '../workspace/failures.ts'
import type { RelPath } from '../workspace/workspace.ts'
import { defineTool } from './define-tool.ts'
import { applyEdit, type Edit } from './exact-edit.ts'
import { explainNoMatch } from './explain-no-match.ts'
import { locateFile, notFound } from './locate.ts'
import { decodeText, fileNow, notText, splitMark } from './text-file.ts'
import { contentEffect, planContent, writeContent } from './write-effect.ts'

const EditSchema = Type.Object({
  oldText: Type.String({ minLength: 1, description: 'Text in the file, exact and unique: add lines around it if need be' }),
  newText: Type.String({ description: 'What takes its place' }),
  replaceAll: Type.Optional(Type.Boolean({ description: 'Replace every occurrence' }))
})

export const editFile = defineTool({
  name: 'edit_file',
  description: 'Replaces exact texts in a file. Edits are made in order, each on the result of those before; if one fails, none is made. ' +
    'Line endings, byte order mark and permissions stay.',
  parameters: Type.Object({
    path: Type.String({ description: 'Path relative to the workspace' }),
    edits: Type.Array(EditSchema, { minItems: 1, maxItems: editsMax })
  }),
  dangerous: true,
  seesPlanned: true,
  async prepare (args, context) {
    const located = await locateFile(context.workspace, args.path)
    const now = await fileNow(located.path, context, editBytesMax)
    if (now.bytes === null) throw await notFound(context.workspace, located.path)
    const text = decodeText(now.bytes)
    if (text === null) throw notText(located.path)
    const bytes = Buffer.from(applyAll(located.path, text, args.edits))
    if (bytes.length > editBytesMax) throw new ToolFailure('too_large', `${quote(located.path)} would have ${bytes.length} bytes; at most ${editBytesMax}.`)
    const count = args.edits.length === 1 ? '1 edit' : `${args.edits.length} edits`
    return planContent(located, now, bytes, `Edit ${located.path} (${count})`)
  },
  async execute (args, plan, context) {
    const { effect } = contentEffect(plan)
    const count = args.edits.length === 1 ? '1 edit' : `${args.edits.length} edits`
    const result = await writeContent(plan, context, `Edited ${quote(effect.path)}: ${count} made, read back and compared.`)
    // An edit shows that the model knows a part of the file; of the rest it knows what it knew.
    const knewAll = effect.before.type === 'file' && context.seen(effect.path) === effect.before.sha256
    return knewAll ? result : { ...result, seen: [] }
  }
})

/** All edits or none: the first that does not fit is a failure. */
function applyAll (path: RelPath, content: string, edits: readonly Edit[]): string {
  const { mark, text } = splitMark(content)
  return mark + edits.reduce((current, edit, index) => applyOne(path, current, edit, edits.length === 1 ? '' : `edits[${index}]: `), text)
}

function applyOne (path: RelPath, text: string, edit: Edit, which: string): string {
  const outcome = applyEdit(text, edit)
  switch (outcome.kind) {
    case 'applied': return outcome.text
    case 'same': throw new ToolFailure('invalid_arguments', `${which}"newText" makes no difference to ${quote(path)}.`, 'Leave this edit out.')
    case 'missing': throw new ToolFailure('no_match', `${which}"oldText" is not in ${quote(path)}. ${explainNoMatch(text, edit.oldText, edit.newText)}`,
      'Read the file again and copy the text exactly; nothing was changed.')
    case 'ambiguous': throw new ToolFailure('not_unique', `${which}"oldText" is in ${quote(path)} ${outcome.lines.length} times, at lines ${shownLines(outcome.lines)}.`,
      'Add lines around it to make it unique, or say replaceAll: true; nothing was changed.')
    case 'too_large': throw new ToolFailure('too_large', `${which}"oldText" is in ${quote(path)} too often to be replaced at once.`, 'Replace less, or write the file anew.')
    default: return outcome satisfies never
  }
}

function shownLines (lines: readonly number[]): string {
  const shown = lines.slice(0, matchLinesShown).join(', ')
  return lines.length > matchLinesShown ? `${shown} …` : shown
}
