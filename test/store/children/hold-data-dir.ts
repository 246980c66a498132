/** Locks the data directory and keeps it: `hold-data-dir.js DIR`. */
import { lockDataDir } from '../../../src/store/data-dir-lock.ts'

await lockDataDir(process.argv[2] ?? '')
console.log('locked')
setInterval(() => {}, 1_000)
