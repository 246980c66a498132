import { Type } from '@sinclair/typebox'
import { ToolFailure } from '../errors.ts'
import { editBytesMax, editsMax, instructBytesMax, instructionLengthMax, matchLinesShown } from '../limits.ts'
import { quote } from '../workspace/failures.ts'
import type { RelPath } from '../workspace/workspace.ts'
import { defineTool } from './define-tool.ts'
import { applyEdit, type Edit } from './exact-edit.ts'
import { explainNoMatch } from './explain-no-match.ts'
import { instruct } from './instruct.ts'
import { locateFile, notFound } from './locate.ts'
import { decodeText, fileNow, notText, splitMark } from './text-file.ts'
import { recogniseByEffects } from './recognise.ts'
import { contentEffect, planContent, writeContent } from './write-effect.ts'

const EditSchema = Type.Object({
  oldText: Type.String({ minLength: 1, description: 'Text in the file, exact and unique: add lines around it if need be' }),
  newText: Type.String({ description: 'What takes its place' }),
  replaceAll: Type.Optional(Type.Boolean({ description: 'Replace every occurrence' }))
})

const name = 'edit_file'

export const editFile = defineTool({
  name,
  description: 'Replaces exact texts in a file. Edits are made in order, each on the result of those before; if one fails, none is made. ' +
    'Line endings, byte order mark and permissions stay. Give either the edits or, for a change of a file that you need not read, an instruction: ' +
    'it is turned into exact edits apart from this conversation.',
  parameters: Type.Object({
    path: Type.String({ description: 'Path relative to the workspace' }),
    edits: Type.Optional(Type.Array(EditSchema, { minItems: 1, maxItems: editsMax })),
    instruction: Type.Optional(Type.String({ minLength: 1, maxLength: instructionLengthMax, description: 'What to change, in words; instead of edits' }))
  }),
  dangerous: true,
  seesPlanned: true,
  async prepare (args, context) {
    checkForm(args)
    const located = await locateFile(context.workspace, args.path)
    const now = await fileNow(located.path, context, editBytesMax)
    if (now.bytes === null) throw await notFound(context.workspace, located.path)
    const text = decodeText(now.bytes)
    if (text === null) throw notText(located.path)
    if (args.instruction === undefined) {
      const edits = args.edits ?? []
      return planContent(located, now, editedBytes(located.path, text, edits), `Edit ${located.path} (${counted(edits)})`)
    }
    if (now.bytes.length > instructBytesMax) {
      throw new ToolFailure('too_large', `${quote(located.path)} has ${now.bytes.length} bytes; at most ${instructBytesMax} can be edited by instruction.`, 'Give exact edits.')
    }
    const { edits, resolved } = await instruct({ ...located, instruction: args.instruction, text: splitMark(text).text }, context,
      (edits) => { editedBytes(located.path, text, edits) })
    return { ...planContent(located, now, editedBytes(located.path, text, edits), `Edit ${located.path} (${counted(edits)}, by instruction)`), resolved }
  },
  async execute (args, plan, context) {
    const { effect } = contentEffect(plan)
    const made = args.edits === undefined ? 'the instruction was carried out' : `${counted(args.edits)} made`
    const result = await writeContent(plan, context, `Edited ${quote(effect.path)}: ${made}, read back and compared.`)
    if (args.instruction !== undefined) return { ...result, seen: [] }
    // An edit shows that the model knows a part of the file; of the rest it knows what it knew.
    const knewAll = effect.before.type === 'file' && context.seen(effect.path) === effect.before.sha256
    return knewAll ? result : { ...result, seen: [] }
  },
  async recognise (args, effects, context) {
    const found = await recogniseByEffects(name, effects, context)
    return args.instruction !== undefined && found.status === 'done' ? { ...found, result: { ...found.result, seen: [] } } : found
  }
})

/** @throws ToolFailure invalid_arguments */
function checkForm ({ edits, instruction }: { edits?: unknown, instruction?: unknown }): void {
  if ((edits === undefined) !== (instruction === undefined)) return
  throw new ToolFailure('invalid_arguments', edits === undefined ? '"edits" is missing, and so is "instruction".' : '"edits" and "instruction" exclude each other.',
    `${name} takes a path with either edits: [{oldText, newText, replaceAll?}] or an instruction.`)
}

function counted (edits: readonly Edit[]): string { return edits.length === 1 ? '1 edit' : `${edits.length} edits` }

/** @throws ToolFailure when an edit does not fit, or the result is too large */
function editedBytes (path: RelPath, text: string, edits: readonly Edit[]): Buffer {
  const bytes = Buffer.from(applyAll(path, text, edits))
  if (bytes.length > editBytesMax) throw new ToolFailure('too_large', `${quote(path)} would have ${bytes.length} bytes; at most ${editBytesMax}.`)
  return bytes
}

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
