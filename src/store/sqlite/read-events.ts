import { setImmediate as turn } from 'node:timers/promises'
import type { Database, Statement } from 'better-sqlite3'
import * as limits from '../../limits.ts'
import type { JsonObject } from '../../protocol/common.ts'
import type { SessionEventType } from '../../protocol/events.ts'
import type { EventLog, StoredEvent } from '../event-log.ts'
import { upcast, type Upcasters } from '../upcasters.ts'
import { eventsSql, readSql } from './read-sql.ts'

interface EventColumns { version: number, type: SessionEventType, run_id: string | null, json: string, private: string | null }
type EventRow = EventColumns & { seq: number }
interface LogRow { key: number, seq: number }

export type EventReads = Pick<EventLog, 'readEvents' | 'readEvent'>

export function prepareEventReads (db: Database, logVersion: number, upcasters: Upcasters): EventReads {
  const log = db.prepare<[string], LogRow>(readSql.log)
  const one = db.prepare<[number, number], EventColumns>(readSql.event)
  const runSpan = db.prepare<[string, number], { firstSeq: number, lastSeq: number | null }>(readSql.runSpan)
  const pages = new Map<string, Statement<unknown[], EventRow>>()

  /** In the current shape; one that a newer server wrote as it is. */
  function present (row: EventColumns, seq: number): StoredEvent {
    if (row.version >= logVersion) return { seq, type: row.type, runId: row.run_id, json: row.json, private: row.private }
    // The log holds nothing but objects.
    const event = upcast(JSON.parse(row.json) as JsonObject, row.version, logVersion, upcasters)
    // An upcaster makes an event of the next version, whose type is one that we know.
    return { seq, type: event['type'] as SessionEventType, runId: row.run_id, json: JSON.stringify(event), private: row.private }
  }

  function pageStatement (byRun: boolean, types: number): Statement<unknown[], EventRow> {
    const shape = `${byRun} ${types}`
    let statement = pages.get(shape)
    if (statement === undefined) {
      statement = db.prepare<unknown[], EventRow>(eventsSql(byRun, types))
      pages.set(shape, statement)
    }
    return statement
  }

  return {
    async readEvents (sessionId, { after, limit, maxBytes, types, runId }) {
      const found: StoredEvent[] = []
      const session = log.get(sessionId)
      if (session === undefined) return found
      const span = runId === undefined ? undefined : runSpan.get(runId, session.key)
      const last = Math.min(session.seq, span?.lastSeq ?? session.seq)
      const statement = pageStatement(runId !== undefined, types?.length ?? 0)
      const slice = runId === undefined && types === undefined ? last : limits.scannedEventsPerSlice
      const filters = [...(runId === undefined ? [] : [runId]), ...(types === undefined || types.length === 0 ? [] : [logVersion, ...types])]
      let bytes = 0
      for (let from = Math.max(after, (span?.firstSeq ?? 1) - 1); from < last; from += slice) {
        const parameters = [session.key, session.key, from, session.key, Math.min(from + slice, last), ...filters, limit - found.length]
        for (const row of statement.iterate(...parameters)) {
          const event = present(row, row.seq)
          if (types !== undefined && !types.includes(event.type)) continue
          found.push(event)
          bytes += Buffer.byteLength(event.json)
          if (found.length >= limit || bytes > maxBytes) return found
        }
        if (from + slice < last) await turn() // few events may match: others have their turn
      }
      return found
    },
    async readEvent (sessionId, seq) {
      const session = log.get(sessionId)
      const row = session === undefined ? undefined : one.get(session.key, seq)
      return row === undefined ? null : present(row, seq)
    }
  }
}
