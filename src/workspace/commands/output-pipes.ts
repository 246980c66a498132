import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, closeSync, constants, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Owner } from '../walk.ts'

const run = promisify(execFile)
const mkfifo = '/usr/bin/mkfifo'

/** The server's end of a stream, and the handle that the command gets; it is closed once the command has it. */
export interface OutputPipe { readonly reader: Socket, readonly writer: number }

/**
 * Pipes for stdout and stderr. Node would make sockets, which a command cannot open by name: with those
 * `echo failed > /dev/stderr` is an error. `directory` is the server's own; the names are gone when this returns.
 */
export async function openOutputPipes (directory: string, owner: Owner | null): Promise<readonly [OutputPipe, OutputPipe]> {
  const name = randomUUID()
  const paths = [join(directory, `${name}.out`), join(directory, `${name}.err`)] as const
  try {
    await run(mkfifo, ['-m', '0600', ...paths], { env: {}, cwd: '/' })
    return openAll(paths, owner)
  } finally {
    for (const path of paths) rmSync(path, { force: true })
  }
}

function openAll (paths: readonly [string, string], owner: Owner | null): readonly [OutputPipe, OutputPipe] {
  const handles: number[] = []
  try {
    for (const path of paths) {
      if (owner !== null) chownSync(path, owner.uid, owner.gid)
      // In this order: the reader does not wait for a writer, and the writer finds a reader.
      handles.push(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK))
      handles.push(openSync(path, constants.O_WRONLY))
    }
  } catch (error) {
    for (const handle of handles) closeSync(handle)
    throw error
  }
  const [outReader = -1, outWriter = -1, errReader = -1, errWriter = -1] = handles
  return [{ reader: socketOn(outReader), writer: outWriter }, { reader: socketOn(errReader), writer: errWriter }]
}

function socketOn (fd: number): Socket {
  return new Socket({ fd, readable: true, writable: false })
}
