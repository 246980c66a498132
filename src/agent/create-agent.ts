import type { Logger } from 'pino'
import { pageSizeMax } from '../limits.ts'
import type { Policy, RunLimits } from '../protocol/common.ts'
import type { Models } from '../model/model.ts'
import type { EventLog } from '../store/event-log.ts'
import type { Tool } from '../tools/tool.ts'
import type { Workspaces } from '../workspace/workspace.ts'
import { requireScope, visible } from './access.ts'
import { may } from './caller.ts'
import type { AgentContext, CrashPoint } from './agent-context.ts'
import { ApprovalService } from './approval-service.ts'
import { ArchiveService } from './archive-service.ts'
import { DiffService } from './diff-service.ts'
import { Disconnects } from './disconnects.ts'
import { Expiry } from './expiry.ts'
import { FileAccess } from './file-access.ts'
import { FilesService } from './files-service.ts'
import { KeySweep } from './key-sweep.ts'
import { tellLeftChanges } from './left-changes.ts'
import { Notices } from './notices.ts'
import { presentModel } from './present-model.ts'
import { Purger } from './purger.ts'
import type { LimitCeilings } from './resolve-limits.ts'
import { RunService } from './run-service.ts'
import { Runner } from './runner.ts'
import type { AgentService } from './service.ts'
import { SessionFeed } from './session-feed.ts'
import { SessionService } from './session-service.ts'
import { Sessions } from './sessions.ts'

export interface AgentOptions {
  readonly log: EventLog
  readonly models: Models
  readonly tools: readonly Tool[]
  readonly workspaces: Workspaces
  /** Rules and mode that no session can raise; a session without settings of its own gets the mode. */
  readonly serverPolicy: Policy
  readonly limits: RunLimits
  readonly ceilings: LimitCeilings
  readonly activeRunsMax: number
  /** Of one session, bytes; a session that has reached it takes nothing more, and its run ends. */
  readonly logBytesMax: number
  readonly resumeRuns: boolean
  /** `cancelOnDisconnect`: how long a run goes on when nobody follows it, ms. */
  readonly disconnectGraceMs: number
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>
  /** RFC 3339 with milliseconds, UTC. */
  readonly now: () => string
  /** A test build kills the process here. */
  readonly checkpoint?: (point: CrashPoint) => void
}

/** The agent, with `start` to take up what the last process left. */
export interface Agent extends AgentService {
  /** Makes workspaces whole that a crash left half changed: before anybody can ask for them, and before `start`. */
  prepare (): Promise<void>
  start (): Promise<void>
}

