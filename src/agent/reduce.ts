import { unknownUsage } from '../protocol/common.ts'
import type { EventOf, SeenFile, SessionEvent } from '../protocol/events.ts'
import { callDigest, countEnd, editedDigest, repeatedResults } from './repeats.ts'
import { changedPathsMax, seenFilesMax } from '../limits.ts'
import { isPaused, type AcceptedRun, type ActiveRun, type CallState, type SessionState } from './state.ts'
import { addUsage } from './usage.ts'

/**
 * The fold of the log. Time comes from `event.at` alone.
 * @throws Error when the log is not a log of ours: it does not begin with `session_start`
 */
export function reduce (state: SessionState | null, event: SessionEvent): SessionState {
  if (event.type === 'session_start') return started(event)
  if (state === null) throw new Error('a log begins with session_start')
  const next = { ...apply(spent(state, event), event), seq: event.seq, updatedAt: event.at }
  return { ...next, run: next.run === null ? null : clocked(next.run, event.at) }
}

function apply (state: SessionState, event: Exclude<SessionEvent, { type: 'session_start' }>): SessionState {
  switch (event.type) {
    case 'session_update': return { ...state, ...event.changes }
    case 'session_end': return { ...state, ended: true }
    case 'prompt_set': return { ...state, promptModel: event.model }
    case 'user_message': return { ...state, queue: [...state.queue, accepted(event)] }
    case 'run_start': return event.resumed ? onRun(state, (run) => ({ ...run, resumes: run.resumes + 1 })) : runStarted(state, event)
    case 'assistant_message': return {
      ...onRun(state, (run) => answered(run, event)),
      usage: addUsage(state.usage, event.usage)
    }
    case 'approval_required': return onCall(progressed(state), event.callId, (call) => ({
      ...base(call),
      status: 'waiting',
      round: event.round,
      digest: event.digest,
      requiredSeq: event.seq,
      askedSeq: event.seq,
      requestedAt: event.at,
      expiresAt: event.expiresAt,
      ...(event.editedArguments === undefined ? {} : { argumentsSeq: event.seq, edited: true, callDigest: editedDigest(event.tool, event.editedArguments.arguments) })
    }))
    case 'approval_resolved': return onCall(progressed(state), event.callId, (call) => event.outcome === 'approved'
      ? { ...base(call), status: 'approved', digest: event.digest }
      : { ...base(call), status: 'new' })
    case 'tool_call_start': return onCall(state, event.callId, (call) => ({ ...base(call), status: 'started', startSeq: event.seq }))
    case 'tool_call_end': return {
      ...onCall(progressed(state), event.callId, (call, run) => ({ ...base(call), status: 'ended', ...countEnd(run, event) })),
      seen: remember(state.seen, event.seen ?? [])
    }
    case 'files_changed': {
      const paths = [...new Set([...state.changedFiles, ...event.paths])]
      return {
        ...state,
        changedFiles: paths.slice(0, changedPathsMax),
        changedFilesOmitted: state.changedFilesOmitted + event.omitted + Math.max(0, paths.length - changedPathsMax)
      }
    }
    case 'cancel_requested': return onRun(state, (run) => run.runId === event.runId ? { ...run, cancelRequested: true } : run)
    case 'compaction': {
      const { summary } = event
      return summary === null ? state : { ...onRun(state, (run) => ({ ...run, usage: addUsage(run.usage, summary.usage) })), usage: addUsage(state.usage, summary.usage) }
    }
    case 'run_end': return {
      ...state,
      run: state.run?.runId === event.runId ? null : state.run,
      queue: state.queue.filter((run) => run.runId !== event.runId)
    }
    default: return event satisfies never
  }
}

/** What planning a call has cost. */
function spent (state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'approval_required': case 'tool_call_start': case 'tool_call_end': break
    default: return state
  }
  const { usage } = event
  return usage === undefined ? state : { ...onRun(state, (run) => ({ ...run, usage: addUsage(run.usage, usage) })), usage: addUsage(state.usage, usage) }
}

