import { Type } from '@sinclair/typebox'
import { ToolFailure } from '../errors.ts'
import { editBytesMax, readBytesMax, readLinesDefault, readTrailerBytes } from '../limits.ts'
import { quote } from '../workspace/failures.ts'
import type { RelPath } from '../workspace/workspace.ts'
import { defineTool } from './define-tool.ts'
import { sha256 } from './digest.ts'
import { isDirectory, locateFile, notFound } from './locate.ts'
import { decodeText, notText, splitMark } from './text-file.ts'
import type { ExecuteContext, ToolResult } from './tool.ts'

/** Lines of a text, as many as fit, and what a reader must know to go on. */
interface Excerpt { readonly text: string, readonly note: string | null }

const textBytesMax = readBytesMax - readTrailerBytes

export const readFile = defineTool({
  name: 'read_file',
  description: 'Reads a UTF-8 text file, as it is, without line numbers. ' +
    `At most ${readLinesDefault} lines and ${readBytesMax / 1024} KiB at a time; what is cut says how to go on.`,
  parameters: Type.Object({
    path: Type.String({ description: 'Path relative to the workspace' }),
    offset: Type.Optional(Type.Integer({ minimum: 1, description: 'First line, from 1' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Number of lines' }))
  }),
  dangerous: false,
  async prepare (args, { workspace }) {
    const { path, paths, notes } = await locateFile(workspace, args.path)
    return { paths, preview: { summary: `Read ${path}`, notes: [...notes] } }
  },
  async execute (args, plan, context) {
    // Where `prepare` was led: a link that has been swapped since leads nowhere else than policy has seen.
    const path = (plan.paths[0] ?? '') as RelPath // as `prepare` put it there
    const { bytes, whole } = await load(path, context)
    const decoded = decodeText(bytes)
    if (decoded === null) throw notText(path)
    const excerpt = excerptOf(splitMark(decoded).text, args.offset ?? 1, args.limit ?? readLinesDefault, path)
    return resultOf(path, excerpt, whole ? bytes : null)
  }
})

/** The file, or its beginning up to `editBytesMax`, cut at a line. */
async function load (path: RelPath, { workspace }: ExecuteContext): Promise<{ bytes: Uint8Array, whole: boolean }> {
  const { bytes, size } = await workspace.read(path, { maxBytes: editBytesMax }).catch(async (error: unknown) => {
    if (!(error instanceof ToolFailure)) throw error
    if (error.code === 'not_found') throw await notFound(workspace, path)
    throw error.code === 'is_directory' ? isDirectory(path) : error
  })
  if (bytes.length >= size) return { bytes, whole: true }
  return { bytes: bytes.subarray(0, bytes.lastIndexOf('\n') + 1 || bytes.length), whole: false }
}

function excerptOf (text: string, offset: number, limit: number, path: RelPath): Excerpt {
  if (text === '') return { text: '', note: 'The file is empty.' }
  const lines = text.split(/(?<=\n)/)
  if (offset > lines.length) {
    throw new ToolFailure('invalid_arguments', `"offset" is beyond the end: ${quote(path)} has ${lines.length} lines.`)
  }
  const wanted = lines.slice(offset - 1, offset - 1 + limit)
  const fitting = fit(wanted)
  if (fitting === 0) return cutLine(wanted[0] ?? '', offset, lines.length)
  const last = offset - 1 + fitting
  return {
    text: wanted.slice(0, fitting).join(''),
    note: last < lines.length ? `Lines ${offset} to ${last} of ${lines.length}; to go on: offset=${last + 1}.` : null
  }
}

/** How many lines fit. */
function fit (lines: readonly string[]): number {
  let bytes = 0
  for (const [index, line] of lines.entries()) {
    bytes += Buffer.byteLength(line)
    if (bytes > textBytesMax) return index
  }
  return lines.length
}

/** The beginning of a line that is too long to be read. */
function cutLine (line: string, number: number, count: number): Excerpt {
  const bytes = Buffer.from(line.replace(/\r?\n$/, ''))
  let end = Math.min(textBytesMax, bytes.length)
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end-- // not within a character
  const next = number < count ? ` The next line: offset=${number + 1}.` : ''
  return {
    text: bytes.subarray(0, end).toString(),
    note: `Line ${number} of ${count} is cut: it has ${bytes.length} bytes, the first ${end} are shown.${next}`
  }
}

function resultOf (path: RelPath, { text, note }: Excerpt, whole: Uint8Array | null): ToolResult {
  const larger = whole === null ? `Only the first ${editBytesMax / 1024 / 1024} MiB of the file can be read here.` : null
  const notes = [note, larger].filter((line) => line !== null)
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  return {
    content: notes.length === 0 ? text : `${text}${gap}[${notes.join(' ')}]`,
    diff: null,
    verified: null,
    truncated: text !== '' && notes.length > 0,
    seen: whole === null ? [] : [{ path, sha256: sha256(whole) }]
  }
}
