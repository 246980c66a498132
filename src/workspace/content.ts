import { createHash, type Hash } from 'node:crypto'
import { closeSync, fstatSync, read as readCallback, readSync } from 'node:fs'
import { promisify } from 'node:util'
import { copyChunkBytes, readAtOnceBytes } from '../limits.ts'
import { openFile } from './handles.ts'
import type { FileContent } from './workspace.ts'

const read = promisify(readCallback)

/** Permission bits of a mode. */
export function permissions (mode: number | bigint): number {
  return Number(mode) & 0o7777
}

/** Bytes from `offset`, at most `maxBytes`, of a regular file in a held directory; `shown` is its path for errors. */
export async function readContent (directory: number, name: string, shown: string, offset: number, maxBytes: number): Promise<FileContent> {
  const handle = openFile(directory, name, shown)
  try {
    const { size, mode } = fstatSync(handle)
    // A file may grow while it is read: what counts is what comes, within the bound.
    const bytes = Buffer.alloc(Math.max(0, Math.min(maxBytes, size - offset)))
    const atOnce = bytes.length <= readAtOnceBytes
    let length = 0
    while (length < bytes.length) {
      const bytesRead = atOnce
        ? readSync(handle, bytes, length, bytes.length - length, offset + length)
        : (await read(handle, bytes, length, Math.min(copyChunkBytes, bytes.length - length), offset + length)).bytesRead
      if (bytesRead === 0) break
      length += bytesRead
    }
    return { bytes: bytes.subarray(0, length), size, mode: permissions(mode) }
  } finally {
    closeSync(handle)
  }
}

/** SHA-256 of a file that is open, in pieces: memory does not grow with the file. */
export async function hashContent (handle: number): Promise<string> {
  const hash: Hash = createHash('sha256')
  const piece = Buffer.alloc(Math.min(copyChunkBytes, fstatSync(handle).size + 1))
  for (let offset = 0; ;) {
    const { bytesRead } = await read(handle, piece, 0, piece.length, offset)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(piece.subarray(0, bytesRead))
    offset += bytesRead
  }
}
