import type { FastifyReply } from 'fastify'

/** `signal` aborts when the client has gone or the time is up. `done` must be called after the wait. */
export interface Patience { readonly signal: AbortSignal, done (): void }

/**
 * How long an answer is worth waiting for. Not `request.signal`: that of a POST aborts as soon as its body is read.
 * @param waitMs null: until the client goes
 */
export function patienceOf (reply: FastifyReply, waitMs: number | null): Patience {
  const controller = new AbortController()
  const { raw } = reply
  const stop = () => { if (!raw.writableFinished) controller.abort() }
  const timer = waitMs === null ? null : setTimeout(stop, waitMs)
  if (raw.destroyed) stop()
  else raw.once('close', stop)
  return {
    signal: controller.signal,
    done () {
      raw.removeListener('close', stop)
      if (timer !== null) clearTimeout(timer)
    }
  }
}
