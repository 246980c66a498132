import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { createAgent } from '../../src/agent/create-agent.ts'
import * as limits from '../../src/limits.ts'
import { createModels } from '../../src/model/models.ts'
import type { EventLog } from '../../src/store/event-log.ts'
import { openSqliteLog } from '../../src/store/sqlite/open-sqlite-log.ts'
import { openWorkspaces } from '../../src/workspace/open-workspaces.ts'
import { caller } from '../support/agent.ts'

/** Puts an archive in a process of its own and, at the named point, is killed without warning. */
const [dataDir = '', sessionId = '', file = '', point = ''] = process.argv.slice(2)
const die = (reached: string) => { if (reached === point) process.kill(process.pid, 'SIGKILL') }

const log = await openSqliteLog({ path: join(dataDir, 'ecluse.db') })
const dying: EventLog = Object.create(log, {
  append: {
    value: async (...args: Parameters<EventLog['append']>) => {
      const result = await log.append(...args)
      die('archive_logged')
      return result
    }
  }
}) as EventLog
const agent = createAgent({
  log: dying,
  models: createModels({ ...timeouts(), defaultName: 'demo', providers: {}, demoWordDelayMs: 0 }),
  tools: [],
  workspaces: await openWorkspaces(dataDir, { checkpoint: die }),
  serverPolicy: { mode: 'ask', rules: [] },
  limits: { maxSteps: 1, maxTokens: null, maxCostUsd: null, runTimeoutMs: 1_000, approvalTimeoutMs: null },
  ceilings: { maxSteps: 1, runTimeoutMs: 1_000, maxTokens: null },
  activeRunsMax: 1,
  disconnectGraceMs: 1_000,
  logBytesMax: limits.logBytesMax,
  resumeRuns: true,
  logger: pino({ level: 'silent' }),
  now: () => new Date().toISOString()
})
await agent.files.writeArchive(sessionId, bytes(readFileSync(file)), caller, new AbortController().signal)

async function * bytes (body: Buffer): AsyncGenerator<Uint8Array> { yield body }

function timeouts () {
  return { connectTimeoutMs: 1_000, firstByteTimeoutMs: 1_000, idleTimeoutMs: 1_000, totalTimeoutMs: 1_000, maxRetries: 0, retryBaseMs: 1, maxRetryWaitMs: 1 }
}
