import { checkLog } from '../../src/agent/check-log.ts'
import type { SessionEvent } from '../../src/protocol/events.ts'
import { checkEffects } from './check-effects.ts'
import { checkRuns } from './check-runs.ts'
import type { Evidence } from './evidence.ts'
import type { SessionNotes } from './notes.ts'

/** How much was looked at, by name. */
export type Counts = Record<string, number>

export interface Verdict {
  /** In words; none: nothing was lost, changed, doubled or left half done. */
  readonly faults: readonly string[]
  readonly counts: Counts
}

/** Judges by the clients' notes, the logs and the disk alone: it asks the server nothing. Pure. */
export function check (evidence: Evidence): Verdict {
  const { notes, logs, workspaces, staged, stderr, modelFaults } = evidence
  const counts: Counts = {}
  const count = (name: string, by = 1): void => { counts[name] = (counts[name] ?? 0) + by }
  const faults: string[] = [...notes.faults, ...modelFaults]
  if (stderr !== '') faults.push(`the server logged errors:\n${stderr}`)
  for (const file of staged) faults.push(`left in staging: ${file}`)

  const known = new Set(notes.sessions.map(({ id }) => id))
  for (const id of logs.keys()) if (!known.has(id)) faults.push(`session ${id} is one that nobody was given`)
  for (const [id, tree] of workspaces) {
    // A directory is made before its session is: a crash in between leaves it, empty.
    if (!known.has(id) && tree.files.size > 0) faults.push(`the workspace ${id} has files, and no session`)
  }
  for (const session of notes.sessions) {
    const say = (fault: string): void => { faults.push(`session ${session.id}: ${fault}`) }
    const stored = logs.get(session.id) ?? []
    count('sessions')
    if (session.deleted) {
      count('sessions deleted')
      if (stored.length > 0) say(`deleted, and ${stored.length} events are left`)
      if (workspaces.has(session.id)) say('deleted, and its workspace is left')
      checkStreams(session, new Map(), say, count)
      continue
    }
    if (stored.length === 0) say('it is lost')
    const events = stored.map(({ json }) => JSON.parse(json) as SessionEvent) // stored by the server under test
    for (const fault of checkLog(events)) say(fault)
    count('events in logs', events.length)
    checkStreams(session, new Map(stored.map(({ seq, json }) => [seq, json])), say, count)
    checkRuns(session, events, say, count)
    checkEffects(session, events, workspaces.get(session.id) ?? null, say, count)
  }
  return { faults, counts }
}

/** What clients saw is in the log as they saw it, and no connection left one out or told one twice. */
function checkStreams (session: SessionNotes, log: ReadonlyMap<number, string>, say: (fault: string) => void, count: (name: string, by?: number) => void): void {
  const seen = new Map(log)
  for (const stream of session.streams) {
    count('streams')
    if (stream.reset) say(`a stream opened at ${stream.after} was told that its cursor is unknown`)
    for (const [index, { seq, json }] of stream.events.entries()) {
      count('events seen by clients')
      if (seq !== stream.after + index + 1) say(`a stream opened at ${stream.after} carried seq ${seq} as number ${index + 1}: an event is missing or doubled`)
      const known = seen.get(seq)
      if (known === undefined && log.size > 0) say(`seq ${seq} was seen and is not in the log: ${json}`)
      else if (known !== undefined && known !== json) say(`seq ${seq} has changed: seen as ${json}, stands as ${known}`)
      seen.set(seq, json)
    }
  }
}
