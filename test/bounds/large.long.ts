import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import process from 'node:process'
import { test } from 'tap'
import * as limits from '../../src/limits.ts'
import { Purger } from '../../src/agent/purger.ts'
import { openSqliteLog } from '../../src/store/sqlite/open-sqlite-log.ts'
import { treeMemory } from '../../src/workspace/commands/process-tree.ts'
import { openCommandSession } from '../commands/command-session.ts'
import { commandToolSession } from '../commands/command-tool-session.ts'
import type { JsonObject } from '../../src/protocol/common.ts'
import { goesOn, start } from '../edge/unwilling-log.ts'
import { callModel, customModels } from '../model/call-model.ts'
import { startFiles } from '../files/file-server.ts'
import { anEvent, appendTo } from '../store/sample.ts'
import { eventually } from '../support/eventually.ts'
import { openSession, sessionId } from '../workspace/open-session.ts'
import { logWith } from './log-with.ts'
import { toolSession } from '../tools/tool-session.ts'

test('manifestEntriesMax: what is beyond it in a directory does not count into its state', async (t) => {
  const { workspace, directory } = await toolSession(t)
  mkdirSync(join(directory, 'd'))
  writeFileSync(join(directory, 'f'), '')
  const add = (name: string) => { symlinkSync('f', join(directory, 'd', name)) }
  for (let n = 0; n < limits.manifestEntriesMax - 1; n++) add(String(n))
  const state = async () => JSON.stringify(await workspace.state(workspace.parse('d')))
  const before = await state()
  add('x')
  const full = await state()
  t.not(full, before, 'the last that counts')
  add('y')
  t.equal(await state(), full, 'the first that does not')
})

test('diffFilesMax, diffTextBytesMax: a patch of more files is 422, and a larger file is told as binary', async (t) => {
  const { server, session, directory } = await startFiles(t)
  const diff = async () => await server.get<{ code: string }>(`/sessions/${session}/diff`, { headers: { accept: 'text/x-diff' } })
  writeFileSync(join(directory, 'a'), 'x'.repeat(limits.diffTextBytesMax))
  t.notMatch((await diff()).text, /GIT binary patch/)
  writeFileSync(join(directory, 'a'), 'x'.repeat(limits.diffTextBytesMax + 1))
  t.match((await diff()).text, /GIT binary patch/)
  execFileSync('bash', ['-c', `cd "$0" && seq 2 ${limits.diffFilesMax} | xargs touch`, directory])
  t.equal((await diff()).status, 200)
  writeFileSync(join(directory, 'one-more'), '')
  t.match(await diff(), { json: { code: 'diff_too_large' } })
})

