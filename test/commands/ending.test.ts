import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { commandSession, processesWith, sessionId, within } from './command-session.ts'
import { killServer } from './kill-server.ts'

const child = new URL('./children/run-one.js', import.meta.url).pathname

/** Seconds that no other process on this host sleeps for. */
const sleepFor = (seconds: number): string => `${seconds}.${process.pid}`

test('45: a timeout ends what ignores signals and what has gone to the background', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const { outcome, durationMs } = await session.run(`trap "" TERM INT HUP; (setsid nohup sleep ${sleepFor(1045)} &); setsid bash -c "trap \\"\\" TERM; sleep ${sleepFor(1045)}" & sleep ${sleepFor(1045)}`, { timeoutMs: 700 })
  t.equal(outcome, 'timeout')
  t.ok(durationMs >= 700 && durationMs < 3_000, `${durationMs} ms`)
  t.ok(await within(1_000, () => processesWith(sleepFor(1045)).length === 0), 'nothing is left')
})

test('outputGraceMs: 46: a process in the background ends with the command, and does not hold it up', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const { outcome, exitCode, out, durationMs } = await session.run(`sleep ${sleepFor(1046)} & echo hi`)
  t.equal(outcome, 'exited')
  t.equal(exitCode, 0)
  t.equal(out, 'hi\n')
  t.ok(durationMs < 1_500, `${durationMs} ms`)
  t.ok(await within(1_000, () => processesWith(sleepFor(1046)).length === 0), 'nothing is left')
})

test('47: stopping the first process of the sandbox helps nobody', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const { outcome } = await session.run(`kill -STOP 1; kill -STOP $PPID; kill -9 -1; sleep ${sleepFor(1047)}`, { timeoutMs: 700 })
  t.equal(outcome, 'timeout')
  t.ok(await within(1_000, () => processesWith(sleepFor(1047)).length === 0), 'nothing is left')
})

test('48: a server that is killed takes its commands with it', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const server = spawn(process.execPath, [child, session.dataDir, `(setsid sleep ${sleepFor(1048)} &); sleep ${sleepFor(1048)}`], { env: {}, stdio: 'ignore' })
  const sleepers = (): number => processesWith(sleepFor(1048)).filter((pid) => pid !== server.pid).length
  t.ok(await within(30_000, () => sleepers() >= 3), 'it runs')
  server.kill('SIGKILL')
  t.ok(await within(1_000, () => sleepers() === 0), 'nothing is left')
})

test('48: a server that is killed while it makes sandboxes leaves nothing of them', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  t.same((await Promise.all([0, 6, 12].map(async (delayMs) => await killServer(session.dataDir, 6, delayMs)))).flat(), [])
})

test('59: cancelling ends the command and frees its place', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const controller = new AbortController()
  const running = session.run(`(setsid sleep ${sleepFor(1059)} &); sleep ${sleepFor(1059)}`, { signal: controller.signal })
  t.ok(await within(10_000, () => processesWith(sleepFor(1059)).length > 0), 'it runs')
  const startedAt = Date.now()
  controller.abort()
  t.equal((await running).outcome, 'cancelled')
  t.ok(Date.now() - startedAt < 1_000)
  t.ok(await within(1_000, () => processesWith(sleepFor(1059)).length === 0), 'nothing is left')
  t.equal((await session.run('echo next')).out, 'next\n')
})

test('59: a command that is cancelled while its sandbox is being made leaves nothing behind', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  for (let round = 0; round < 30; round++) {
    await session.run(`sleep ${sleepFor(1061)}`, { signal: AbortSignal.timeout(2 + round) })
  }
  t.ok(await within(3_000, () => processesWith(sleepFor(1061)).length === 0), 'nothing is left')
})

test('a command that is cancelled before it begins is not run', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const first = session.run('sleep 0.3')
  const controller = new AbortController()
  const second = session.run('touch ran', { signal: controller.signal })
  controller.abort()
  t.equal((await second).outcome, 'cancelled')
  t.equal((await session.run('touch late', { signal: AbortSignal.abort() })).outcome, 'cancelled')
  t.equal((await first).outcome, 'exited')
  t.notOk(existsSync(join(session.directory, 'ran')))
})

test('51: there is nothing to read from, so nothing waits for an answer', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const { exitCode, durationMs } = await session.run('read x; cat; exit 4')
  t.equal(exitCode, 4)
  t.ok(durationMs < 2_000)
})

test('commands of one session run one after the other, of all sessions as many as allowed', async (t) => {
  const session = await commandSession(t, { atOnce: 1 })
  if (session === null) return
  const ran = await Promise.all(['a', 'b', 'c'].map(async (name) => {
    return await session.run(`test -e busy && echo overlap; touch busy; sleep 0.1; rm busy; echo ${name} >> order`)
  }))
  t.same(ran.map(({ out }) => out), ['', '', ''])
  t.equal((await session.run('cat order')).out, 'a\nb\nc\n')
})

test('an exit code and a signal are told as they are', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const failed = await session.run('exit 1')
  t.same([failed.outcome, failed.exitCode, failed.signal], ['exited', 1, null], 'a failed command is no failed sandbox')
  const killed = await session.run('kill -KILL $$')
  t.same([killed.outcome, killed.exitCode, killed.signal], ['exited', 137, 'SIGKILL'])
})

test('a runner that is closed stops what runs and starts nothing more', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const running = session.run(`sleep ${sleepFor(1060)}`)
  t.ok(await within(10_000, () => processesWith(sleepFor(1060)).length > 0), 'it runs')
  await session.runner.close()
  t.equal((await running).outcome, 'cancelled')
  t.ok(await within(1_000, () => processesWith(sleepFor(1060)).length === 0))
  t.equal((await session.run('echo late')).outcome, 'sandbox_error')
})

test('a workspace that is gone is an error of the sandbox, not a command without one', async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const result = await session.runner.run(
    { sessionId: `${sessionId}0`, program: { type: 'shell', command: 'echo ran' }, cwd: session.workspace.parse('.'), timeoutMs: 5_000 },
    { signal: new AbortController().signal })
  t.equal(result.outcome, 'sandbox_error')
  t.equal(result.stdout.bytes, 0)
})
