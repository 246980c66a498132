import Database from 'better-sqlite3'
import { seqSpan } from '../src/store/sqlite/schema.ts'

type Row = Record<string, string | number | null>

const idsOfTable = {
  session_metadata: 'session', runs: 'session', approvals: 'session'
} as const

/**
 * Copies the sessions of a store until it holds `sessions` of them, each with ids of its own that sort before those
 * that will be made now. What is copied was written by the server itself, so it is whole.
 */
export function ageStore (path: string, sessions: number): { sessions: number, events: number } {
  const db = new Database(path)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = OFF')
  const templates = db.prepare('SELECT * FROM sessions ORDER BY key').all() as Row[]
  const tables = Object.keys(idsOfTable) as Array<keyof typeof idsOfTable>
  const parts = templates.map((session) => ({
    session,
    events: db.prepare('SELECT * FROM events WHERE id BETWEEN ? AND ?').all(Number(session['key']) * seqSpan, (Number(session['key']) + 1) * seqSpan - 1) as Row[],
    others: tables.map((table) => ({ table, rows: db.prepare(`SELECT * FROM ${table} WHERE session = ?`).all(session['key']) as Row[] }))
  }))
  const inserts = new Map<string, Database.Statement>()
  const insert = (table: string, row: Row): void => {
    const statement = inserts.get(table) ?? db.prepare(`INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row).map(() => '?').join(', ')})`)
    inserts.set(table, statement)
    statement.run(...Object.values(row))
  }
  let key = Math.max(...templates.map((session) => Number(session['key'])))
  let events = parts.reduce((sum, part) => sum + part.events.length, 0)
  const copy = (part: typeof parts[number], prefix: string): void => {
    key++
    const renamed = (row: Row): Row => Object.fromEntries(Object.entries(row).map(([name, value]) =>
      [name, typeof value === 'string' ? value.replaceAll(/\b(ses|run|call|msg)_[0-9a-f]{8}/g, `$1_${prefix}`) : value]))
    insert('sessions', { ...renamed(part.session), key })
    for (const event of part.events) insert('events', { ...renamed(event), id: key * seqSpan + Number(event['id']) % seqSpan })
    for (const { table, rows } of part.others) for (const row of rows) insert(table, { ...renamed(row), session: key })
    events += part.events.length
  }
  const batch = 500
  for (let made = templates.length; made < sessions; made += batch) {
    db.transaction(() => {
      for (let i = made; i < Math.min(sessions, made + batch); i++) {
        const part = parts[i % 1_000 === 0 ? parts.length - 1 : 0] // one in a thousand is the last template
        if (part !== undefined) copy(part, i.toString(16).padStart(8, '0'))
      }
    })()
  }
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  return { sessions, events }
}
