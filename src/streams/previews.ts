import type { Published } from '../agent/feed.ts'
import type { Snapshot } from '../protocol/ephemeral.ts'
import type { Static } from '@sinclair/typebox'

type SnapshotEvent = Static<typeof Snapshot>

/** Tells a client that its cursor means nothing here, and that the log follows from 1. */
export function resetEvent (sessionId: string, reason: string): Published {
  return { seq: null, type: 'reset', runId: null, json: JSON.stringify({ type: 'reset', sessionId, reason }) }
}

/** The part of a snapshot that belongs to a stream: of its run alone, and empty for a client that wants no previews. */
export function narrowSnapshot (snapshot: Published, sessionId: string, wanted: { runId: string | null, ephemeral: boolean }): Published {
  const { runId, ephemeral } = wanted
  if (ephemeral && runId === null) return snapshot
  const narrow: SnapshotEvent = { type: 'snapshot', sessionId, outputs: [] }
  if (ephemeral) {
    // A feed's snapshot is the wire object of this type.
    const whole = JSON.parse(snapshot.json) as SnapshotEvent
    if (whole.message?.runId === runId) narrow.message = whole.message
    narrow.outputs = whole.outputs.filter((output) => output.runId === runId)
  }
  return { ...snapshot, json: JSON.stringify(narrow) }
}
