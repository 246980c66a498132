import { join } from 'node:path'
import type { Test } from 'tap'
import { openSqliteLog } from '../../src/store/sqlite/open-sqlite-log.ts'
import type { EventLog } from '../../src/store/event-log.ts'

/** The real log, but for what a test replaces. */
export async function logWith (t: Test, part: Partial<EventLog>, directory = t.testdir()): Promise<EventLog> {
  const log = await openSqliteLog({ path: join(directory, 'ecluse.db') })
  t.teardown(() => log.close())
  return Object.create(log, Object.fromEntries(Object.entries(part).map(([name, value]) => [name, { value }]))) as EventLog
}
