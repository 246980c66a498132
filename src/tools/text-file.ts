import { ToolFailure } from '../errors.ts'
import { newFileMode } from '../limits.ts'
import type { PathState } from '../protocol/plan.ts'
import { quote } from '../workspace/failures.ts'
import type { RelPath } from '../workspace/workspace.ts'
import { sha256 } from './digest.ts'
import { isDirectory } from './locate.ts'
import type { PrepareContext } from './tool.ts'

const byteOrderMark = '\ufeff'

/** What a write or an edit starts from. */
export interface FileNow {
  readonly state: Extract<PathState, { type: 'absent' | 'file' }>
  /** Null: there is no file. */
  readonly bytes: Uint8Array | null
  /** An earlier call of the step makes it so; it is not on disk yet. */
  readonly planned: boolean
}

/**
 * A file as this call will find it: what earlier calls of the step leave, or what is on disk.
 * @throws ToolFailure is_directory, symlink, too_large when it has more than `maxBytes`
 */
export async function fileNow (path: RelPath, context: PrepareContext, maxBytes: number): Promise<FileNow> {
  const planned = context.planned(path)
  if (planned === null) return { state: { type: 'absent' }, bytes: null, planned: true }
  const entry = await context.workspace.stat(path)
  if (planned !== undefined) {
    const mode = entry?.type === 'file' ? entry.mode : newFileMode
    return { state: { type: 'file', sha256: sha256(planned), mode }, bytes: planned, planned: true }
  }
  if (entry === null) return { state: { type: 'absent' }, bytes: null, planned: false }
  if (entry.type === 'directory') throw isDirectory(path)
  const { bytes, size, mode } = await context.workspace.read(path, { maxBytes: maxBytes + 1 })
  if (bytes.length > maxBytes) throw new ToolFailure('too_large', `${quote(path)} has ${size} bytes; at most ${maxBytes} can be changed this way.`)
  return { state: { type: 'file', sha256: sha256(bytes), mode }, bytes, planned: false }
}

/** Null: not UTF-8 text, or with NUL in it. The byte order mark is part of the text. */
export function decodeText (bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

export function notText (path: RelPath): ToolFailure {
  return new ToolFailure('not_text', `${quote(path)} is binary or not UTF-8 text.`, 'Tools for text cannot be used on it.')
}

/** A model does not see the mark, so it is kept apart. */
export function splitMark (text: string): { mark: string, text: string } {
  return text.startsWith(byteOrderMark) ? { mark: byteOrderMark, text: text.slice(1) } : { mark: '', text }
}
