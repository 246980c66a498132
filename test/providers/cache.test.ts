import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'tap'

test('in every dialect each request is a prefix of the next: over steps, turns, a restart, and a model switched and switched back', async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(new URL('../../bench/cache.js', import.meta.url))])
  t.equal(stdout.match(/ 100\.0 %/g)?.length, 18, stdout)
})