/** Composes the agent out of its parts. Nothing runs before `start`. */
export function createAgent (options: AgentOptions): Agent {
  const { log, models, workspaces, serverPolicy, logger } = options
  const sessions = new Sessions(log, options.now)
  const tools = new Map(options.tools.map((tool) => [tool.name, tool]))
  const context: AgentContext = { sessions, models, tools, workspaces, serverPolicy, logBytesMax: options.logBytesMax, logger, checkpoint: options.checkpoint ?? (() => {}) }
  const runner = new Runner(context, options)
  const expiry = new Expiry(sessions, logger)
  const purger = new Purger(log, workspaces, logger)
  const disconnects = new Disconnects(sessions, options.disconnectGraceMs)
  const notices = new Notices()
  const keySweep = new KeySweep(sessions, logger)
  const sessionService = new SessionService(context, { policy: { mode: serverPolicy.mode, rules: [] }, limits: options.limits, ceilings: options.ceilings }, runner, purger)
  const runService = new RunService(context, options.ceilings, runner)
  const approvalService = new ApprovalService(context)
  const access = new FileAccess(context)
  const fileService = new FilesService(access)
  const archiveService = new ArchiveService(access)
  const diffService = new DiffService(access)

  sessions.onLive = (live) => { live.onFollowed = (followed) => { disconnects.onFollowed(live, followed) } }
  sessions.onCommit = (notice) => {
    const { before, after, events, head } = notice
    // A queued run that is cancelled stops nothing: what runs is another's.
    if (events.some((event) => event.type === 'cancel_requested' && event.runId === before?.run?.runId)) runner.interrupt(after.sessionId)
    if (head.unsettled) runner.wake(after.sessionId)
    expiry.arm(head.nextExpiryAt)
    disconnects.onCommit(notice)
    notices.onCommit(notice)
    if (events.some((event) => event.type === 'run_end')) context.checkpoint('run_ended')
  }

  const left: string[] = []

  /** What the last process left unfinished: the cost is that of this, not of what is there. */
  async function listLeft (): Promise<void> {
    for (let ids: string[] | null = null; ids === null || ids.length === pageSizeMax;) {
      ids = await log.listUnsettled(left.at(-1) ?? null, pageSizeMax)
      left.push(...ids)
    }
  }

  async function recover (): Promise<void> {
    runner.begin(left)
    for (const sessionId of left.splice(0)) {
      const head = await log.readHead(sessionId)
      if (head?.ended === true) purger.purge(sessionId)
      else runner.wake(sessionId)
    }
  }

  return {
    prepare: async () => {
      await listLeft() // before anything is committed: what comes later is nothing that was left
      await tellLeftChanges(access)
      await archiveService.recover()
    },
    start: async () => {
      await recover()
      await expiry.start()
      keySweep.start()
    },
    createSession: (input, caller, idempotency) => sessionService.create(input, caller, idempotency),
    listSessions: (query, caller) => sessionService.list(query, caller),
    getSession: (sessionId, caller) => sessionService.get(sessionId, caller),
    updateSession: (sessionId, patch, caller) => sessionService.update(sessionId, patch, caller),
    deleteSession: (sessionId, caller) => sessionService.delete(sessionId, caller),
    postMessage: (sessionId, input, caller, idempotency) => runService.post(sessionId, input, caller, idempotency),
    listMessages: (sessionId, query, caller) => sessionService.messages(sessionId, query, caller),
    listEvents: (sessionId, after, limit, caller) => sessionService.events(sessionId, after, limit, caller),
    listRuns: (sessionId, query, caller) => runService.list(sessionId, query, caller),
    getRun: (sessionId, runId, caller) => runService.get(sessionId, runId, caller),
    waitForRun: (sessionId, runId, until, caller, signal) => runService.wait(sessionId, runId, until, caller, signal),
    cancelRun: (sessionId, runId, reason, caller) => runService.cancel(sessionId, runId, reason, caller),
    listApprovals: (query, caller) => approvalService.list(query, caller),
    getApproval: (callId, caller) => approvalService.get(callId, caller),
    decideApproval: (callId, input, caller) => approvalService.decide(callId, input, caller),
    openFeed: async (sessionId, caller) => {
      // A message's own stream comes with the scope to send it; the routes that only read ask for `read`.
      if (!may(caller, 'read')) requireScope(caller, 'run')
      const { live, release } = await sessions.hold(sessionId)
      try {
        visible(live.state, caller)
      } catch (error) {
        release()
        throw error
      }
      return new SessionFeed(live, log, release)
    },
    openNotices: (caller, listener) => {
      requireScope(caller, 'read')
      return notices.open(caller, listener)
    },
    files: {
      read: (sessionId, path, caller) => fileService.read(sessionId, path, caller),
      list: (sessionId, path, query, caller) => fileService.list(sessionId, path, query, caller),
      write: (sessionId, path, source, precondition, caller) => fileService.write(sessionId, path, source, precondition, caller),
      makeDirectory: (sessionId, path, caller) => fileService.makeDirectory(sessionId, path, caller),
      remove: (sessionId, path, options, caller) => fileService.remove(sessionId, path, options, caller),
      readArchive: (sessionId, caller) => archiveService.readArchive(sessionId, caller),
      writeArchive: (sessionId, source, caller, signal) => archiveService.writeArchive(sessionId, source, caller, signal),
      diff: (sessionId, caller, signal) => diffService.diff(sessionId, caller, signal)
    },
    listTools: () => options.tools.map(({ name, description, dangerous, parameters }) => ({
      name, description, dangerous, parameters: JSON.parse(JSON.stringify(parameters)) as Record<string, unknown> // a schema as plain JSON
    })),
    listModels: () => models.names.map((name) => presentModel(models, name)),
    activeRuns: () => runner.active,
    liveSessions: () => sessions.liveCount,
    stop: async (timeoutMs) => {
      expiry.stop()
      disconnects.stop()
      runService.stop()
      await runner.stop(timeoutMs)
      await purger.stop()
      await keySweep.stop()
    }
  }
}
