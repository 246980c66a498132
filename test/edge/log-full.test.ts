import { statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { test } from 'tap'
import { goesOn, start } from './unwilling-log.ts'

test('a log on a full disk ends nothing', { skip: process.platform !== 'linux' && 'there is no /dev/full' }, async (t) => {
  t.testdir({})
  await goesOn(t, await start(t, '/dev/full'))
})

test('a log that may not grow ends nothing', { skip: process.platform !== 'linux' && 'there is no prlimit' }, async (t) => {
  t.testdir({ log: 'x'.repeat(1_048_000) })
  const file = join(t.testdirName, 'log')
  await goesOn(t, await start(t, file, ['prlimit', '--fsize=1048576', '--']))
  t.equal(statSync(file).size, 1_048_576, 'it was used to the last byte')
})
