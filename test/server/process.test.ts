import { test } from 'tap'
import { connect } from 'node:net'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from '../support/server.ts'

test('the first start makes a key, says where it is and not what it is; the next start finds it', async (t) => {
  const server = await startServer(t)
  t.match(server.key, /^[A-Za-z0-9_-]{43}$/)
  t.match(server.stdout(), /^Écluse \d+\.\d+\.\d+ listens on http:\/\/127\.0\.0\.1:\d+\n/)
  t.ok(server.stdout().includes(`KEY=$(cat ${path.join(server.dataDir, 'api-key')})`))
  t.match(server.stdout(), /DEMO/)
  await server.restart()
  t.notOk((server.stdout() + server.stderr()).includes(server.key), 'output that is no terminal never shows the key')
  t.equal((await server.get('/metrics')).status, 200)
  t.equal((await readFile(path.join(server.dataDir, 'api-key'), 'utf8')).trim(), server.key)
})

test('SIGTERM and SIGINT end the process with 0; the log and the banner keep to their own streams', async (t) => {
  const server = await startServer(t)
  t.strictSame(await server.stop(), { code: 0, signal: null })
  await server.restart()
  t.strictSame(await server.kill('SIGINT'), { code: 0, signal: null })
  for (const line of server.stderr().trim().split('\n')) t.doesNotThrow(() => JSON.parse(line), line)
  t.match(server.stderr(), /"msg":"stopped"/)
})

test('shutdownTimeoutMs: a request that does not end holds the process no longer than SHUTDOWN_TIMEOUT_MS; a second signal ends it at once', async (t) => {
  const server = await startServer(t, { env: { SHUTDOWN_TIMEOUT_MS: '3000', AUTH: 'off' } })
  const hang = async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write('GET /health HTTP/1.1\r\nhost: localhost\r\n') // headers that never end
    await once(socket, 'connect')
    await sleep(50)
  }
  await hang()
  let began = performance.now()
  t.strictSame(await server.stop(), { code: 0, signal: null })
  t.ok(performance.now() - began < 3000)
  await server.restart({ SHUTDOWN_TIMEOUT_MS: '60000' })
  await hang()
  began = performance.now()
  server.signal('SIGTERM')
  await sleep(200)
  t.strictSame(await server.kill('SIGTERM'), { code: 1, signal: null })
  t.ok(performance.now() - began < 2000)
})

test('a faulty configuration is said whole on stderr and ends with 2; an address in use with 1', async (t) => {
  const running = await startServer(t)
  await t.rejects(startServer(t, { env: { PORT: 'x', LOG_LEVEL: 'loud', API_KEYS: 'short-SECRET' } }), { message: /exit code 2\).*3 faults.*PORT: .*LOG_LEVEL: .*API_KEYS: /s })
  await t.rejects(startServer(t, { env: { PORT: new URL(running.url).port } }), { message: /exit code 1\).*did not start: listen EADDRINUSE/s })
})

test('configured keys are used instead of a made one, and nothing is written', async (t) => {
  const server = await startServer(t, { env: { API_KEYS: 'ci:read:ci-key-ci-key-ci-key' } })
  t.equal((await server.get('/metrics')).status, 200)
  await t.rejects(readFile(path.join(server.dataDir, 'api-key')), { code: 'ENOENT' })
  t.match(server.stdout(), /KEY=\.\.\./)
})

test('the process logs no query, no key and no body', async (t) => {
  const server = await startServer(t, { env: { LOG_LEVEL: 'trace' } })
  await server.get('/metrics?token=SECRET')
  await server.get('/nowhere/SECRET?key=SECRET')
  await server.request('POST', '/health', { json: { SECRET: 1 } })
  await server.stop()
  t.match(server.stderr(), /"route":"\/metrics"/)
  t.notMatch(server.stderr(), /SECRET/)
  t.notOk(server.stderr().includes(server.key))
})

test('a broken key file stops the start and says what to do', async (t) => {
  const dataDir = t.testdir({})
  await writeFile(path.join(dataDir, 'api-key'), 'short')
  await t.rejects(startServer(t, { dataDir }), { message: /no usable API key.*Remove it/s })
})
