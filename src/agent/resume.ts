import { ToolFailure } from '../errors.ts'
import { stopsMax } from '../limits.ts'
import { findTool } from '../tools/find-tool.ts'
import type { Recognised, Tool } from '../tools/tool.ts'
import { fromStored } from './sessions.ts'
import type { Drive } from './drive.ts'
import { callEnd, execute, failedCall, succeededCall } from './execute-call.ts'
import { planCall, type UsableCall } from './plan-step.ts'
import { callFailed, endRun, runError } from './settle.ts'
import type { CallState, EventDraft } from './state.ts'

type StartedCall = Extract<CallState, { status: 'started' }>

/**
 * Takes up a run whose server died. Says so in the log, then finds out what became of the calls that had started:
 * file effects are recognised by what is there, and finished or begun where they are not; nothing is done twice.
 * A run that does not go on, because nobody wants that or because it is what brings the server down, begins nothing.
 */
export async function resume (drive: Drive, resumeRuns: boolean): Promise<void> {
  const run = drive.run
  if (run === null) return
  // Each resume followed a stop, and the stop that led here was one more.
  const goesOn = resumeRuns && run.resumes + 1 < stopsMax
  if (goesOn) {
    await drive.commit((_state, run) => run.cancelRequested
      ? []
      : [{ type: 'run_start', runId: run.runId, messageId: run.messageId, resumed: true, limits: run.limits, environment: null }])
  }
  for (const call of run.calls) if (call.status === 'started') await recover(drive, call, goesOn)
  await drive.context.workspaces.emptyStaging(drive.live.id)
  if (!goesOn) {
    const detail = resumeRuns
      ? `The server stopped ${stopsMax} times in a row while this run was active.`
      : 'The server stopped while this run was active.'
    await drive.commit((_state, run, now) => run.cancelRequested
      ? []
      : endRun(run, { status: 'failed', finishReason: 'error', error: runError('interrupted', detail, 'Send a message to go on.') }, now))
  }
}

async function recover (drive: Drive, call: StartedCall, goesOn: boolean): Promise<void> {
  const found = findTool(drive.context.tools, call.tool)
  const outcome = 'error' in found ? null : await recognise(drive, call, found.tool, goesOn)
  await drive.commit((_state, run) => [outcome ?? interrupted(run.runId, call)])
}

/** Null: nobody can tell what became of it. */
async function recognise (drive: Drive, call: StartedCall, tool: Tool, goesOn: boolean): Promise<EventDraft | null> {
  const stored = await drive.context.sessions.log.readEvent(drive.live.id, call.startSeq)
  const start = stored === null ? null : fromStored(stored)
  const run = drive.run
  if (start?.type !== 'tool_call_start' || run === null) return null
  const usable: UsableCall = { call, tool, arguments: (await drive.arguments(call)).arguments }
  try {
    if (tool.dangerous) {
      const found = await tool.recognise(usable.arguments, start.effects, await drive.executeContext(run.runId, call.callId)).catch(unknownIfRefused)
      if (found.status === 'done') return succeededCall(run.runId, usable, usable.arguments, found.result, 0)
      if (found.status === 'unknown') return null
    }
    // A cancel starts nothing; an effect that is not there was not started.
    if (run.cancelRequested) return callFailed(run.runId, call, 'cancelled', 'The run was cancelled. Nothing was done.')
    if (!goesOn) return callFailed(run.runId, call, 'not_run', 'The server stopped before this call did anything, and the run has ended. Nothing was done.')
    // Only now: what is half done was recognised, what was staged for it is not needed any more.
    await drive.context.workspaces.emptyStaging(drive.live.id)
    const planned = await planCall(drive, usable, new Map(), true)
    if (planned instanceof ToolFailure) return failedCall(run.runId, usable, planned, 0, drive.planning.spent(call.callId))
    if (tool.dangerous && planned.plan.digest !== start.digest) return null
    return callEnd(run.runId, await execute(drive, usable, planned.plan))
  } catch (error) {
    if (error instanceof ToolFailure) return failedCall(run.runId, usable, error, 0)
    throw error
  }
}

/** A path that cannot be looked at tells nothing of what was done to it. */
function unknownIfRefused (error: unknown): Recognised {
  if (error instanceof ToolFailure) return { status: 'unknown' }
  throw error
}

function interrupted (runId: string, call: CallState): EventDraft {
  return callFailed(runId, call, 'interrupted', 'The server stopped while this call ran; whether it took effect is not known.',
    'Look at what is there before you go on; do not repeat the call blindly.')
}
