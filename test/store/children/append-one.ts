/** For each line it is told it appends an event of so many bytes, and prints what became of it: `append-one.js PATH`. */
import { createInterface } from 'node:readline'
import { StoreError } from '../../../src/store/event-log.ts'
import { openSqliteLog } from '../../../src/store/sqlite/open-sqlite-log.ts'
import { anEvent, appendTo } from '../sample.ts'

process.on('SIGXFSZ', () => {}) // a file at its limit is an error of the write, as on a full disk
const log = await openSqliteLog({ path: process.argv[2] ?? '' })
console.log('open')
for await (const line of createInterface({ input: process.stdin })) {
  const [sessionId = '', bytes] = line.split(' ')
  const seq = (await log.readHead(sessionId))?.seq ?? 0
  const answer = await log.append(appendTo(sessionId, seq, { events: [anEvent(sessionId, seq + 1, { json: 'x'.repeat(Number(bytes)) })] }))
    .then(({ status }) => status, (error: unknown) => error instanceof StoreError ? error.code : String(error))
  console.log(answer)
}
await log.close()
