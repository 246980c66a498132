import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import type { Run, Session } from '../../src/protocol/resources.ts'
import type { RunLimits } from '../../src/protocol/common.ts'
import { resolveLimits } from '../../src/agent/resolve-limits.ts'
import { startServer } from '../support/server.ts'

const MiB = 1024 ** 2

test('the operator\'s ceilings of runs and commands', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'ecluse-ceilings-')) // commands may run as another user, who must get there
  t.teardown(() => { rmSync(directory, { recursive: true, force: true }) })
  chmodSync(directory, 0o711)
  const server = await startServer(t, { dataDir: join(directory, 'data'), env: { MAX_TOKENS: '5000', COMMAND_TIMEOUT_MS: '700', COMMAND_MEMORY_BYTES: String(100 * MiB), COMMAND_PROCESSES: '10' } })
  const { json: session } = await server.post<Session>('/sessions', { policy: { mode: 'auto', rules: [] } })

  await t.test('MAX_TOKENS: a run has so many, and can only ask for fewer', async (t) => {
    t.equal(session.limits.maxTokens, 5_000)
    for (const maxTokens of [5_001, null]) {
      t.match(await server.post('/sessions', { limits: { maxTokens } }), { status: 400, json: { code: 'invalid_request', errors: [{ pointer: '/limits/maxTokens' }] } })
    }
    t.match(await server.post('/sessions', { limits: { maxTokens: 100 } }), { status: 201, json: { limits: { maxTokens: 100 } } })
  })

  const run = async (command: string) => {
    const { json } = await server.post<{ run: Run }>(`/sessions/${session.id}/messages?until=end`, { content: `run ${command}` })
    const { json: events } = await server.get<{ items: Array<{ type: string, runId?: string, ok?: boolean, content?: string, error?: { error: string } }> }>(`/sessions/${session.id}/events?limit=200`)
    return events.items.find((event) => event.type === 'tool_call_end' && event.runId === json.run.id)
  }
  const { json: tools } = await server.get<{ items: Array<{ name: string, description: string }> }>('/tools')
  const tool = tools.items.find(({ name }) => name === 'run_command')
  if (tool === undefined) { t.pass('needs a sandbox', { skip: 'no sandbox' }); return }

  await t.test('COMMAND_TIMEOUT_MS: the longest time of a command, also of one that asks for none', async (t) => {
    t.match(tool.description, /Stopped after timeoutMs \(700 when left out\)/)
    t.match(await run('sleep 5'), { ok: false, error: { error: /stopped after [789]\d\d ms/ } })
  })

  await t.test('COMMAND_PROCESSES: the kernel gives a command no more', async (t) => {
    t.match(await run('ulimit -u'), { content: /^10$/m })
  })

  await t.test('COMMAND_MEMORY_BYTES: a command that takes more is stopped or refused', async (t) => {
    const end = await run('head -c 300000000 /dev/zero | tail -c 250000000 | wc -c')
    t.match(end?.ok === true ? end.content : end?.error?.error, /100 MiB of memory|memory exhausted|cannot allocate/i)
  })
})

test('a session from a time of higher ceilings runs within those of today; only who asks for more is refused', async (t) => {
  const standard: RunLimits = { maxSteps: 100, maxTokens: null, maxCostUsd: null, runTimeoutMs: 60_000, approvalTimeoutMs: null }
  const ceilings = { maxSteps: 10, maxTokens: 1_000, runTimeoutMs: 5_000 }
  t.same(resolveLimits(standard, undefined, ceilings), { ...standard, maxSteps: 10, maxTokens: 1_000, runTimeoutMs: 5_000 })
  t.same(resolveLimits(standard, { maxSteps: 3 }, ceilings).maxSteps, 3)
  t.throws(() => resolveLimits(standard, { maxSteps: 11 }, ceilings), { code: 'invalid_request' })
  t.same(resolveLimits(standard, undefined, { ...ceilings, maxTokens: null }).maxTokens, null)
})
