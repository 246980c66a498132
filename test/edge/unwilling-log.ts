import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync, closeSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { eventually } from '../support/eventually.ts'
import { request } from '../support/request.ts'

const main = fileURLToPath(new URL('../../src/main.js', import.meta.url))

/** The server with `file` as its stderr; `prefix` is a command that runs it. */
export async function start (t: Test, file: string, prefix: readonly string[] = []): Promise<{ child: ChildProcess, url: string }> {
  const stderr = openSync(file, 'a')
  const [command = '', ...args] = [...prefix, process.execPath, main]
  const child = spawn(command, args, {
    cwd: t.testdirName, stdio: ['ignore', 'pipe', stderr], env: { PATH: process.env['PATH'], DATA_DIR: join(t.testdirName, 'data'), PORT: '0', LOG_LEVEL: 'trace' }
  })
  closeSync(stderr)
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => { output += text })
  const listening = (): string | undefined => /listens on (http:\/\/\S+)/.exec(output)?.[1]
  await eventually(() => listening() !== undefined, 20_000)
  return { child, url: listening() ?? '' }
}

/** It answers for longer than its log has room for, and stops as it should. */
export async function goesOn (t: Test, { child, url }: { child: ChildProcess, url: string }, requests = 60): Promise<void> {
  let refused = 0
  for (let n = 0; n < requests; n++) if ((await request(`${url}/sessions`)).status === 401) refused++
  t.equal(refused, requests)
  child.kill('SIGTERM')
  t.strictSame(await once(child, 'exit'), [0, null])
}
