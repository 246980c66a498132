import { closeSync, fstatSync, read as readCallback } from 'node:fs'
import { promisify } from 'node:util'
import { ToolFailure } from '../errors.ts'
import { copyChunkBytes } from '../limits.ts'
import { hashContent, permissions } from './content.ts'
import { quote, reword } from './failures.ts'
import { openFile } from './handles.ts'
import type { OpenFile } from './workspace.ts'

const read = promisify(readCallback)

/** Opens a regular file in a held directory; `shown` is its path for errors. */
export function holdFile (directory: number, name: string, shown: string): OpenFile {
  const handle = openFile(directory, name, shown)
  const { size, mode, mtimeMs } = fstatSync(handle)
  let open = true
  return {
    size,
    mode: permissions(mode),
    mtimeMs: Math.floor(mtimeMs),
    sha256: () => hashContent(handle),
    bytes: async function * () {
      try {
        yield * pieces(handle, size, shown)
      } catch (error) {
        throw reword(error, shown)
      }
    },
    close () {
      if (open) closeSync(handle)
      open = false
    }
  }
}

async function * pieces (handle: number, size: number, shown: string): AsyncGenerator<Buffer, void, undefined> {
  for (let offset = 0; offset < size;) {
    // A new buffer each time: the reader may keep the last one while it waits for its socket.
    const piece = Buffer.allocUnsafe(Math.min(copyChunkBytes, size - offset))
    const { bytesRead } = await read(handle, piece, 0, piece.length, offset)
    if (bytesRead === 0) throw new ToolFailure('changed', `${quote(shown)} has become shorter while it was read.`)
    offset += bytesRead
    yield piece.subarray(0, bytesRead)
  }
}
