import { join } from 'node:path'
import { test } from 'tap'
import { openSqliteLog } from '../../src/store/sqlite/open-sqlite-log.ts'
import { eventLogSuite } from './suite.ts'

eventLogSuite(test, async (t) => {
  const path = join(t.testdir(), 'events.db')
  return {
    async open (options = {}) {
      const log = await openSqliteLog({ path, ...options })
      t.teardown(() => log.close())
      return log
    }
  }
})
