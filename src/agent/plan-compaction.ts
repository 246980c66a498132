import { compactedResultMin } from '../limits.ts'
import type { EventOf } from '../protocol/events.ts'
import { sizeOf, type ConversationEntry } from './conversation.ts'

/** How the conversation is made shorter. */
export interface CompactionPlan {
  readonly replacedResults: EventOf<'compaction'>['replacedResults']
  /** A summary stands in for what came up to here; null: the notes are enough. */
  readonly throughSeq: number | null
}

export interface CompactionAim {
  /** Characters that no compaction takes away. */
  readonly fixed: number
  /** Of the summary that stands there now. */
  readonly summary: number
  /** Characters that the request should have at most. */
  readonly target: number
  /** Characters that a new summary may have. */
  readonly summaryMax: number
  /** The run whose request stays as it was said. */
  readonly runId: string
}

const gainMin = 0.05 // of the whole; less is not worth the loss of the cached prefix

/**
 * Decides what goes: first the results of older steps, oldest first; then, summarised, the oldest turns and steps; last
 * the results of the current step. A call and its results stay together. Pure.
 * @returns null when nothing that is worth it can go
 */
export function planCompaction (entries: readonly ConversationEntry[], aim: CompactionAim): CompactionPlan | null {
  const before = aim.fixed + aim.summary + sizeOf(entries)
  const current = currentStep(entries)
  const notes = new Map<string, string>()
  let size = before
  const replace = (entry: ConversationEntry): void => {
    const note = noteFor(entry)
    if (size <= aim.target || note === null || entry.message.role !== 'tool') return
    notes.set(entry.message.callId, note)
    size -= entry.size - note.length
  }

  for (const entry of entries.slice(0, current)) replace(entry)
  const cut = size > aim.target ? chooseCut(entries, current, notes, aim) : null
  const kept = cut === null ? entries : entries.filter((entry) => stays(entry, cut, aim.runId))
  if (cut !== null) size = aim.fixed + aim.summaryMax + sizeOf(shortened(kept, notes))
  for (const entry of [...entries.slice(current)].sort((a, b) => b.size - a.size)) replace(entry)
  if (size > before * (1 - gainMin)) return null
  return {
    replacedResults: kept.flatMap(({ message }) => {
      const note = message.role === 'tool' ? notes.get(message.callId) : undefined
      return message.role === 'tool' && note !== undefined ? [{ callId: message.callId, note }] : []
    }),
    throughSeq: cut
  }
}

/** Where the step begins whose results the model has not seen yet, or the turn that has no step yet. */
function currentStep (entries: readonly ConversationEntry[]): number {
  const last = entries.findLastIndex(({ message }) => message.role !== 'tool')
  return Math.max(last, 0)
}

/** The least that has to go for the rest to fit; all that came before the current step when it does not fit. */
function chooseCut (entries: readonly ConversationEntry[], current: number, notes: ReadonlyMap<string, string>, aim: CompactionAim): number | null {
  const seqs = [...new Set(entries.slice(0, current).map(({ seq }) => seq))]
  const useful = seqs.filter((cut) => entries.some((entry) => !stays(entry, cut, aim.runId)))
  const fits = (cut: number): boolean =>
    aim.fixed + aim.summaryMax + sizeOf(shortened(entries.filter((entry) => stays(entry, cut, aim.runId)), notes)) <= aim.target
  return useful.find(fits) ?? useful.at(-1) ?? null
}

function stays ({ seq, runId, message }: ConversationEntry, cut: number, currentRun: string): boolean {
  return seq > cut || (message.role === 'user' && runId === currentRun)
}

function shortened (entries: readonly ConversationEntry[], notes: ReadonlyMap<string, string>): ConversationEntry[] {
  return entries.map((entry) => {
    const note = entry.message.role === 'tool' ? notes.get(entry.message.callId) : undefined
    return note === undefined ? entry : { ...entry, size: note.length }
  })
}

function noteFor ({ message, size }: ConversationEntry): string | null {
  if (message.role !== 'tool' || size < compactedResultMin) return null
  return `[This result of ${size} characters was taken out to make room. Make the call again if you need it, for a smaller part if you can.]`
}