test('modelLateEndMs, modelKeepAliveMs: an answer that is whole ends, whatever still comes, and an idle connection is closed', async (t) => {
  const delta = (part: object, reason: string | null = null) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: part, finish_reason: reason }] })}\n\n`
  let connections = 0
  let endless = true
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(delta({ content: 'x' }) + delta({}, 'stop'))
    if (!endless) {
      response.end('data: [DONE]\n\n')
      return
    }
    const timer = setInterval(() => { response.write(': still here\n\n') }, 100)
    response.once('close', () => { clearInterval(timer) })
  }).on('connection', () => { connections++ })
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const address = server.address()
  const { model } = customModels(t, `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`, { totalTimeoutMs: 60_000 })
  const { answer, ms } = await callModel(model)
  t.match(answer, { text: 'x', finishReason: 'stop' })
  t.ok(ms >= limits.modelLateEndMs - 100 && ms < limits.modelLateEndMs + 5_000, `${Math.round(ms)} ms`)
  endless = false
  await callModel(model)
  const before = connections
  await callModel(model)
  t.equal(connections, before, 'kept')
  await new Promise((resolve) => { setTimeout(resolve, limits.modelKeepAliveMs + 1_000) })
  await callModel(model)
  t.equal(connections, before + 1, 'closed')
})

test('probeTimeoutMs, sandboxStartMs: a sandbox that does not answer is given up, and ended', async (t) => {
  const fake = join(t.testdir({}), 'bwrap')
  writeFileSync(fake, '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 })
  const began = performance.now()
  const { runner } = await openCommandSession(t, { bwrap: fake })
  const took = performance.now() - began
  t.equal(runner.status.available, false)
  t.ok(took >= limits.probeTimeoutMs && took < 3 * (limits.probeTimeoutMs + limits.sandboxStartMs), `${Math.round(took)} ms`)
})

test('treeProcessesMax: of a tree with more processes so many are counted', async (t) => {
  const count = limits.treeProcessesMax + 8
  const child = spawn('sh', ['-c', `for i in $(seq ${count}); do sleep 60 & done; echo up; wait`], { stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  t.teardown(() => { if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL') })
  await once(child.stdout, 'data')
  const { pid = 0 } = child
  await new Promise((resolve) => { setTimeout(resolve, 1_000) }) // for all of them to be what they will be
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  t.equal(children.length, count)
  const resident = (pid: number | string) => Number(/^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  const all = [pid, ...children].reduce<number>((sum, pid) => sum + resident(pid), 0)
  t.ok(treeMemory(pid) < all)
  t.ok(treeMemory(pid) > all * (limits.treeProcessesMax - 50) / count)
})

test('queuedAppendBytesMax: an append that makes more wait than this is refused', async (t) => {
  const log = await openSqliteLog({ path: join(t.testdir(), 'events.db') })
  const json = JSON.stringify({ type: 'files_changed', text: 'x'.repeat(4 * 1024 ** 2) })
  const append = async () => await log.append(appendTo('ses_1', 1, { events: [anEvent('ses_1', 2, { json })] })) // of a log that is not there
  const results = await Promise.allSettled(Array.from({ length: Math.ceil(limits.queuedAppendBytesMax / json.length) + 1 }, append))
  t.same([...new Set(results.slice(0, -2).map(({ status }) => status))], ['fulfilled'])
  t.match(results.at(-1), { status: 'rejected', reason: { code: 'storage_unavailable' } })
  t.match(await append(), { status: 'conflict' })
  await log.close()
})

test('searchEntriesMax, searchTimeoutMs, searchWorkerGraceMs: a search without a sandbox looks at so many entries, in so much time', async (t) => {
  const { call, directory } = await commandToolSession(t, { bwrap: '/nonexistent/bwrap' })
  execFileSync('bash', ['-c', `cd "$0" && mkdir a && cd a && seq -w ${limits.searchEntriesMax - 2} | xargs touch`, directory])
  writeFileSync(join(directory, 'y'), 'needle')
  const timed = async (tool: string, args: JsonObject) => {
    const began = performance.now()
    const { text } = await call(tool, args)
    t.ok(performance.now() - began < limits.searchTimeoutMs + limits.searchWorkerGraceMs + 5_000, tool)
    return text
  }
  const slow = /Stopped after 5000 ms/ // also right, on a busy host
  t.match(await timed('find_files', { pattern: 'y' }), new RegExp(`^y$|${slow.source}`))
  writeFileSync(join(directory, 'z'), 'needle')
  t.match(await timed('find_files', { pattern: 'z' }), new RegExp(`Not all was looked through|${slow.source}`))
  t.match(await timed('search_files', { pattern: 'needle', glob: 'z' }), new RegExp(`Not all was searched|${slow.source}`))
})

test('logBufferLength: more log lines than are kept, on a full disk, end nothing', { skip: process.platform !== 'linux' && 'there is no /dev/full' }, async (t) => {
  t.testdir({})
  await goesOn(t, await start(t, '/dev/full'), Math.ceil(1.5 * limits.logBufferLength / 150)) // a line has more than 150 characters
})

test('purgedEventsPerStep, purgeRetryMs: a deleted session is removed so many events at a time, and again after that was refused', async (t) => {
  const { workspaces, dataDir } = await openSession(t)
  const asked: Array<{ limit: number, at: number }> = []
  const log = await logWith(t, {
    purge: async (_sessionId, limit) => {
      asked.push({ limit, at: performance.now() })
      if (asked.length === 1) throw new Error('the store refuses')
      return asked.length === 3
    }
  }, dataDir)
  const purger = new Purger(log, workspaces, { warn: () => {} })
  purger.purge(sessionId)
  await eventually(async () => asked.length === 3, limits.purgeRetryMs + 5_000)
  t.same(asked.map(({ limit }) => limit), Array.from({ length: 3 }, () => limits.purgedEventsPerStep))
  const [first, second] = asked.map(({ at }) => at)
  t.ok((second ?? 0) - (first ?? 0) > limits.purgeRetryMs - 100)
  await purger.stop()
})
