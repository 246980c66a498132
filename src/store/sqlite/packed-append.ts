import type { Append } from '../event-log.ts'

/** What crosses to the writer: one flat array costs a fraction of what nested objects do. */
export type Flat = string | number | null

export interface PackedEvent { readonly type: string, readonly runId: string | null, readonly json: string, readonly private: string | null }
export interface PackedRun { readonly runId: string, readonly status: string, readonly summary: string }
export interface PackedApproval {
  readonly callId: string
  readonly runId: string
  readonly team: string | null
  readonly status: string
  readonly requiredSeq: number
  readonly argumentsSeq: number
  readonly summary: string
}
export interface PackedKey {
  readonly scope: string
  readonly key: string
  readonly fingerprint: string
  readonly runId: string | null
  readonly createdAt: string
}

/** An `Append` as the writer sees it: flags are 0 or 1, metadata is JSON, seqs follow from `expectedSeq`. */
export interface PackedAppend {
  readonly sessionId: string
  readonly expectedSeq: number
  readonly team: string | null
  readonly externalId: string | null
  readonly status: string
  readonly ended: number
  readonly unsettled: number
  readonly nextExpiryAt: string | null
  readonly metadata: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly stateVersion: number
  readonly state: string
  readonly events: readonly PackedEvent[]
  readonly runs: readonly PackedRun[]
  readonly approvals: readonly PackedApproval[]
  readonly idempotency: PackedKey | null
}

export function pack (append: Append, into: Flat[]): void {
  const { head, events, runs, approvals, idempotency } = append
  into.push(
    append.sessionId, append.expectedSeq, head.team, head.externalId, head.status, head.ended ? 1 : 0, head.unsettled ? 1 : 0,
    head.nextExpiryAt, JSON.stringify(head.metadata), head.createdAt, head.updatedAt, head.stateVersion, head.state,
    events.length, runs.length, approvals.length, idempotency === null ? 0 : 1)
  for (const event of events) into.push(event.type, event.runId, event.json, event.private)
  for (const run of runs) into.push(run.runId, run.status, run.summary)
  for (const row of approvals) into.push(row.callId, row.runId, row.team, row.status, row.requiredSeq, row.argumentsSeq, row.summary)
  if (idempotency !== null) into.push(idempotency.scope, idempotency.key, idempotency.fingerprint, idempotency.runId, idempotency.createdAt)
}

/** The appends that were packed one after the other into `flat`. */
export function unpack (flat: readonly Flat[]): PackedAppend[] {
  const reader = new FlatReader(flat)
  const appends: PackedAppend[] = []
  while (!reader.done) appends.push(unpackOne(reader))
  return appends
}

function unpackOne (from: FlatReader): PackedAppend {
  // Object literals are evaluated from top to bottom: this is the order of `pack`.
  const head = {
    sessionId: from.text(),
    expectedSeq: from.number(),
    team: from.textOrNull(),
    externalId: from.textOrNull(),
    status: from.text(),
    ended: from.number(),
    unsettled: from.number(),
    nextExpiryAt: from.textOrNull(),
    metadata: from.text(),
    createdAt: from.text(),
    updatedAt: from.text(),
    stateVersion: from.number(),
    state: from.text()
  }
  const counts = { events: from.number(), runs: from.number(), approvals: from.number(), keys: from.number() }
  const events: PackedEvent[] = []
  for (let i = 0; i < counts.events; i++) events.push({ type: from.text(), runId: from.textOrNull(), json: from.text(), private: from.textOrNull() })
  const runs: PackedRun[] = []
  for (let i = 0; i < counts.runs; i++) runs.push({ runId: from.text(), status: from.text(), summary: from.text() })
  const approvals: PackedApproval[] = []
  for (let i = 0; i < counts.approvals; i++) {
    approvals.push({
      callId: from.text(),
      runId: from.text(),
      team: from.textOrNull(),
      status: from.text(),
      requiredSeq: from.number(),
      argumentsSeq: from.number(),
      summary: from.text()
    })
  }
  const idempotency = counts.keys === 0
    ? null
    : { scope: from.text(), key: from.text(), fingerprint: from.text(), runId: from.textOrNull(), createdAt: from.text() }
  return { ...head, events, runs, approvals, idempotency }
}

/** It checks nothing: what a caller got wrong fails at the statement of its own append, and at no other. */
class FlatReader {
  readonly #flat: readonly Flat[]
  #at = 0

  constructor (flat: readonly Flat[]) { this.#flat = flat }

  get done (): boolean { return this.#at >= this.#flat.length }

  // `pack` put these here, in this order.
  text (): string { return this.#flat[this.#at++] as string }
  textOrNull (): string | null { return this.#flat[this.#at++] as string | null }
  number (): number { return this.#flat[this.#at++] as number }
}
