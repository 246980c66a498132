import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test, type Test } from 'tap'
import type { Approval, TranscriptItem } from '../../src/protocol/resources.ts'
import { startChild } from '../store/children/child.ts'
import { eventually } from '../support/eventually.ts'
import { startModelServer, type RecordedRequest } from '../support/model-server/model-server.ts'
import { startServer, type Exit, type TestServer } from '../support/server.ts'
import { ourCode, type CaseCall, type CaseFile, type Expectation } from '../tools/file-cases.ts'
import { checkSentences, loadLines, loadScenarios, type Checks, type ScenarioCase } from './load-cases.ts'
import { skipped } from './skipped.ts'
import { playSteps, type OwnSteps } from './steps.ts'
import { idsOf, textOf, World } from './world.ts'

const secret = 'sk-test-SECRET123'
const onLinux = process.platform === 'linux'
const transcript = async (w: World) => (await w.server.get<{ items: TranscriptItem[] }>(`/sessions/${w.sessionId}/messages`)).json.items
const post = async (w: World, content: string) => await w.server.post(`/sessions/${w.sessionId}/messages`, { content })
const text = (item: TranscriptItem | undefined) => item?.content.map(({ text }) => text).join('')
const exits = new Map<World, Exit & { ms: number }>()

const checks: Checks<World> = {
  'e-01': [
    async (t, w) => {
      t.match(await w.run(0), { status: 'failed', error: { code: 'interrupted' } })
      t.match(w.answer('g'), { status: 200, json: { status: 'idle' } })
    },
    async (t, w) => {
      const log = await w.log()
      const end = log.find((event) => event.type === 'run_end')
      t.equal(end?.runId, w.runIds[0])
      t.ok(log.filter((event) => 'runId' in event && event.runId === w.runIds[0]).every(({ seq }) => seq <= (end?.seq ?? 0)))
    },
    async (t, w) => { t.match(await w.run(1), { status: 'completed', text: 'fresh' }) }
  ],
  'e-02': [
    async (t, w) => {
      t.match(w.answer('l').json, { items: [{ callId: await w.callId('c1'), status: 'pending' } as Approval] })
      t.match(w.answer('a'), { status: 200, json: { status: 'approved' } })
      t.equal((await w.logged('tool_call_start')).length, 1)
      t.equal(await w.content('ran.txt'), 'touch ran.txt')
    },
    async (t, w) => { t.strictSame((await w.toolMessages(1)).map(({ tool_call_id: id }) => id), ['c1']) },
    async (t, w) => { t.match(await w.run(), { status: 'completed', text: 'finished' }) }
  ],
  'e-03': [
    (t, w) => { t.match(w.answer('m'), { status: 507, json: { code: 'storage_full', canRetry: true } }) },
    async (t, w) => {
      t.equal(w.answer('g').status, 200)
      t.strictSame((await transcript(w)).map(text), ['one', 'r1'])
    }
  ],
  'e-04': [
    async (t, w) => {
      t.match(await w.run(), { status: 'completed', text: 'ok' })
      const [message] = await w.logged('user_message')
      t.match(message, { content: [{ text: 'go' }] })
    },
    async (t, w) => {
      const release = await holdLock(t, w)
      t.match(await post(w, 'later'), { status: 503, json: { code: 'storage_unavailable', canRetry: true } })
      release()
      t.equal((await w.server.get('/health')).status, 200)
    }
  ],
  'e-05': [
    async (t, w) => {
      const [first, second] = (await w.requests()).map(({ at }) => at)
      const waited = (second ?? 0) - (first ?? 0)
      t.ok(waited >= 2_000 && waited < 5_000, `${waited} ms`)
    },
    (t, w) => {
      const retry = w.stream().items.find(({ event }) => event === 'retry')?.data
      t.match(retry, { code: 'model_rate_limited', detail: /slow down/ })
      t.ok(retry.delayMs >= 2_000 && retry.delayMs < 5_000)
    },
    async (t, w) => {
      t.match(await w.run(), { status: 'completed', text: 'ok' })
      t.equal((await w.logged('user_message')).length, 1)
    }
  ],
  'e-06': [
    async (t, w) => {
      t.match(await w.run(0), { status: 'completed', text: 'ok' })
      t.strictSame((await w.requests()).map(lastUserText), ['a', 'a', 'b'])
    },
    async (t, w) => { t.match(await w.run(1), { status: 'failed', error: { code: 'model_bad_request', canRetry: false, detail: /bad tool schema/ } }) }
  ],
  'e-07': [
    async (t, w) => { t.equal((await w.logged('assistant_message')).length, 1) },
    (t, w) => {
      const { items } = w.stream()
      const retry = items.find(({ event }) => event === 'retry')?.data
      t.equal(retry.messageId, items.find(({ event }) => event === 'text_delta')?.data.messageId)
      t.equal(textOf(items), 'The cause is a race condition.')
    },
    (t, w) => { t.ok(w.stream().items.some(({ event }) => event === 'retry'), 'it is retried here') },
    async (t, w) => { t.strictSame(await w.logged('tool_call_start'), []) }
  ],
  'e-08': [
    async (t, w) => {
      t.match(await w.run(), { status: 'failed', finishReason: 'loop_detected', error: { code: 'loop_detected' } })
      t.ok((await w.requests()).length <= 6)
    },
    async (t, w) => {
      const ends = await w.logged('tool_call_end')
      const calls = (await w.logged('assistant_message')).flatMap(({ calls }) => calls)
      t.strictSame(ends.map(({ callId }) => callId), calls.map(({ callId }) => callId))
    },
    async (t, w) => {
      await w.model.reset()
      await w.model.script([{ text: 'something else' }])
      t.match(await post(w, 'stop that'), { status: 200, json: { text: 'something else' } })
    }
  ],
  'e-09': [
    async (t, w) => {
      const lengths = (await w.requests()).map(({ raw }) => raw.length)
      t.ok(lengths.length <= 4, `${lengths.length} attempts`)
      t.ok(lengths.every((length, index) => index === 0 || length < (lengths[index - 1] ?? 0)))
      t.match(await w.run(), { status: 'failed', error: { code: 'context_overflow' } })
    },
    async (t, w) => { t.ok((await w.requests()).length + (await w.logged('compaction')).length <= 8) },
    async (t, w) => {
      for (const { body } of await w.requests()) {
        const calls = body?.messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id)) ?? []
        t.strictSame(body?.messages.flatMap(({ tool_call_id: id }) => id ?? []), calls)
      }
    }
  ],
  'e-15': [
    async (t, w) => {
      for (const path of ['', '/events', '/messages', '/runs', `/runs/${w.runIds[0]}`]) {
        t.notMatch((await w.server.get(`/sessions/${w.sessionId}${path}`)).text, secret, path)
      }
      t.notMatch(w.stream().text, secret)
      t.notMatch(w.server.stderr(), secret)
      t.match(w.server.stderr(), /"msg":/, 'there is a log')
      for (const file of readdirSync(w.server.dataDir).filter((name) => name.startsWith('ecluse.db'))) {
        t.notOk(readFileSync(join(w.server.dataDir, file)).includes(secret), file)
      }
      t.equal((await w.requests())[0]?.headers['authorization'], `Bearer ${secret}`, 'the model gets it')
    },
    async (t, w) => { t.match(await w.run(), { status: 'failed', error: { code: 'model_auth', detail: /Incorrect API key/ } }) }
  ],
  'e-16': [
    (t, w) => {
      t.match(exits.get(w), { code: 0, signal: null })
      t.ok((exits.get(w)?.ms ?? Infinity) < 10_000)
    },
    async (t, w) => {
      await w.server.restart()
      const socket = connect(Number(new URL(w.server.url).port), '127.0.0.1').on('error', () => {})
      await once(socket, 'connect')
      socket.write('GET /health HTTP/1.1\r\nhost: localhost\r\n') // headers that never end hold the close
      await sleep(100)
      w.server.signal('SIGTERM')
      await sleep(200)
      const began = performance.now()
      t.match(await w.server.kill('SIGINT'), { code: 1, signal: null })
      t.ok(performance.now() - began < 1_000)
    },
    async (t, w) => {
      await w.server.restart()
      t.match(await w.settled(0), { status: 'failed', error: { code: 'interrupted' } })
    },
    (t, w) => { t.strictSame(processesOf(w.server.dataDir), onLinux ? [w.server.pid] : []) }
  ],
  'e-17': [
    async (t, w) => {
      t.match(await w.run(), { status: 'completed', text: 'there' })
      t.equal((await w.requests()).length, 2)
    },
    async (t, w) => {
      await w.model.script(w.scenario.input.model.slice(0, 1).flatMap((reply) => [reply, reply]))
      t.match(await post(w, 'again'), { status: 424, json: { run: { status: 'failed', error: { code: 'model_empty' } } } })
    }
  ],
  'e-18': [
    async (t, w) => {
      await w.model.script([{ text: 'after the jump' }])
      await post(w, 'more')
      await w.stream().until('run_end')
      const ids = idsOf(w.stream())
      t.strictSame(ids, Array.from({ length: ids.length }, (_, index) => index + 1))
    },
    async (t, w) => { for (const { at } of await w.log()) t.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) },
    async (t, w) => {
      const log = await w.log()
      const times = log.map(({ at }) => Date.parse(at))
      t.strictSame(times, [...times].sort((a, b) => a - b), 'time does not go back')
      for (const event of log) if ('durationMs' in event) t.ok(event.durationMs >= 0 && event.durationMs < 60_000)
      await w.model.script([{ text: 'never', gate: true }])
      const { json } = await w.server.post(`/sessions/${w.sessionId}/messages`, { content: 'slow', limits: { runTimeoutMs: 300 } })
      t.match(json, { code: 'run_failed', run: { error: { code: 'run_timeout' } } })
    }
  ]
}

