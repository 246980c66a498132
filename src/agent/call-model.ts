import { performance } from 'node:perf_hooks'
import { ModelError, type ModelAnswer, type ModelPart } from '../model/model.ts'
import { unknownUsage } from '../protocol/common.ts'
import { commitAnswer, type AnswerDraft } from './commit-answer.ts'
import { compactForOverflow, compactForWindow } from './compact.ts'
import type { AssistantPrivate } from './conversation.ts'
import type { Drive } from './drive.ts'
import { Drafting } from './drafting.ts'
import { newId } from './ids.ts'
import { endRun, runError } from './settle.ts'
import type { ActiveRun, EventDraft, SessionState } from './state.ts'

/** One step's model call, from the conversation to `assistant_message`. */
export async function callModel (drive: Drive): Promise<void> {
  const run = drive.run
  if (run === null) return
  const model = drive.context.models.get(run.model)
  if (model === undefined) {
    await fail(drive, new ModelError('model_not_found', `This server offers no model ${run.model}.`, { suggestion: 'GET /models lists them.' }), null)
    return
  }
  const conversation = await drive.conversation()
  const messageId = newId('msg')
  const startedAt = performance.now()
  const elapsed = (): number => Math.round(performance.now() - startedAt)
  try {
    if (await compactForWindow(drive, model, conversation)) return
    const stream = model.stream(conversation.request(), drive.signal)
    let next = await stream.next()
    while (next.done !== true) {
      for (const part of next.value) tell(drive, run.runId, messageId, part)
      next = await stream.next()
    }
    await commitAnswer(drive, complete(run, messageId, next.value, elapsed()))
  } catch (error) {
    if (drive.signal.aborted) await keepPartial(drive, messageId, elapsed())
    else if (error instanceof ModelError) {
      // Sending the same again cannot work; the step begins again with less.
      if (error.code === 'context_overflow' && await compactForOverflow(drive, model, conversation)) return
      await fail(drive, error, { messageId, durationMs: elapsed() })
    } else throw error
  } finally {
    drive.live.preview.dropMessage()
  }
}

function tell (drive: Drive, runId: string, messageId: string, part: ModelPart): void {
  const { live } = drive
  switch (part.type) {
    case 'text': live.tell(live.preview.text(runId, messageId, part.text)); break
    case 'reasoning': live.tell(live.preview.reasoning(runId, messageId, part.text)); break
    case 'call': live.tell(live.preview.call(runId, messageId, part.index, part.tool, part.text)); break
    case 'retry':
      live.preview.dropMessage()
      live.tell({ type: 'retry', sessionId: live.id, runId, messageId, attempt: part.attempt, delayMs: part.delayMs, code: part.code, detail: part.detail })
      break
    default: part satisfies never
  }
}

function complete (run: ActiveRun, messageId: string, answer: ModelAnswer, durationMs: number): AnswerDraft {
  const hidden: AssistantPrivate | null = answer.echo === null ? null : { echo: answer.echo }
  return {
    type: 'assistant_message',
    runId: run.runId,
    messageId,
    text: answer.text,
    reasoning: answer.reasoning,
    calls: answer.calls.map((call) => ({ callId: newId('call'), ...call })),
    finishReason: answer.finishReason,
    usage: answer.usage,
    model: answer.model,
    durationMs,
    ...(hidden === null ? {} : { private: hidden })
  }
}

function incomplete (
  run: ActiveRun, messageId: string, partial: { text: string, reasoning: string }, finishReason: 'cancelled' | 'error', durationMs: number
): EventDraft {
  return {
    type: 'assistant_message',
    runId: run.runId,
    messageId,
    text: partial.text,
    reasoning: partial.reasoning,
    calls: [],
    finishReason,
    usage: unknownUsage,
    model: run.model,
    durationMs,
    incomplete: true
  }
}

/** What was shown of a message that is cut by a cancel or a time-out is kept; a restart makes the call again instead. */
async function keepPartial (drive: Drive, messageId: string, durationMs: number): Promise<void> {
  if (drive.signal.reason === 'shutdown') return
  const shown = drive.live.preview.snapshot().message
  if (shown === undefined || (shown.text === '' && shown.reasoning === '')) return
  await drive.commit((_state, run) => [incomplete(run, messageId, shown, 'cancelled', durationMs)])
}

/** The model failed for good: the run ends, what had arrived is kept. One append. */
async function fail (drive: Drive, error: ModelError, message: { messageId: string, durationMs: number } | null): Promise<void> {
  const failure = { status: 'failed', finishReason: 'error', error: runError(error.code, error.message, error.suggestion) } as const
  await drive.commit((state: SessionState, run, now) => {
    if (run.cancelRequested) return []
    const { text, reasoning } = error.partial
    const kept = message === null || (text === '' && reasoning === '')
      ? []
      : [incomplete(run, message.messageId, error.partial, 'error', message.durationMs)]
    const ending = new Drafting(state.sessionId, state, now).add(...kept).state?.run
    return ending ? [...kept, ...endRun(ending, failure, now)] : []
  })
}
