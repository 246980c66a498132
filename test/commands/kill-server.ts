import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { processesWith, within } from './command-session.ts'

const child = new URL('./children/start-many.js', import.meta.url).pathname

/** Kills a server `delayMs` after the first process of the `count` commands that it starts was seen. What of them is still there seconds later, in words; it is ended. */
export async function killServer (dataDir: string, count: number, delayMs: number): Promise<string[]> {
  const mark = `997.${process.pid}${String(Math.round(Math.random() * 1e9)).padStart(9, '0')}`
  const server = spawn(process.execPath, [child, dataDir, `sleep ${mark}`, String(count)], { env: {}, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(server.stdout, 'data')
  await within(10_000, () => processesWith(mark).some((pid) => pid !== server.pid))
  const until = performance.now() + delayMs
  // A timer would be a millisecond late, and sandboxes are made in ten.
  if (delayMs > 2) await new Promise((resolve) => setTimeout(resolve, delayMs - 2))
  while (performance.now() < until);
  server.kill('SIGKILL')
  await once(server, 'exit')
  if (await within(5_000, () => processesWith(mark).length === 0)) return []
  return processesWith(mark).flatMap((pid) => {
    try {
      const told = `killed after ${delayMs.toFixed(1)} ms: ${readFileSync(`/proc/${pid}/stat`, 'latin1').split(' ').slice(0, 4).join(' ')}`
      process.kill(pid, 'SIGKILL')
      return [told]
    } catch {
      return [] // with one that was killed before
    }
  })
}