const own: OwnSteps = {
  kill: async (world, { signal = 'SIGKILL' }) => {
    const began = performance.now()
    exits.set(world, { ...await world.server.kill(signal), ms: performance.now() - began })
  },
  wait_exit: async () => {}, // `kill` waits
  start: async (world) => {
    await world.server.restart()
    await eventually(async () => (await world.run()).status !== 'running') // it listens before it has looked at what was left
  },
  fault: async ({ server }) => { await limitFiles(server.pid, statSync(join(server.dataDir, 'ecluse.db-wal')).size) }, // the log grows there
  fault_clear: async (world) => { await limitFiles(world.server.pid, 'unlimited') },
  set_clock: async (world) => {
    const stream = world.stream()
    void eventually(() => stream.items.some(({ event }) => event === 'text_delta')).then(() => { world.server.signal('SIGUSR2') })
  }
}

/** Every write beyond this many bytes of a file fails, as on a full disk. */
async function limitFiles (pid: number, bytes: number | 'unlimited'): Promise<void> {
  await promisify(execFile)('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])
}

async function holdLock (t: Test, { server }: World): Promise<() => void> {
  const holder = startChild(t, './hold-database.js', join(server.dataDir, 'ecluse.db'))
  t.equal(await holder.line(), 'held')
  return () => { holder.tell('let go') }
}

const lastUserText = ({ body }: RecordedRequest) => body?.messages.findLast(({ role }) => role === 'user')?.content?.split('\n')[0]

/** Processes that were given this data directory. */
function processesOf (dataDir: string): number[] {
  if (!onLinux) return []
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
    try { return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`DATA_DIR=${dataDir}`) } catch { return false }
  })
}

