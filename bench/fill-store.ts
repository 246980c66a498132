import Database from 'better-sqlite3'
import { appendSql } from '../src/store/sqlite/apply-append.ts'
import { migrate } from '../src/store/sqlite/schema.ts'
import { at } from '../test/store/sample.ts'

export function sessionName (i: number): string { return `ses_${String(i).padStart(8, '0')}` }

/**
 * Makes a store as if it had been at work for long, without its fsyncs: a run for every 25 events, a decided approval
 * a session; the last 50 sessions run and wait for an approval.
 */
export async function fillStore (path: string, sessions: number, eventsEach: number): Promise<void> {
  const db = new Database(path)
  db.pragma('journal_mode = OFF')
  db.pragma('synchronous = OFF')
  migrate(db)
  const [create, metadata, event, run, approval] = [
    appendSql.create, appendSql.metadata, appendSql.event, appendSql.run, appendSql.approval
  ].map((sql) => db.prepare(sql))
  const content = 'x'.repeat(250)

  const session = (i: number) => {
    const id = sessionName(i)
    const live = i >= sessions - 50
    const team = `team-${i % 20}`
    const values = { project: `p${i % 10}`, env: i % 3 === 0 ? 'test' : 'prod' }
    const made = create?.run(id, eventsEach, 1, eventsEach * 400, team, null, live ? 'awaiting_approval' : 'idle', 0, live ? 1 : 0, live ? at : null,
      JSON.stringify(values), at, at, 1, JSON.stringify({ padding: 'y'.repeat(1_000) }))
    const key = Number(made?.lastInsertRowid)
    for (const [name, value] of Object.entries(values)) metadata?.run(key, name, value, team, id)
    for (let seq = 1; seq <= eventsEach; seq++) {
      const runId = `run_${id}_${Math.floor(seq / 25)}`
      event?.run(key, seq, 1, 'tool_call_end', runId, JSON.stringify({ type: 'tool_call_end', seq, at, sessionId: id, runId, content }), null)
    }
    for (let n = 0; n * 25 < eventsEach; n++) run?.run(`run_${id}_${n}`, key, 'completed', n * 25 + 1, n * 25 + 25, JSON.stringify({ padding: 'z'.repeat(300) }))
    approval?.run(`call_${id}`, key, `run_${id}_0`, team, live ? 'pending' : 'approved', 3, 2, JSON.stringify({ tool: 'write_file' }))
  }

  const sessionsATransaction = 1_000
  for (let from = 0; from < sessions; from += sessionsATransaction) {
    db.transaction(() => {
      for (let i = from; i < Math.min(sessions, from + sessionsATransaction); i++) session(i)
    })()
  }
  db.close()
}
