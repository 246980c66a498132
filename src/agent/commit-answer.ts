import { safeCallsAtOnce } from '../limits.ts'
import { Drafting } from './drafting.ts'
import type { CallArguments, Drive } from './drive.ts'
import { sortOut } from './plan-step.ts'
import { beginCalls, commitCalls, noCalls, seeThrough, type BegunCalls } from './safe-calls.ts'
import type { CallState, EventDraft } from './state.ts'

export type AnswerDraft = Extract<EventDraft, { type: 'assistant_message' }>

/**
 * Commits the model's answer. Where it asks for nothing but safe calls they begin at once, and what is quick stands in
 * the same append: a step that only looks costs one. An answer that is there is kept whole, also when the run is to be
 * cancelled: it has been paid for.
 */
export async function commitAnswer (drive: Drive, answer: AnswerDraft): Promise<void> {
  const calls = await lookAhead(drive, answer)
  const result = await commitCalls(drive, calls, [answer])
  drive.context.checkpoint('answered')
  await seeThrough(drive, calls, result)
}

/** None where the next step has more to do than to act on them, or cannot: it is that step which fails then. */
async function lookAhead (drive: Drive, answer: AnswerDraft): Promise<BegunCalls> {
  if (answer.calls.length === 0 || answer.calls.length > safeCallsAtOnce || drive.run?.runId !== answer.runId) return noCalls
  const { state } = new Drafting(drive.live.id, drive.state, drive.context.sessions.now()).add(answer)
  if (state?.run == null) return noCalls
  try {
    const { usable, rejected } = await sortOut(drive, state.run, argumentsIn(answer))
    if (rejected.length > 0 || usable.some(({ tool }) => tool.dangerous)) return noCalls
    return await beginCalls(drive, usable, state)
  } catch {
    return noCalls
  }
}

function argumentsIn (answer: AnswerDraft): (call: CallState) => Promise<CallArguments> {
  return async ({ callId }) => {
    const made = answer.calls.find((call) => call.callId === callId)
    return { arguments: made?.arguments ?? {}, invalid: made?.invalidArguments ?? null }
  }
}
