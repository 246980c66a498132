import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { openCommandRunner, type CommandRunnerOptions } from '../../src/workspace/commands/open-command-runner.ts'
import type { CommandResult, CommandRunner } from '../../src/workspace/commands/command-runner.ts'
import { sandboxOwner } from '../../src/workspace/commands/sandbox-user.ts'
import { openWorkspaces, workspaceDirectory } from '../../src/workspace/open-workspaces.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'

export const sessionId = 'ses_0193f2a7c0de'

export interface CommandSession {
  readonly dataDir: string
  readonly directory: string
  /** Beside the workspace; nothing may change in it. */
  readonly outside: string
  readonly workspace: Workspace
  readonly runner: CommandRunner
  /** Runs a command of the shell to its end. */
  run (command: string, options?: { timeoutMs?: number, signal?: AbortSignal, cwd?: string }): Promise<Ran>
}

export type Ran = Pick<CommandResult, 'outcome' | 'durationMs'> & { exitCode: number | null, signal: string | null, out: string, err: string, result: CommandResult }

/**
 * A session whose commands run in the real sandbox. Null, and the test is skipped with the reason, where this host has none.
 * The directory is one that another user can reach, wherever the tests stand.
 */
export async function commandSession (t: Test, options: Partial<CommandRunnerOptions> = {}): Promise<CommandSession | null> {
  const session = await openCommandSession(t, options)
  if (session.runner.status.available) return session
  t.comment(`NO SANDBOX ON THIS HOST: ${session.runner.status.reason} ${session.runner.status.advice}`)
  t.pass('needs a sandbox', { skip: session.runner.status.reason })
  return null
}

export async function openCommandSession (t: Test, options: Partial<CommandRunnerOptions> = {}): Promise<CommandSession> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ecluse-test-'))
  chmodSync(dataDir, 0o711)
  const owner = sandboxOwner()
  const workspaces = await openWorkspaces(dataDir, owner === null ? {} : { owner })
  await workspaces.create(sessionId)
  const workspace = await workspaces.open(sessionId)
  const runner = await openCommandRunner({ dataDir, ...options })
  t.teardown(async () => {
    await runner.close()
    await workspace.close()
    await workspaces.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const outside = join(dataDir, 'outside')
  mkdirSync(outside, { mode: 0o777 })
  return {
    dataDir,
    directory: workspaceDirectory(dataDir, sessionId),
    outside,
    workspace,
    runner,
    async run (command, { timeoutMs = 20_000, signal = new AbortController().signal, cwd = '.' } = {}) {
      const result = await runner.run({ sessionId, program: { type: 'shell', command }, cwd: workspace.parse(cwd), timeoutMs }, { signal })
      return {
        outcome: result.outcome,
        durationMs: result.durationMs,
        exitCode: result.outcome === 'exited' ? result.exitCode : null,
        signal: result.outcome === 'exited' ? result.signal : null,
        out: Buffer.concat([result.stdout.head, result.stdout.tail]).toString(),
        err: Buffer.concat([result.stderr.head, result.stderr.tail]).toString(),
        result
      }
    }
  }
}

/** Processes of this host that have `marker` in their command line or environment, but for this one. */
export function processesWith (marker: string): number[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid).filter((pid) => {
    try {
      return ['cmdline', 'environ'].some((file) => readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(marker))
    } catch {
      return false
    }
  }).map(Number)
}

/** Waits until `holds`, at most `ms`; whether it did. */
export async function within (ms: number, holds: () => boolean): Promise<boolean> {
  const deadline = Date.now() + ms
  while (!holds()) {
    if (Date.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return true
}
