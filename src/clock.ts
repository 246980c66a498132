import { performance } from 'node:perf_hooks'

/**
 * Wall-clock time that never goes back within this process: when the system's clock is set back, time goes on from
 * where it was at its usual pace until the clock has caught up. So what the log dates lies in its order, and time
 * between two events is never negative. Returns RFC 3339, UTC, with milliseconds.
 */
export function steadyClock (wallMs: () => number = Date.now, elapsedMs: () => number = () => performance.now()): () => string {
  let lastMs = wallMs()
  let lastElapsedMs = elapsedMs()
  return () => {
    const elapsed = elapsedMs()
    lastMs = Math.max(wallMs(), lastMs + elapsed - lastElapsedMs)
    lastElapsedMs = elapsed
    return new Date(Math.floor(lastMs)).toISOString()
  }
}
