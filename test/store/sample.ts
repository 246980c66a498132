import type { Append, HeadRow, StoredEvent } from '../../src/store/event-log.ts'

export const at = '2026-01-02T03:04:05.678Z'

export interface Sample extends Partial<Omit<Append, 'events' | 'head'>> {
  readonly events?: readonly StoredEvent[]
  /** So many events, if they are not given. */
  readonly count?: number
  readonly head?: Partial<HeadRow>
}

/** A valid append to the session; what is not said is the plainest. */
export function appendTo (sessionId: string, expectedSeq: number, sample: Sample = {}): Append {
  const count = sample.count ?? 1
  const events = sample.events ?? Array.from({ length: count }, (_, i) => anEvent(sessionId, expectedSeq + 1 + i))
  return {
    sessionId,
    expectedSeq,
    events,
    head: { ...aHead(sessionId), seq: expectedSeq + events.length, ...sample.head },
    runs: sample.runs ?? [],
    approvals: sample.approvals ?? [],
    idempotency: sample.idempotency ?? null
  }
}

export function anEvent (sessionId: string, seq: number, part: Partial<StoredEvent> = {}): StoredEvent {
  const type = part.type ?? 'files_changed'
  return { seq, type, runId: null, json: JSON.stringify({ type, seq, at, sessionId }), private: null, ...part }
}

function aHead (sessionId: string): HeadRow {
  return {
    sessionId,
    seq: 0,
    team: null,
    externalId: null,
    status: 'idle',
    ended: false,
    unsettled: false,
    nextExpiryAt: null,
    metadata: {},
    createdAt: at,
    updatedAt: at,
    stateVersion: 1,
    state: '{}'
  }
}
