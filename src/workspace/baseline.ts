import { closeSync, constants, fstatSync, fsync as fsyncCallback, openSync, read as readCallback } from 'node:fs'
import { promisify } from 'node:util'
import { copyChunkBytes } from '../limits.ts'
import { at } from './handles.ts'
import { createFile, writeAll } from './receive-file.ts'

const read = promisify(readCallback)
const fsync = promisify(fsyncCallback)

/** A file as the archive brought it. */
export interface BaselineFile { readonly path: string, readonly mode: number, readonly size: number, readonly sha256: string, readonly offset: number }

/** What a diff compares with. `close` it. */
export interface Baseline {
  readonly files: ReadonlyMap<string, BaselineFile>
  bytes (file: BaselineFile): AsyncGenerator<Buffer, void, undefined>
  close (): void
}

// One file holds all contents one after the other, then the list of files, then where the list begins: it takes its
// place by one rename, needs one fsync, and nothing that runs in the workspace can reach it.
const footerBytes = 16
const magic = Buffer.from('eclusebl')

/** Writes a baseline file by file. */
export class BaselineWriter {
  readonly #handle: number
  readonly #files: BaselineFile[] = []
  #position = 0

  constructor (directory: number, name: string) {
    this.#handle = createFile(directory, name)
  }

  async write (bytes: Uint8Array): Promise<void> {
    await writeAll(this.#handle, bytes)
    this.#position += bytes.length
  }

  /** What was written since the last end is this file. */
  end (file: Omit<BaselineFile, 'offset'>): void {
    this.#files.push({ ...file, offset: this.#position - file.size })
  }

  /** On the disk when it resolves. */
  async finish (): Promise<void> {
    const footer = Buffer.alloc(footerBytes)
    magic.copy(footer)
    footer.writeBigUInt64LE(BigInt(this.#position), magic.length)
    await writeAll(this.#handle, Buffer.from(JSON.stringify(this.#files)))
    await writeAll(this.#handle, footer)
    await fsync(this.#handle)
  }

  close (): void { closeSync(this.#handle) }
}

/** @throws Error when the file is no baseline of ours; the system's errors */
export async function openBaseline (directory: number, name: string): Promise<Baseline> {
  const handle = openSync(at(directory, name), constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = fstatSync(handle)
    const footer = await readRange(handle, Math.max(0, size - footerBytes), Math.min(size, footerBytes))
    if (footer.length !== footerBytes || !footer.subarray(0, magic.length).equals(magic)) throw new Error('a baseline does not end as it should')
    const begin = Number(footer.readBigUInt64LE(magic.length))
    const list = JSON.parse((await readRange(handle, begin, size - footerBytes - begin)).toString()) as BaselineFile[] // written by `finish`
    return {
      files: new Map(list.map((file) => [file.path, file])),
      bytes: async function * (file) {
        for (let done = 0; done < file.size;) {
          const piece = await readRange(handle, file.offset + done, Math.min(copyChunkBytes, file.size - done))
          done += piece.length
          yield piece
        }
      },
      close: () => { closeSync(handle) }
    }
  } catch (error) {
    closeSync(handle)
    throw error
  }
}

async function readRange (handle: number, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  for (let done = 0; done < length;) {
    const { bytesRead } = await read(handle, bytes, done, length - done, offset + done)
    if (bytesRead === 0) throw new Error('a baseline is shorter than it says')
    done += bytesRead
  }
  return bytes
}
