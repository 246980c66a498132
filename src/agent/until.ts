import type { LiveSession } from './live-session.ts'
import type { SessionState } from './state.ts'

/** Resolves when `test` holds for the session's state, or when `signal` aborts. */
export async function until (live: LiveSession, test: (state: SessionState) => boolean, signal?: AbortSignal): Promise<void> {
  const holds = (): boolean => signal?.aborted === true || (live.state !== null && test(live.state))
  if (holds()) return
  await new Promise<void>((resolve) => {
    const check = (): void => {
      if (!holds()) return
      stop()
      signal?.removeEventListener('abort', check)
      resolve()
    }
    const stop = live.watch(check)
    signal?.addEventListener('abort', check)
  })
}
