import path from 'node:path'
import type { Logger } from 'pino'
import type { Parts } from './app.ts'
import { steadyClock } from './clock.ts'
import type { Config } from './config.ts'
import type { CrashPoint } from './agent/agent-context.ts'
import { createAgent } from './agent/create-agent.ts'
import { maxStepsDefault, runTimeoutMsDefault, streamRetryMs } from './limits.ts'
import { createModels } from './model/models.ts'
import type { Capability } from './routes/operations.ts'
import { resourceRoutes } from './routes/resource-routes.ts'
import { lockDataDir } from './store/data-dir-lock.ts'
import type { EventLog } from './store/event-log.ts'
import { openSqliteLog, type SqliteLogOptions } from './store/sqlite/open-sqlite-log.ts'
import { EventStreams } from './streams/event-streams.ts'
import { commandTools } from './tools/command-tools.ts'
import { fileTools } from './tools/table.ts'
import type { CommandRunner } from './workspace/commands/command-runner.ts'
import { operatorLimits } from './workspace/commands/default-limits.ts'
import { openCommandRunner } from './workspace/commands/open-command-runner.ts'
import { sandboxOwner } from './workspace/commands/sandbox-user.ts'
import type { Tool } from './tools/tool.ts'
import { openWorkspaces } from './workspace/open-workspaces.ts'
import { createFileSearch } from './workspace/search/file-search.ts'

/** Where a test build kills the process, and what it breaks on purpose so that a checker has something to find. */
export interface CrashHooks {
  readonly agent?: (point: CrashPoint) => void
  readonly workspace?: (point: string) => void
  readonly store?: SqliteLogOptions['crashAt']
  readonly wrapLog?: (log: EventLog) => EventLog
  readonly tools?: readonly Tool[]
}

/**
 * Opens what stands behind the HTTP edge, in the order in which each needs the one before; `close` goes the other way.
 * @throws Error when the data directory is in use or cannot be used
 */
export async function compose (config: Config, logger: Logger, onFatal: (error: Error) => void, crash: CrashHooks = {}): Promise<Parts> {
  const closers: Array<() => Promise<void>> = []
  const close = async (): Promise<void> => { for (const closer of closers.splice(0).reverse()) await closer() }
  try {
    const lock = await lockDataDir(config.dataDir)
    closers.push(() => lock.release())
    const owner = sandboxOwner()
    const workspaces = await openWorkspaces(config.dataDir, {
      ioUring: config.ioUring,
      ...(owner === null ? {} : { owner }),
      quota: { bytes: config.ceilings.workspaceBytes, files: config.ceilings.workspaceFiles },
      ...(crash.workspace === undefined ? {} : { checkpoint: crash.workspace })
    })
    closers.push(() => workspaces.close())
    // Both wait for something outside of this thread: a thread of its own, a sandbox that is tried.
    const opening = {
      store: openSqliteLog({
        path: path.join(config.dataDir, 'ecluse.db'), onFailure: onFatal, ...(crash.store === undefined ? {} : { crashAt: crash.store })
      }),
      runner: openCommandRunner({ dataDir: config.dataDir, network: config.policy.network, limits: operatorLimits(config.ceilings.command) })
    }
    closers.push(...Object.values(opening).map((part) => async () => { await (await part.catch(() => null))?.close() }))
    const [store, runner] = await Promise.all([opening.store, opening.runner])
    const log = crash.wrapLog?.(store) ?? store
    const search = createFileSearch(runner, { dataDir: config.dataDir })
    const models = createModels(config.model)
    closers.push(() => models.close())
    const agent = createAgent({
      log,
      models,
      tools: crash.tools ?? [...fileTools, ...commandTools(runner, search)],
      workspaces,
      serverPolicy: { mode: config.policy.mode ?? 'ask', rules: config.policy.rules },
      limits: {
        maxSteps: Math.min(maxStepsDefault, config.ceilings.maxSteps),
        maxTokens: config.ceilings.maxTokens,
        maxCostUsd: null,
        runTimeoutMs: Math.min(runTimeoutMsDefault, config.ceilings.runTimeoutMs),
        approvalTimeoutMs: config.approvalTimeoutMs
      },
      ceilings: config.ceilings,
      activeRunsMax: config.ceilings.maxActiveRuns,
      logBytesMax: config.ceilings.logBytes,
      resumeRuns: config.resumeRuns,
      disconnectGraceMs: config.disconnectGraceMs,
      logger,
      now: steadyClock(),
      ...(crash.agent === undefined ? {} : { checkpoint: crash.agent })
    })
    await agent.prepare()
    const streams = new EventStreams({ heartbeatMs: config.heartbeatMs, streamsMax: config.ceilings.maxStreams })
    return {
      routes: (app) => { app.register(resourceRoutes, { service: agent, streams }) },
      start: () => agent.start(),
      ready: async () => await log.nextExpiryAt().then(
        () => ({ ready: true, reason: null }), () => ({ ready: false, reason: 'The store does not answer.' })),
      capabilities: [{
        name: 'run_command',
        available: runner.status.available,
        reason: runner.status.available ? null : `${runner.status.reason} ${runner.status.advice}`
      }, ...networkCapability(runner, config.policy.network.length > 0)],
      metrics: () => ({ active_runs: agent.activeRuns(), live_sessions: agent.liveSessions(), open_streams: streams.count }),
      stop: async (timeoutMs) => {
        // Runs first: what their tools still do is told to those who listen.
        await agent.stop(timeoutMs * runsShare)
        await streams.endAll(streamRetryMs, timeoutMs * (1 - runsShare))
      },
      close
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Told only where the operator has opened one. */
function networkCapability ({ status, network }: CommandRunner, opened: boolean): Capability[] {
  if (!opened) return []
  return [{ name: 'run_command_network', available: network.destinations.length > 0 && status.available, reason: network.fault ?? (status.available ? null : 'Commands cannot be run.') }]
}

const runsShare = 0.8 // of the time to stop; the rest is for readers to take their last bytes
