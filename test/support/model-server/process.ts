import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** The one method of a tap test that is needed here. */
export interface Teardown {
  teardown (end: () => Promise<void>): void
}

/** Runs a compiled script until the test ends, or this process does. Resolves with the first line that it prints. */
export async function startProcess (t: Teardown, file: string, args: readonly string[]): Promise<{ firstLine: string, close (): Promise<void> }> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const close = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  t.teardown(close)
  const lines = createInterface({ input: child.stdout })
  const first: unknown = await Promise.race([once(lines, 'line').then(([line]) => line), exited.then(() => null)])
  if (typeof first !== 'string') throw new Error(`${file} ended before it was ready`)
  return { firstLine: first, close }
}
