import { existsSync } from 'node:fs'
import process from 'node:process'
import type { CrashHooks } from '../../src/compose.ts'

export const agentPoints = ['accepted', 'answered', 'planned', 'decided', 'started', 'executed', 'call_ended', 'run_ended'] as const
export const filePoints = ['change_noted', 'change_made', 'change_told'] as const
export const workspacePoints = ['staged', 'before_rename', 'half_moved', 'after_rename'] as const
export const storePoints = ['before_commit', 'after_commit'] as const
export const crashPoints = [...agentPoints, ...workspacePoints, ...storePoints] as const
export type CrashPointName = typeof crashPoints[number]

/**
 * Hooks that end this process with SIGKILL at the n-th pass of one point. `crashAt` is `<point>` or `<point>:<n>`;
 * nothing: no hooks.
 * @param onlyIf a path: passes count while something is there. Not for the points of the store
 */
export function crashHooks (crashAt: string | undefined, onlyIf?: string): CrashHooks {
  if (crashAt === undefined || crashAt === '') return {}
  const [name = '', times = '1'] = crashAt.split(':')
  const point = [...crashPoints, ...filePoints].find((point) => point === name)
  if (point === undefined) throw new Error(`CRASH_AT: there is no point ${name}`)
  const count = Number(times)
  if (point === 'before_commit' || point === 'after_commit') return { store: { point, count, victim: 'process' } }
  let left = count
  const pass = (reached: string): void => {
    if (reached !== point || (onlyIf !== undefined && !existsSync(onlyIf))) return
    if (--left === 0) process.kill(process.pid, 'SIGKILL')
  }
  return { agent: pass, workspace: pass }
}
