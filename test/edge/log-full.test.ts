import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, statSync } from 'node:fs'
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

test('a log whose reader has stopped reading stops nothing', { skip: process.platform !== 'linux' && 'there is no /proc' }, async (t) => {
  t.testdir({})
  const pipe = join(t.testdirName, 'pipe')
  execFileSync('mkfifo', [pipe])
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  t.teardown(() => { closeSync(reader) })
  await goesOn(t, await start(t, pipe), 700) // of more than 100 bytes: more than the 64 KiB that a pipe holds
  t.ok(readFileSync(reader).length > 60_000, 'it was used to the last byte')
})
