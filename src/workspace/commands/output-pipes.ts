import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, closeSync, constants, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Owner } from '../walk.ts'

const run = promisify(execFile)
const mkfifo = '/usr/bin/mkfifo'

/** The server's end of a stream, and the handle that the sandbox gets; it is closed once the sandbox has it. */
export interface OutputPipe { readonly reader: Socket, readonly writer: number }

export interface OutputPipes {
  readonly stdout: OutputPipe
  readonly stderr: OutputPipe
  /**
   * What bwrap tells of itself. Its writer reads too, so that bwrap never writes to a stream without a reader: that would
   * end it with half a sandbox made when the server has been killed.
   */
  readonly status: OutputPipe
}

/**
 * Pipes for stdout and stderr. Node would make sockets, which a command cannot open by name: with those
 * `echo failed > /dev/stderr` is an error. `directory` is the server's own; the names are gone when this returns.
 */
export async function openOutputPipes (directory: string, owner: Owner | null): Promise<OutputPipes> {
  const name = randomUUID()
  const paths = [join(directory, `${name}.out`), join(directory, `${name}.err`), join(directory, `${name}.status`)] as const
  try {
    await run(mkfifo, ['-m', '0600', ...paths], { env: {}, cwd: '/' })
    return openAll(paths, owner)
  } finally {
    for (const path of paths) rmSync(path, { force: true })
  }
}

function openAll ([out, err, status]: readonly [string, string, string], owner: Owner | null): OutputPipes {
  const handles: number[] = []
  const open = (path: string, writing: number): OutputPipe => {
    if (owner !== null) chownSync(path, owner.uid, owner.gid)
    // In this order: the reader does not wait for a writer, and the writer finds a reader.
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    handles.push(reader)
    const writer = openSync(path, writing)
    handles.push(writer)
    return { reader: new Socket({ fd: reader, readable: true, writable: false }), writer }
  }
  try {
    return { stdout: open(out, constants.O_WRONLY), stderr: open(err, constants.O_WRONLY), status: open(status, constants.O_RDWR) }
  } catch (error) {
    for (const handle of handles) closeSync(handle)
    throw error
  }
}
