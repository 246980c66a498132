import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { statusBytesMax } from '../../limits.ts'

/** What bwrap tells about itself while it runs. */
export class SandboxProgress {
  /** The first process inside, as the host numbers it: all others end with it. Null until bwrap has told. */
  firstProcess: number | null = null
  /** Resolves when bwrap has nothing more to say. */
  readonly ended: Promise<void>
  #text = ''

  constructor (stream: Readable, onFirstProcess: () => void) {
    stream.on('data', (bytes: Buffer) => {
      if (this.#text.length < statusBytesMax) this.#text += bytes.toString('latin1')
      if (this.firstProcess !== null) return
      this.firstProcess = this.#number('child-pid')
      if (this.firstProcess !== null) onFirstProcess()
    })
    stream.on('error', () => {})
    this.ended = new Promise((resolve) => { stream.on('close', resolve) })
  }

  /** bwrap's own exit code cannot be told from the program's; this object comes from the program's end alone. */
  get exitCode (): number | null {
    return this.#number('exit-code')
  }

  #number (name: string): number | null {
    const value = new RegExp(`"${name}"\\s*:\\s*(\\d+)\\s*[,}]`).exec(this.#text)?.[1]
    return value === undefined ? null : Number(value)
  }
}

/** Kills a process if it is still the child that it was, and not another that has got its number since. */
export function killChildOf (parent: number, pid: number): void {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const parentNow = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
    if (Number(parentNow) === parent) process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone.
  }
}
