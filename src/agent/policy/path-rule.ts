import type { Effect } from '../../protocol/plan.ts'
import type { Steps } from './steps.ts'
import { fold, matchesGlob, matchesInside, readGlob } from './glob.ts'

interface Touched {
  readonly paths: readonly string[]
  readonly effects: readonly Effect[]
}

/** For a rule that allows: every path must match, exactly as written. */
export function coversPaths (pattern: string, { paths }: Touched, steps: Steps): boolean {
  const glob = readGlob(pattern)
  return glob !== null && paths.length > 0 && paths.every((path) => matchesGlob(glob, path, steps))
}

/**
 * For a rule that forbids: one path is enough, in any spelling that a file system may hold for the same; and a
 * directory that is moved or deleted takes along what the rule protects inside it.
 */
export function touchesPaths (pattern: string, { paths, effects }: Touched, steps: Steps): boolean {
  const glob = readGlob(fold(pattern))
  return glob === null || paths.some((path) => matchesGlob(glob, fold(path), steps)) ||
    effects.some(({ path, before, after }) => (before.type === 'directory' || after.type === 'directory') && matchesInside(glob, fold(path), steps))
}
