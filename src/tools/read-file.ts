import { Type } from '@sinclair/typebox'
import { ToolFailure } from '../errors.ts'
import { editBytesMax, readBytesMax, readLinesDefault, readTrailerBytes } from '../limits.ts'
import { quote } from '../workspace/failures.ts'
import type { RelPath } from '../workspace/workspace.ts'
import { defineTool } from './define-tool.ts'
import { sha256 } from './digest.ts'
import { readLineWindow } from './line-window.ts'
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
    const range = { offset: args.offset ?? 1, limit: args.limit ?? readLinesDefault }
    const { bytes, size } = await load(path, context)
    return bytes.length >= size
      ? resultOf(path, excerptOf(linesIn(bytes, range, path), range.offset, path), bytes)
      : resultOf(path, excerptOf(await linesOfLarge(path, range, context), range.offset, path), null)
  }
})

interface Range { readonly offset: number, readonly limit: number }

/** The lines that were asked for, and how many there are. */
interface Lines {
  readonly wanted: readonly string[]
  readonly firstLineBytes: number
  readonly count: number
}

/** The file, or its beginning, when it has more than `editBytesMax`. */
async function load (path: RelPath, { workspace }: ExecuteContext): Promise<{ bytes: Uint8Array, size: number }> {
  return await workspace.read(path, { maxBytes: editBytesMax }).catch(async (error: unknown) => {
    if (!(error instanceof ToolFailure)) throw error
    if (error.code === 'not_found') throw await notFound(workspace, path)
    throw error.code === 'is_directory' ? isDirectory(path) : error
  })
}

function linesIn (bytes: Uint8Array, { offset, limit }: Range, path: RelPath): Lines {
  const lines = split(textOf(bytes, path, true))
  const wanted = lines.slice(offset - 1, offset - 1 + limit)
  return { wanted, firstLineBytes: Buffer.byteLength(withoutEnd(wanted[0] ?? '')), count: lines.length }
}

async function linesOfLarge (path: RelPath, range: Range, { workspace, signal }: ExecuteContext): Promise<Lines> {
  const { bytes, firstLineBytes, count } = await readLineWindow(workspace, path, { ...range, maxBytes: textBytesMax + 1 }, signal)
  const whole = bytes.length > textBytesMax ? bytes.subarray(0, bytes.lastIndexOf('\n') + 1 || characterStart(bytes, textBytesMax)) : bytes
  return { wanted: split(textOf(whole, path, range.offset === 1)), firstLineBytes, count }
}

function textOf (bytes: Uint8Array, path: RelPath, isStart: boolean): string {
  const text = decodeText(bytes)
  if (text === null) throw notText(path)
  return isStart ? splitMark(text).text : text
}

function split (text: string): string[] { return text === '' ? [] : text.split(/(?<=\n)/) }

function withoutEnd (line: string): string { return line.replace(/\r?\n$/, '') }

function excerptOf ({ wanted, firstLineBytes, count }: Lines, offset: number, path: RelPath): Excerpt {
  if (count === 0) return { text: '', note: 'The file is empty.' }
  if (offset > count) throw new ToolFailure('invalid_arguments', `"offset" is beyond the end: ${quote(path)} has ${count} lines.`)
  const fitting = fit(wanted)
  if (fitting === 0 || firstLineBytes > textBytesMax) return cutLine(wanted[0] ?? '', firstLineBytes, offset, count)
  const last = offset - 1 + fitting
  return {
    text: wanted.slice(0, fitting).join(''),
    note: last < count ? `Lines ${offset} to ${last} of ${count}; to go on: offset=${last + 1}.` : null
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
function cutLine (line: string, lineBytes: number, number: number, count: number): Excerpt {
  const bytes = Buffer.from(withoutEnd(line))
  const end = characterStart(bytes, Math.min(textBytesMax, bytes.length))
  const next = number < count ? ` The next line: offset=${number + 1}.` : ''
  return {
    text: bytes.subarray(0, end).toString(),
    note: `Line ${number} of ${count} is cut: it has ${lineBytes} bytes, the first ${end} are shown.${next}`
  }
}

/** `at`, or where the character begins that it is within. */
function characterStart (bytes: Uint8Array, at: number): number {
  let start = at
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start--
  return start
}

function resultOf (path: RelPath, { text, note }: Excerpt, whole: Uint8Array | null): ToolResult {
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  return {
    content: note === null ? text : `${text}${gap}[${note}]`,
    diff: null,
    verified: null,
    truncated: text !== '' && note !== null,
    seen: whole === null ? [] : [{ path, sha256: sha256(whole) }]
  }
}
