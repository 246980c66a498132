import type { Readable } from 'node:stream'
import { statusBytesMax } from '../../limits.ts'

/** What bwrap tells about itself while it runs. */
export class SandboxProgress {
  /** Resolves when bwrap has nothing more to say. */
  readonly ended: Promise<void>
  #text = ''

  constructor (stream: Readable) {
    stream.on('data', (bytes: Buffer) => { if (this.#text.length < statusBytesMax) this.#text += bytes.toString('latin1') })
    stream.on('error', () => {})
    this.ended = new Promise((resolve) => { stream.on('close', resolve) })
  }

  /** bwrap's own exit code cannot be told from the program's; this object comes from the program's end alone. */
  get exitCode (): number | null {
    const value = /"exit-code"\s*:\s*(\d+)\s*[,}]/.exec(this.#text)?.[1]
    return value === undefined ? null : Number(value)
  }
}
