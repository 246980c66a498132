import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

export interface Child {
  readonly process: ChildProcess
  /** The next line that it prints; null when it has ended. */
  line (): Promise<string | null>
  tell (line: string): void
  kill (): Promise<void>
}

/** Another process that runs a script beside this file; it does not outlive the test. */
export function startChild (t: Test, script: string, ...args: string[]): Child {
  const process_ = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: process_.stdout })[Symbol.asyncIterator]()
  const exited = once(process_, 'exit')
  const kill = async () => {
    process_.kill('SIGKILL')
    await exited
  }
  t.teardown(kill)
  return {
    process: process_,
    async line () {
      const next = await lines.next()
      return next.done === true ? null : next.value
    },
    tell (line) { process_.stdin.write(`${line}\n`) },
    kill
  }
}
