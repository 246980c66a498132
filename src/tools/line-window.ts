import type { RelPath, Workspace } from '../workspace/workspace.ts'

/** Some lines of a file that is too large to be held. */
export interface LineWindow {
  /** From the first byte of the first line on, at most `maxBytes`; the last line may be cut. */
  readonly bytes: Buffer
  /** Of the first line, its end not counted. */
  readonly firstLineBytes: number
  /** Lines in the file. */
  readonly count: number
}

const newline = 0x0a
const carriageReturn = 0x0d

/** Goes through a file once, holding no more than the lines that are wanted: `limit` from line `offset`, counted from 1. */
export async function readLineWindow (
  workspace: Workspace, path: RelPath, { offset, limit, maxBytes }: { offset: number, limit: number, maxBytes: number }, signal: AbortSignal
): Promise<LineWindow> {
  const file = await workspace.openFile(path)
  const kept: Buffer[] = []
  let keptBytes = 0
  let firstLineBytes = 0
  let line = 1 // the one that `at` stands in
  let before = newline // the byte before the piece
  try {
    for await (const piece of file.bytes()) {
      signal.throwIfAborted()
      for (let at = 0; at < piece.length;) {
        const found = piece.indexOf(newline, at)
        const end = found === -1 ? piece.length : found + 1
        if (line === offset) {
          firstLineBytes += (found === -1 ? end : found) - at
          if (found !== -1 && firstLineBytes > 0 && (found === 0 ? before : piece[found - 1]) === carriageReturn) firstLineBytes--
        }
        if (line >= offset && line < offset + limit && keptBytes < maxBytes) {
          const part = Buffer.from(piece.subarray(at, Math.min(end, at + maxBytes - keptBytes)))
          kept.push(part)
          keptBytes += part.length
        }
        if (found !== -1) line++
        at = end
      }
      before = piece.at(-1) ?? before
    }
  } finally {
    file.close()
  }
  return { bytes: Buffer.concat(kept), firstLineBytes, count: before === newline ? line - 1 : line }
}
