import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ToolFailure } from '../../src/errors.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { snapshot } from './snapshot.ts'

export interface RaceResult {
  readonly attempts: number
  /** Attempts that did what they were asked, inside. */
  readonly succeeded: number
  /** Attempts that saw or changed something outside. */
  readonly escapes: number
}

export interface RaceBounds {
  readonly durationMs: number
  readonly escapesMax?: number
  /** Further files that `d` and `outside` both have, by name: what they hold. */
  readonly both?: Readonly<Record<string, string>>
}

/** One try at `d` or something in it. True: it saw what is outside. Throws when it is refused. */
export type Attempt = (turn: number) => boolean | Promise<boolean>

export const secret = 'the secret outside'

/**
 * Runs attempts for `durationMs` while another process swaps the directory `d` of the workspace with a link to
 * `outside`. A change outside counts as an escape too.
 */
export async function runRace (directory: string, outside: string, { durationMs, escapesMax = Infinity, both = {} }: RaceBounds, attempt: Attempt): Promise<RaceResult> {
  mkdirSync(join(directory, 'd'))
  writeFileSync(join(directory, 'd/f'), 'inside')
  writeFileSync(join(outside, 'f'), secret)
  for (const place of [join(directory, 'd'), outside]) for (const [name, content] of Object.entries(both)) writeFileSync(join(place, name), content)
  symlinkSync(outside, join(directory, 'link'))
  const before = JSON.stringify(snapshot(outside))
  const swapper = fork(fileURLToPath(new URL('./swapper.js', import.meta.url)), [directory])
  await once(swapper, 'message')
  let [attempts, succeeded, escapes] = [0, 0, 0]
  try {
    const end = performance.now() + durationMs
    for (; performance.now() < end && escapes < escapesMax; attempts++) {
      try {
        if (await attempt(attempts)) escapes++
        succeeded++
      } catch (error) {
        if (!isRefusal(error)) throw error
      }
    }
  } finally {
    const gone = once(swapper, 'exit')
    swapper.disconnect()
    await gone
  }
  if (JSON.stringify(snapshot(outside)) !== before) escapes++
  return { attempts, succeeded, escapes }
}

function isRefusal (error: unknown): boolean {
  if (error instanceof ToolFailure) return ['not_found', 'outside_workspace', 'symlink', 'not_directory', 'changed', 'already_exists', 'not_regular', 'is_directory', 'not_empty', 'no_match', 'verification_failed'].includes(error.code)
  return error instanceof Error && 'code' in error
}

/** Every operation of a workspace in turn. */
export function workspaceAttempt (workspace: Workspace): Attempt {
  const path = (text: string) => workspace.parse(text)
  const write = async (text: string, turn: number) => {
    await workspace.write(path(text), Buffer.from('written'), { before: await workspace.state(path(text)), stageName: `call_${turn}` })
    return false
  }
  const operations: Attempt[] = [
    async () => (await workspace.read(path('d/f'), { maxBytes: 100 })).bytes.toString() === secret,
    async () => (await workspace.read(path('d/f'), { maxBytes: 100, follow: true })).bytes.toString() === secret,
    async () => (await workspace.list(path('d'), { limit: 10 })).entries.some(({ size }) => size === secret.length),
    async () => (await workspace.stat(path('d/f')))?.size === secret.length,
    async (turn) => await write('d/written', turn),
    async (turn) => await write('d/made/deep', turn),
    async () => {
      await workspace.move(path('d/written'), path('d/moved'), { before: await workspace.state(path('d/written')) })
      return false
    },
    async (turn) => {
      await workspace.remove(path('d/moved'), { before: await workspace.state(path('d/moved')), stageName: `call_${turn}` })
      return false
    },
    async (turn) => {
      await workspace.remove(path('d/made'), { before: await workspace.state(path('d/made')), stageName: `call_${turn}` })
      return false
    }
  ]
  return async (turn) => await operations[turn % operations.length]?.(turn) ?? false
}

/** What confined paths by realpath do: check, then use. */
export function realpathAttempt (directory: string): Attempt {
  return () => {
    const path = join(directory, 'd/f')
    if (!realpathSync(path).startsWith(`${directory}/`)) throw new ToolFailure('outside_workspace', 'refused')
    return readFileSync(path, 'utf8') === secret
  }
}
