import { repeatedCallsMax } from '../limits.ts'
import { runError, endRun } from './settle.ts'
import { overBudget } from './budget.ts'
import { environmentNote } from './environment.ts'
import { isPaused, openCalls, type ActiveRun, type EventDraft, type SessionState } from './state.ts'
import { workedMs } from './reduce.ts'
import { isLooping } from './repeats.ts'

/** What there is to do for a session. */
export type NextStep =
  /** Follows from the log alone: it goes into the same append as what led to it. */
  | { readonly type: 'append', readonly events: readonly EventDraft[] }
  | { readonly type: 'settle_cancel' }
  | { readonly type: 'set_prompt', readonly reason: 'first_run' | 'model_switch' }
  | { readonly type: 'call_model' }
  | { readonly type: 'handle_calls' }
  /** Somebody has to decide first. */
  | { readonly type: 'wait' }
  | { readonly type: 'rest' }

/** Pure. `now` RFC 3339. */
export function nextStep (state: SessionState, now: string): NextStep {
  if (state.ended) return { type: 'rest' }
  const run = state.run
  if (run === null) return startNext(state, now)
  if (run.cancelRequested) return { type: 'settle_cancel' }
  if (isPaused(run)) return { type: 'wait' }
  if (workedMs(run, now) >= run.limits.runTimeoutMs && !run.calls.some((call) => call.status === 'started')) {
    return append(endRun(run, failed('run_timeout', `The run worked for ${run.limits.runTimeoutMs} ms, its limit.`, 'Send a message to go on, or raise limits.runTimeoutMs.'), now))
  }
  if (openCalls(run).length > 0) return { type: 'handle_calls' }
  if (run.answered) return append(endAnswered(run, now))
  if (isLooping(run)) return append(endRun(run, looped(), now))
  if (run.steps >= run.limits.maxSteps) return append(endRun(run, { status: 'completed', finishReason: 'max_steps' }, now))
  if (overBudget(state, run)) return append(endRun(run, { status: 'completed', finishReason: 'budget' }, now))
  if (state.promptModel === null) return { type: 'set_prompt', reason: 'first_run' }
  if (state.promptModel !== run.model) return { type: 'set_prompt', reason: 'model_switch' }
  return { type: 'call_model' }
}

function startNext (state: SessionState, now: string): NextStep {
  const run = state.queue[0]
  if (run === undefined) return { type: 'rest' }
  return append([{
    type: 'run_start',
    runId: run.runId,
    messageId: run.messageId,
    resumed: false,
    limits: run.limits,
    environment: environmentNote(state, now)
  }])
}

function endAnswered (run: ActiveRun, now: string): EventDraft[] {
  switch (run.finishReason) {
    case 'length':
      return endRun(run, failed('model_output_limit', 'The model\'s answer was cut at its output limit.', 'Ask it to go on.'), now)
    case 'content_filter':
      return endRun(run, failed('content_filter', 'The provider\'s content filter stopped the answer.'), now)
    case 'stop': case 'tool_calls': case 'cancelled': case 'error': case null:
      return endRun(run, { status: 'completed', finishReason: 'stop' }, now)
    default: return run.finishReason satisfies never
  }
}

function failed (code: Parameters<typeof runError>[0], detail: string, suggestion: string | null = null) {
  return { status: 'failed', finishReason: 'error', error: runError(code, detail, suggestion) } as const
}

function looped () {
  const error = runError('loop_detected', `The model made the same call ${repeatedCallsMax} times in a row and got the same result each time.`, 'Say in a message what it should do instead.')
  return { status: 'failed', finishReason: 'loop_detected', error } as const
}

function append (events: readonly EventDraft[]): NextStep {
  return { type: 'append', events }
}
