/** Appends to five sessions without end and prints `session seq` of what was acknowledged: `append-loop.js PATH [POINT COUNT]`. */
import { openSqliteLog } from '../../../src/store/sqlite/open-sqlite-log.ts'
import { appendTo } from '../sample.ts'

const [path = '', point, count] = process.argv.slice(2)
const crash = point === 'before_commit' || point === 'after_commit' ? { crashAt: { point, count: Number(count), victim: 'process' } as const } : {}
const log = await openSqliteLog({ path, ...crash })
await Promise.all(Array.from({ length: 5 }, async (_, i) => {
  const sessionId = `ses_${i}`
  let seq = (await log.readHead(sessionId))?.seq ?? 0
  while (true) {
    await log.append(appendTo(sessionId, seq, { count: 2 }))
    seq += 2
    process.stdout.write(`${sessionId} ${seq}\n`)
  }
}))
