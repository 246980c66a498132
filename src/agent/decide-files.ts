import { AgentError } from '../errors.ts'
import { changedPathsMax } from '../limits.ts'
import type { By } from '../protocol/common.ts'
import type { EventOf } from '../protocol/events.ts'
import { sessionGone } from './decide-session.ts'
import type { Precondition } from './files.ts'
import type { EventDraft, SessionState } from './state.ts'

export interface FilesChange {
  readonly how: EventOf<'files_changed'>['how']
  readonly paths: readonly string[]
  readonly by: By
  /** Of the archive or of the note: after a crash it says whether the change was told. */
  readonly exchangeId?: string
}

/** What was done to files is told, also beside a run. */
export function decideFilesChanged (state: SessionState | null, change: FilesChange): EventDraft[] {
  if (state === null || state.ended) throw sessionGone()
  const { how, paths, by, exchangeId } = change
  return [{
    type: 'files_changed',
    how,
    paths: paths.slice(0, changedPathsMax),
    omitted: Math.max(0, paths.length - changedPathsMax),
    by,
    ...(exchangeId === undefined ? {} : { private: { exchangeId } })
  }]
}

export function isIdle (state: SessionState): boolean {
  return state.run === null && state.queue.length === 0
}

/** Before the first run: what is in the workspace is what people put there. */
export function isFresh (state: SessionState): boolean {
  return state.promptModel === null
}

/** @throws AgentError run_active, session_not_found */
export function requireIdle (state: SessionState | null): SessionState {
  if (state === null || state.ended) throw sessionGone()
  if (isIdle(state)) return state
  const runId = state.run?.runId ?? state.queue[0]?.runId ?? null
  throw new AgentError('run_active', `The run ${runId ?? ''} is active in this session; an archive replaces everything under it.`, {
    suggestion: 'Wait for it or cancel it, then send the archive again.', extra: { runId }
  })
}

/**
 * @param found the file's SHA-256; null: nothing is there; `other`: something that has none
 * @throws AgentError precondition_failed
 */
export function requirePrecondition ({ match, noneMatch }: Precondition, found: string | null): void {
  if (match !== null && (found === null || (match !== '*' && !match.includes(found)))) {
    throw new AgentError('precondition_failed', found === null ? 'Nothing is at this path, and If-Match wants something.' : 'The file is not the one that If-Match names.', {
      suggestion: 'Read it again: its ETag is what it is now.'
    })
  }
  if (noneMatch !== null && found !== null && (noneMatch === '*' || noneMatch.includes(found))) {
    throw new AgentError('precondition_failed', 'Something is at this path already, which If-None-Match rules out.')
  }
}
