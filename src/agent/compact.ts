import { compactionReserveShare, compactionTargetShare, overflowCompactionsMax, summaryInputMax, summaryLengthMax, summaryLengthMin } from '../limits.ts'
import { ModelError, type Model } from '../model/model.ts'
import { unknownUsage, type Usage } from '../protocol/common.ts'
import type { EventOf } from '../protocol/events.ts'
import type { Conversation } from './conversation.ts'
import type { Drive } from './drive.ts'
import { planCompaction } from './plan-compaction.ts'
import { agentsFileOf, preparePrompt } from './set-prompt.ts'
import { plainSummary, summaryRequest, summaryText } from './summarise.ts'

/**
 * Makes the conversation shorter before it would overflow the model's context window, once before each answer.
 * @returns whether it did: then the step begins again
 */
export async function compactForWindow (drive: Drive, model: Model, conversation: Conversation): Promise<boolean> {
  const { contextWindow, maxOutputTokens } = model
  if (contextWindow === null || conversation.compactions > 0) return false
  const reserve = Math.min(maxOutputTokens ?? contextWindow * compactionReserveShare, contextWindow / 2)
  const room = contextWindow - reserve
  const { tokens, size } = conversation
  if (tokens <= room) return false
  return await compact(drive, model, conversation, 'window', size * room / tokens)
}

/** The same when the provider says that the request is too long. @returns false when nothing more can be done */
export async function compactForOverflow (drive: Drive, model: Model, conversation: Conversation): Promise<boolean> {
  if (conversation.compactions >= overflowCompactionsMax) return false
  return await compact(drive, model, conversation, 'overflow', conversation.size)
}

type Reason = EventOf<'compaction'>['reason']

/** @param room characters; what of it the prompt leaves is used by half afterwards */
async function compact (drive: Drive, model: Model, conversation: Conversation, reason: Reason, room: number): Promise<boolean> {
  const runId = drive.run?.runId
  if (runId === undefined) return false
  const { entries, fixedSize, summary: earlier } = conversation
  const free = Math.max(room - fixedSize, 0) * compactionTargetShare
  const target = fixedSize + free
  const summaryMax = Math.min(summaryLengthMax, Math.max(free / 4, summaryLengthMin))
  const plan = planCompaction(entries, { fixed: fixedSize, summary: earlier?.length ?? 0, target, summaryMax, runId })
  if (plan === null) return false
  const { throughSeq, replacedResults } = plan
  const summary = throughSeq === null ? null : await summarise(drive, model, conversation, reason, throughSeq, { input: Math.min(summaryInputMax, free), output: summaryMax })
  if (summary === 'too_long') return false
  const prompt = preparePrompt(drive.context, await agentsFileOf(() => drive.workspace()), 'compaction')
  await drive.commit((state, run) => run.cancelRequested ? [] : [{ type: 'compaction', runId: run.runId, reason, replacedResults, summary }, prompt(state, run)])
  return true
}

type Summary = NonNullable<EventOf<'compaction'>['summary']>

/** By the model; where it fails, without it. `too_long`: it cannot take even that, and would not take the rest. */
async function summarise (
  drive: Drive, model: Model, conversation: Conversation, reason: Reason, throughSeq: number, max: { input: number, output: number }
): Promise<Summary | 'too_long'> {
  const entries = conversation.entries.filter(({ seq }) => seq <= throughSeq)
  let text = ''
  let usage: Usage = unknownUsage
  try {
    const stream = model.stream(summaryRequest(entries, conversation.summary, max.input), drive.signal)
    let next = await stream.next()
    while (next.done !== true) next = await stream.next()
    text = next.value.text
    usage = next.value.usage
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    if (error.code === 'context_overflow' && reason === 'overflow') return 'too_long'
    drive.context.logger.warn({ sessionId: drive.live.id, code: error.code }, 'the model could not summarise the conversation')
  }
  const words = text.trim() === '' ? plainSummary(entries, conversation.summary, max.output) : text.slice(0, max.output)
  return { throughSeq, text: summaryText(words), usage }
}
