import type { CommandResult } from './command-runner.ts'

/** The result of a command that was never started. */
export function notRun (end: { outcome: 'cancelled' } | { outcome: 'sandbox_error', reason: string }): CommandResult {
  const nothing = { head: Buffer.alloc(0), tail: Buffer.alloc(0), bytes: 0, omitted: 0 }
  return { ...end, durationMs: 0, stdout: nothing, stderr: nothing }
}