function started (event: EventOf<'session_start'>): SessionState {
  return {
    sessionId: event.sessionId,
    seq: event.seq,
    externalId: event.externalId,
    title: event.title,
    model: event.model,
    instructions: event.instructions,
    policy: event.policy,
    limits: event.limits,
    metadata: event.metadata,
    usage: unknownUsage,
    createdBy: event.createdBy,
    createdAt: event.at,
    updatedAt: event.at,
    ended: false,
    promptModel: null,
    run: null,
    queue: [],
    changedFiles: [],
    changedFilesOmitted: 0,
    seen: []
  }
}

function accepted (event: EventOf<'user_message'>): AcceptedRun {
  return {
    runId: event.runId,
    messageId: event.messageId,
    firstSeq: event.seq,
    model: event.model,
    limits: event.limits,
    onApproval: event.onApproval,
    cancelOnDisconnect: event.cancelOnDisconnect,
    createdAt: event.at
  }
}

function runStarted (state: SessionState, event: EventOf<'run_start'>): SessionState {
  const queued = state.queue.find((run) => run.runId === event.runId)
  if (queued === undefined) return state
  return {
    ...state,
    queue: state.queue.filter((run) => run !== queued),
    changedFiles: [],
    changedFilesOmitted: 0,
    run: {
      ...queued,
      startedAt: event.at,
      steps: 0,
      usage: unknownUsage,
      calls: [],
      repeated: {},
      answered: false,
      text: null,
      finishReason: null,
      cancelRequested: false,
      workedMs: 0,
      workingSince: event.at,
      resumes: 0
    }
  }
}

function answered (run: ActiveRun, event: EventOf<'assistant_message'>): ActiveRun {
  return {
    ...run,
    steps: run.steps + 1,
    usage: addUsage(run.usage, event.usage),
    calls: event.calls.map((call) => ({
      callId: call.callId, tool: call.tool, argumentsSeq: event.seq, edited: false, callDigest: callDigest(call), round: 0, status: 'new'
    })),
    repeated: repeatedResults(run),
    answered: event.calls.length === 0 && event.incomplete === undefined,
    text: event.text === '' ? run.text : event.text,
    finishReason: event.finishReason,
    resumes: 0
  }
}

/** Counts working time: the clock stops while the run waits for a decision. */
function clocked (run: ActiveRun, at: string): ActiveRun {
  const paused = isPaused(run)
  if (paused === (run.workingSince === null)) return run
  if (!paused) return { ...run, workingSince: at }
  return { ...run, workingSince: null, workedMs: workedMs(run, at) }
}

/** Time that the run has worked until `at`, ms. */
export function workedMs (run: ActiveRun, at: string): number {
  return run.workedMs + (run.workingSince === null ? 0 : Math.max(0, Date.parse(at) - Date.parse(run.workingSince)))
}

/** What a restart cannot repeat by itself: the run is not what brings the server down. */
function progressed (state: SessionState): SessionState {
  return onRun(state, (run) => ({ ...run, resumes: 0 }))
}

function onRun (state: SessionState, change: (run: ActiveRun) => ActiveRun): SessionState {
  return state.run === null ? state : { ...state, run: change(state.run) }
}

function onCall (state: SessionState, callId: string, change: (call: CallState, run: ActiveRun) => CallState): SessionState {
  return onRun(state, (run) => ({ ...run, calls: run.calls.map((call) => call.callId === callId ? change(call, run) : call) }))
}

function base (call: CallState) {
  const { callId, tool, argumentsSeq, edited, callDigest, round, askedSeq } = call
  return { callId, tool, argumentsSeq, edited, callDigest, round, ...(askedSeq === undefined ? {} : { askedSeq }) }
}

/** The latest facts win; the oldest paths are forgotten, which only means that they are not checked. */
function remember (seen: SessionState['seen'], files: readonly SeenFile[]): SessionState['seen'] {
  if (files.length === 0) return seen
  const paths = new Map(seen)
  for (const { path, sha256 } of files) {
    paths.delete(path)
    paths.set(path, sha256)
  }
  return [...paths].slice(-seenFilesMax)
}
