import { test } from 'tap'
import { chmod, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readOrMakeApiKey } from '../../src/config/api-key-file.ts'
import { findCaller } from '../../src/routes/edge/keys.ts'

test('the first start makes a key of 256 bits that only the owner can read; later starts find it', async (t) => {
  const dataDir = path.join(t.testdir({}), 'data')
  const first = await readOrMakeApiKey(dataDir)
  const file = path.join(dataDir, 'api-key')
  t.match(first.fresh, /^[A-Za-z0-9_-]{43}$/)
  t.equal((await readFile(file, 'utf8')).trim(), first.fresh)
  t.equal((await stat(file)).mode & 0o777, 0o600)
  t.equal((await stat(dataDir)).mode & 0o777, 0o700)
  t.strictSame(await readdir(dataDir), ['api-key'])
  const second = await readOrMakeApiKey(dataDir)
  t.equal(second.fresh, null)
  t.ok(findCaller(second.keys, first.fresh ?? ''))
})

test('servers that start at once agree on one key', async (t) => {
  const dataDir = t.testdir({})
  const made = await Promise.all([1, 2, 3].map(async () => await readOrMakeApiKey(dataDir)))
  t.equal(new Set(made.map(({ keys }) => keys[0]?.digest.toString('hex'))).size, 1)
  t.equal(made.filter(({ fresh }) => fresh !== null).length, 1)
})

test('a file without a usable key stops the start, and is not overwritten; loose permissions are tightened', async (t) => {
  const dataDir = t.testdir({ 'api-key': 'short\n' })
  const file = path.join(dataDir, 'api-key')
  await t.rejects(readOrMakeApiKey(dataDir), { message: /no usable API key.*Remove it/ })
  t.equal(await readFile(file, 'utf8'), 'short\n')
  await writeFile(file, 'a-key-that-is-long-enough\n')
  await chmod(file, 0o644)
  await readOrMakeApiKey(dataDir)
  t.equal((await stat(file)).mode & 0o777, 0o600)
})
