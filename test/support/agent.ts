import { join } from 'node:path'
import { pino } from 'pino'
import type { Test } from 'tap'
import { createAgent, type Agent, type AgentOptions } from '../../src/agent/create-agent.ts'
import type { Caller } from '../../src/agent/caller.ts'
import { checkLog } from '../../src/agent/check-log.ts'
import * as limits from '../../src/limits.ts'
import { createModels, type ModelsConfig } from '../../src/model/models.ts'
import type { SessionEvent } from '../../src/protocol/events.ts'
import type { Approval, CreateMessage, Run } from '../../src/protocol/resources.ts'
import { openSqliteLog } from '../../src/store/sqlite/open-sqlite-log.ts'
import { fileTools } from '../../src/tools/table.ts'
import { openWorkspaces } from '../../src/workspace/open-workspaces.ts'

export { eventually } from './eventually.ts'

export const caller: Caller = { name: 'test', keyId: null, scopes: new Set(['admin']) }

export interface TestAgent {
  readonly agent: Agent
  readonly dataDir: string
  /** The log of a session, checked against the law. */
  events (sessionId: string): Promise<SessionEvent[]>
  /** Sends a message and waits until the run settles or asks. */
  say (sessionId: string, content: string, options?: Partial<CreateMessage>): Promise<Run>
  waitFor (run: Run, until: 'end' | 'pause'): Promise<Run>
  /** The approvals that wait, in the order of the calls. */
  pending (sessionId: string): Promise<Approval[]>
  close (): Promise<void>
}

export type TestAgentOptions = Partial<AgentOptions> & {
  dataDir?: string
  modelsConfig?: Partial<ModelsConfig>
  /** What a request does that comes when the server listens already. */
  beforeStart?: (agent: Agent) => Promise<void>
}

/**
 * The real agent on a real SQLite log, real directories and models over real HTTP, without the HTTP edge.
 * Closed at the end of the test, when every log is checked against the law.
 */
export async function startAgent (t: Test, modelUrl: string | null, options: TestAgentOptions = {}): Promise<TestAgent> {
  const dataDir = options.dataDir ?? t.testdir()
  const workspaces = await openWorkspaces(dataDir)
  const log = await openSqliteLog({ path: join(dataDir, 'ecluse.db') })
  const models = createModels({
    defaultName: modelUrl === null ? 'demo' : 'custom/test',
    providers: modelUrl === null ? {} : { custom: { baseUrl: modelUrl, apiKey: 'model-key-0123456789' } },
    connectTimeoutMs: 2_000,
    firstByteTimeoutMs: 5_000,
    idleTimeoutMs: 5_000,
    totalTimeoutMs: 20_000,
    maxRetries: 1,
    retryBaseMs: 10,
    maxRetryWaitMs: 100,
    demoWordDelayMs: 0,
    ...options.modelsConfig
  })
  const agent = createAgent({
    log,
    models,
    tools: fileTools,
    workspaces,
    serverPolicy: { mode: 'ask', rules: [] },
    limits: { maxSteps: 20, maxTokens: null, maxCostUsd: null, runTimeoutMs: limits.runTimeoutMsDefault, approvalTimeoutMs: null },
    ceilings: { maxSteps: limits.maxStepsMax, runTimeoutMs: limits.runTimeoutMsMax, maxTokens: null },
    activeRunsMax: limits.activeRunsMax,
    logBytesMax: limits.logBytesMax,
    resumeRuns: true,
    disconnectGraceMs: limits.disconnectGraceMsDefault,
    logger: pino({ level: 'silent' }),
    now: () => new Date().toISOString(),
    ...options
  })
  await agent.prepare()
  await options.beforeStart?.(agent)
  await agent.start()
  const sessions = new Set<string>()

  async function events (sessionId: string): Promise<SessionEvent[]> {
    sessions.add(sessionId)
    const all: SessionEvent[] = []
    for (let after = 0; ;) {
      const page = await agent.listEvents(sessionId, after, 200, caller)
      all.push(...page.items)
      if (page.nextCursor === null) break
      after = Number(page.nextCursor)
    }
    const faults = checkLog(all)
    if (faults.length > 0) throw new Error(`the law of the log does not hold:\n${faults.join('\n')}`)
    return all
  }

  let closed = false
  async function close (): Promise<void> {
    if (closed) return
    closed = true
    try {
      for (const sessionId of sessions) await events(sessionId).catch((error: Error & { code?: string }) => { if (error.code !== 'session_not_found') throw error })
    } finally {
      await agent.stop(1_000)
      await models.close()
      await log.close()
      await workspaces.close()
    }
  }
  t.teardown(close)
  return {
    agent,
    dataDir,
    events,
    close,
    say: async (sessionId, content, options = {}) => {
      sessions.add(sessionId)
      const { run } = await agent.postMessage(sessionId, { content, ...options }, caller, null)
      return await agent.waitForRun(sessionId, run.id, 'pause', caller, AbortSignal.timeout(10_000))
    },
    waitFor: async (run, until) => await agent.waitForRun(run.sessionId, run.id, until, caller, AbortSignal.timeout(10_000)),
    pending: async (sessionId) => [...(await agent.listApprovals({ status: 'pending', sessionId, cursor: null, limit: 50 }, caller)).items].reverse()
  }
}
