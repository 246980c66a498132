import type { SessionEvent } from '../protocol/events.ts'
import type { Notice } from '../protocol/notices.ts'
import { teamOf, type Caller } from './caller.ts'
import { sessionStatus } from './project.ts'
import type { CommitNotice } from './sessions.ts'

export interface NoticeListener {
  /** Must not throw and must not block. */
  onNotice (notice: Notice): void
}

/** Events after which a list of sessions looks different. */
const shown = new Set<SessionEvent['type']>([
  'session_start', 'session_update', 'session_end', 'user_message', 'run_start', 'approval_required', 'approval_resolved', 'run_end'
])

/** Tells of changes in all the sessions that a caller may see. Nothing is kept for who does not listen. */
export class Notices {
  readonly #listeners = new Map<NoticeListener, string | null>()

  /** From here on `listener` is told what concerns the caller's team. Call what is returned to end it. */
  open (caller: Caller, listener: NoticeListener): () => void {
    this.#listeners.set(listener, teamOf(caller.name))
    return () => { this.#listeners.delete(listener) }
  }

  onCommit (commit: CommitNotice): void {
    if (this.#listeners.size === 0) return
    const notices = noticesOf(commit)
    const team = teamOf(commit.after.createdBy.name ?? null)
    for (const [listener, listensFor] of this.#listeners) {
      if (listensFor === team) for (const notice of notices) listener.onNotice(notice)
    }
  }
}

/** Approvals first: who hears that a session waits finds the question already there. Pure. */
export function noticesOf ({ before, after, events }: Pick<CommitNotice, 'before' | 'after' | 'events'>): Notice[] {
  const { sessionId } = after
  const notices: Notice[] = []
  for (const event of events) {
    if (event.type === 'approval_required') notices.push({ type: 'approval_changed', callId: event.callId, sessionId, status: 'pending' })
    if (event.type === 'approval_resolved' && event.outcome !== 'replaced') notices.push({ type: 'approval_changed', callId: event.callId, sessionId, status: event.outcome })
  }
  const status = after.ended ? 'deleted' : sessionStatus(after)
  const was = before === null ? null : sessionStatus(before)
  if (status !== was || events.some(({ type }) => shown.has(type))) notices.push({ type: 'session_changed', sessionId, status })
  return notices
}
