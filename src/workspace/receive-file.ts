import { createHash } from 'node:crypto'
import { chmodSync, chownSync, closeSync, constants, fsync as fsyncCallback, openSync, unlinkSync, write as writeCallback } from 'node:fs'
import { promisify } from 'node:util'
import { ToolFailure } from '../errors.ts'
import { at, look, self, withHandle } from './handles.ts'
import type { Owner } from './walk.ts'
import type { ReceivedFile } from './workspace.ts'

const write = promisify(writeCallback)
const fsync = promisify(fsyncCallback)

/**
 * Writes what comes from the network into a new file of a held directory that no tool sees; on the disk before this
 * resolves. The file is there when this returns its promise. What `source` throws leaves nothing behind.
 * @throws ToolFailure too_large beyond `maxBytes`
 */
export async function receiveFile (directory: number, name: string, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Omit<ReceivedFile, 'discard'>> {
  const handle = createFile(directory, name)
  const hash = createHash('sha256')
  let size = 0
  try {
    for await (const piece of source) {
      size += piece.length
      if (size > maxBytes) throw new ToolFailure('too_large', `A file may have at most ${maxBytes} bytes.`)
      hash.update(piece)
      await writeAll(handle, piece)
    }
    await fsync(handle)
    return { name, size, sha256: hash.digest('hex') }
  } catch (error) {
    unlinkIfThere(directory, name)
    throw error
  } finally {
    closeSync(handle)
  }
}

/** A new file for writing; nothing is followed or replaced. */
export function createFile (directory: number, name: string): number {
  return openSync(at(directory, name), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600)
}

/** Appends all of it. */
export async function writeAll (handle: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += (await write(handle, bytes, done, bytes.length - done, null)).bytesWritten
}

/** The mode that it will have in the workspace, and whom it belongs to there. */
export async function dressFile (directory: number, name: string, mode: number, owner: Owner | null): Promise<void> {
  await withHandle(openSync(at(directory, name), constants.O_RDONLY | constants.O_NOFOLLOW), (handle) => {
    if (owner !== null) chownSync(self(handle), owner.uid, owner.gid)
    chmodSync(self(handle), mode) // after chown, which clears bits
  })
}

export function unlinkIfThere (directory: number, name: string): void {
  if (look(directory, name)?.isFile() === true) unlinkSync(at(directory, name))
}