async function play (t: Test, server: TestServer, model: World['model'], scenario: ScenarioCase): Promise<void> {
  const world = new World(server, model, scenario)
  await playSteps(world, {
    ...own,
    hold_db_lock: async (world, { ms }) => {
      const release = await holdLock(t, world)
      setTimeout(release, ms)
    }
  })
  await checkSentences(t, scenario, checks, world)
  for (const stream of world.streams.values()) await stream.close()
  await world.log()
}

const env = { MODEL_MAX_RETRIES: '1', MODEL_RETRY_BASE_MS: '10', MODEL_API_KEY: secret, LOG_LEVEL: 'debug', RESUME_RUNS: 'off', TZ: 'Asia/Tokyo' }

test('operations, as they went wrong elsewhere', async (t) => {
  const model = await startModelServer(t)
  const server = await startServer(t, { model: model.baseUrl, env })
  for (const scenario of loadScenarios('e-ops.jsonl').filter(({ id }) => id !== 'e-18')) {
    const skip = skipped[scenario.id] ?? (scenario.id === 'e-03' && !onLinux && 'needs prlimit')
    await t.test(`${scenario.id} ${scenario.title}`, { skip }, async (t) => { await play(t, server, model, scenario) })
  }
})

test('operations with a clock that jumps', async (t) => {
  const [scenario] = loadScenarios('e-ops.jsonl').filter(({ id }) => id === 'e-18')
  const model = await startModelServer(t)
  const server = await startServer(t, { model: model.baseUrl, env: { ...env, NODE_OPTIONS: `--import ${new URL('./shifted-clock.js', import.meta.url).href}` } })
  if (scenario !== undefined) await t.test(`${scenario.id} ${scenario.title}`, async (t) => { await play(t, server, model, scenario) })
})

interface DiskCase {
  readonly id: string
  readonly title: string
  readonly input: { readonly kind: string, readonly files: readonly CaseFile[], readonly call: CaseCall }
  readonly expect: Expectation
}

/** A file system of the test's own, in a namespace of its own: nothing of it stays. */
const inSmallDisk = ['-Urm', 'sh', '-c', 'mount -t tmpfs -o size=64k tmpfs "$1" && shift && exec "$@"', 'sh']
const canMount = (directory: string): boolean => spawnSync('unshare', [...inSmallDisk, directory, 'true']).status === 0

for (const { id, title, input, expect } of loadLines<DiskCase>('e-ops.jsonl').filter(({ input }) => input.kind === 'file_tool')) {
  test(`${id} ${title}`, { skip: !canMount(tmpdir()) && 'no file system can be mounted here' }, async (t) => {
    const directory = t.testdir({})
    const child = fileURLToPath(new URL('./full-disk-child.js', import.meta.url))
    const printed = execFileSync('unshare', [...inSmallDisk, directory, process.execPath, child, directory, JSON.stringify(input)], { encoding: 'utf8' })
    const { outcome, before, after } = JSON.parse(printed) as { outcome: { ok: boolean, code: string, message: string }, before: object, after: object } // what the child prints
    t.equal(outcome.ok, expect.ok)
    t.equal(outcome.code, ourCode(input.call.tool, expect.code ?? '') === 'io_error' ? 'disk_full' : expect.code)
    for (const word of expect.message_contains ?? []) t.ok(outcome.message.includes(word), outcome.message)
    t.strictSame(after, before, 'the file is as it was, and no other is there')
  })
}
