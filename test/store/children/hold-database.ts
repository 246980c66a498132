/** Holds the database for writing until it is told a line: `hold-database.js PATH`. */
import { once } from 'node:events'
import Database from 'better-sqlite3'

const db = new Database(process.argv[2] ?? '')
db.exec('BEGIN IMMEDIATE')
console.log('held')
await once(process.stdin, 'data')
db.exec('ROLLBACK')
db.close()
process.exit()
