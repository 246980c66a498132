import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'tap'
import { lockDataDir } from '../../src/store/data-dir-lock.ts'
import { startChild } from './children/child.ts'

test('the data directory is made for its owner alone', async (t) => {
  const dir = join(t.testdir(), 'a', 'data')
  const lock = await lockDataDir(dir)
  t.equal((await stat(dir)).mode & 0o777, 0o700)
  await lock.release()
})

test('a second server is told who has the data directory', async (t) => {
  const dir = t.testdir()
  const child = startChild(t, './hold-data-dir.js', dir)
  t.equal(await child.line(), 'locked')
  await t.rejects(lockDataDir(dir), { name: 'DataDirInUse', pid: child.process.pid, message: new RegExp(`in use by another server \\(pid ${child.process.pid}\\)`) })
})

test('a server that was killed leaves nothing in the way of the next', async (t) => {
  const dir = t.testdir()
  for (let i = 0; i < 3; i++) {
    const child = startChild(t, './hold-data-dir.js', dir)
    t.equal(await child.line(), 'locked')
    await child.kill()
  }
  const lock = await lockDataDir(dir)
  await lock.release()
})

test('a lock excludes its own process too, until it is released', async (t) => {
  const dir = t.testdir()
  const lock = await lockDataDir(dir)
  await t.rejects(lockDataDir(dir), { name: 'DataDirInUse', pid: process.pid })
  await t.rejects(lockDataDir(dir), { name: 'DataDirInUse' }, 'the refusal has not loosened it')
  await lock.release()
  await lock.release()
  await (await lockDataDir(dir)).release()
})

test('of many that start at once one gets the data directory', async (t) => {
  const dir = t.testdir()
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDir(dir)))
  const locks = results.flatMap((result) => result.status === 'fulfilled' ? [result.value] : [])
  t.equal(locks.length, 1)
  await locks[0]?.release()
})
