import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { test } from 'tap'
import * as limits from '../../src/limits.ts'
import type { Session } from '../../src/protocol/resources.ts'
import { loadConfig } from '../../src/config.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { caller, startAgent } from '../support/agent.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { startServer } from '../support/server.ts'

test('what an operator and a client do not say', async (t) => {
  const server = await startServer(t)
  const { json: session, headers } = await server.post<Session>('/sessions', {})

  await t.test('maxStepsDefault, runTimeoutMsDefault: a session that names no limits has these', (t) => {
    t.match(session.limits, { maxSteps: limits.maxStepsDefault, runTimeoutMs: limits.runTimeoutMsDefault })
    t.end()
  })

  await t.test('keepAliveTimeoutMs: a client is told how long an idle connection stays', (t) => {
    t.equal(headers['keep-alive'], `timeout=${limits.keepAliveTimeoutMs / 1_000}`)
    t.end()
  })

  await t.test('listenBacklog: so many connections wait to be accepted, or what the system allows', { skip: !hasSs() && 'no ss here' }, (t) => {
    const line = execFileSync('ss', ['-ltnH', `sport = :${new URL(server.url).port}`]).toString().trim().split(/\s+/)
    t.equal(Number(line[2]), Math.min(limits.listenBacklog, Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))))
    t.end()
  })

  await t.test('directoryPageDefault: a directory is listed in pages of so many entries', async (t) => {
    for (let n = 0; n <= limits.directoryPageDefault; n++) writeFileSync(join(server.dataDir, 'workspaces', session.id, String(n)), '')
    const { json } = await server.get<{ entries: unknown[], nextCursor: string | null }>(`/sessions/${session.id}/files/`)
    t.equal(json.entries.length, limits.directoryPageDefault)
    t.type(json.nextCursor, 'string')
  })

  await t.test('archiveSyncsAtOnce: an archive of more files than are synced at once arrives whole', async (t) => {
    const other = (await server.post<Session>('/sessions', {})).json.id
    const names = Array.from({ length: limits.archiveSyncsAtOnce * 3 + 1 }, (_, n) => `f${n}`)
    const scratch = t.testdir(Object.fromEntries(names.map((name) => [name, name])))
    const body = execFileSync('tar', ['-czf', '-', '-C', scratch, '.'])
    t.match(await server.request('PUT', `/sessions/${other}/archive`, { body }), { status: 200, json: { files: names.length } })
    for (const name of names) t.equal(readFileSync(join(server.dataDir, 'workspaces', other, name), 'utf8'), name)
  })
})

test('the configuration begins with the bounds', (t) => {
  const config = loadConfig({ DATA_DIR: tmpdir() }, tmpdir())
  t.match(config, {
    heartbeatMs: limits.heartbeatMsDefault,
    disconnectGraceMs: limits.disconnectGraceMsDefault,
    shutdownTimeoutMs: limits.shutdownTimeoutMs,
    model: {
      connectTimeoutMs: limits.modelConnectTimeoutMs,
      firstByteTimeoutMs: limits.modelFirstByteTimeoutMs,
      idleTimeoutMs: limits.modelIdleTimeoutMs,
      totalTimeoutMs: limits.modelTotalTimeoutMs,
      maxRetries: limits.modelRetriesDefault,
      retryBaseMs: limits.modelRetryBaseMs,
      maxRetryWaitMs: limits.modelRetryWaitMsMax
    }
  })
  t.end()
})

test('safeCallsAtOnce: so many safe calls of a step run side by side; the next wait for them', async (t) => {
  let running = 0
  let most = 0
  const tool = defineTool({
    name: 'count',
    description: 'Counts.',
    parameters: Type.Object({ n: Type.Integer() }),
    dangerous: false,
    prepare: async () => ({ paths: [] }),
    async execute () {
      most = Math.max(most, ++running)
      await new Promise((resolve) => { setTimeout(resolve, 30) })
      running--
      return { content: 'ok', diff: null, verified: null, truncated: false, seen: [] }
    }
  })
  const model = await startModelServer(t)
  await model.script([{ tool_calls: Array.from({ length: limits.safeCallsAtOnce * 2 + 1 }, (_, n) => ({ id: `c${n}`, name: 'count', arguments: { n } })) }, { text: 'done' }])
  const { agent, say } = await startAgent(t, model.baseUrl, { tools: [tool] })
  const { session } = await agent.createSession({}, caller, null)
  t.match(await say(session.id, 'go'), { status: 'completed', text: 'done' })
  t.equal(most, limits.safeCallsAtOnce)
})

test('compactionReserveShare, compactionTargetShare, summaryLengthMin: where the answer has no bound a share of the window is kept for it, and a compaction leaves room', async (t) => {
  const contextWindow = 10_000
  const model = await startModelServer(t)
  const room = contextWindow * (1 - limits.compactionReserveShare)
  const { agent, say, events } = await startAgent(t, model.baseUrl, { modelsConfig: { settings: { 'custom/test': { contextWindow } } } })
  const compactions = async (counted: number) => {
    await model.reset()
    const { session } = await agent.createSession({}, caller, null)
    // The summary is asked for once; what it says is cut where it has to be.
    await model.script([{ text: 'first', usage: { prompt_tokens: counted, completion_tokens: 0 } }, { text: 's'.repeat(20_000) }, { text: 'third' }])
    await say(session.id, 'x'.repeat(20_000))
    await say(session.id, 'next')
    return { log: (await events(session.id)).flatMap((event) => event.type === 'compaction' ? [event] : []), requests: await model.requests() }
  }
  t.same((await compactions(room - 200)).log, [])
  const { log: [compaction], requests } = await compactions(room + 1)
  t.match(compaction, { reason: 'window' })
  const last = requests.at(-1)?.body?.messages ?? []
  const size = JSON.stringify(last).length
  t.ok(size < JSON.stringify(requests[0]?.body?.messages).length * (1 - limits.compactionTargetShare / 2), `${size} characters are left`)
  t.ok((compaction?.summary?.text.length ?? 0) >= limits.summaryLengthMin)
})

function hasSs (): boolean {
  try {
    execFileSync('ss', ['-V'])
    return true
  } catch {
    return false
  }
}
