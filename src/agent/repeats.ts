import { repeatedCallsMax, repeatedCallsWarn } from '../limits.ts'
import type { EventOf, ToolCall } from '../protocol/events.ts'
import type { JsonObject } from '../protocol/common.ts'
import { withoutTiming } from '../tools/command-timing.ts'
import { canonicalJson, sha256 } from '../tools/digest.ts'
import type { ActiveRun, EventDraft } from './state.ts'

type CallEnd = Pick<EventOf<'tool_call_end'>, 'callId' | 'ok' | 'content' | 'error'>

/** Told at the end of a result. Always the same text: what a call came to is compared without it. */
export const repeatNote = `\n\nNote: this same call has now had this same result ${repeatedCallsWarn} times in a row or more. Calling again will not change it: do something else, or say what stands in the way.`

/** Stands for a call's tool and arguments in the state, which holds no arguments. */
export function callDigest (call: Pick<ToolCall, 'tool' | 'arguments' | 'invalidArguments'>): string {
  return short(canonicalJson([call.tool, call.arguments, call.invalidArguments?.text ?? null]))
}

/** A call after its arguments were edited by a person. */
export function editedDigest (tool: string, args: JsonObject): string {
  return callDigest({ tool, arguments: args })
}

/** How a call ended, and in how many steps in a row the same call ended like this, this step included. */
export function countEnd (run: ActiveRun, end: CallEnd): { result: string, times: number } {
  const call = run.calls.find(({ callId }) => callId === end.callId)
  const compared = (text: string): string => call?.tool === 'run_command' ? withoutTiming(withoutNote(text)) : withoutNote(text)
  const result = short(canonicalJson([call?.callDigest ?? '', end.ok ? compared(end.content ?? '') : { ...end.error, error: compared(end.error?.error ?? '') }]))
  return { result, times: (run.repeated[result] ?? 0) + 1 }
}

/** The results of the step that is over, by how often they came in a row. */
export function repeatedResults (run: ActiveRun): ActiveRun['repeated'] {
  return Object.fromEntries(run.calls.flatMap((call) => call.status === 'ended' ? [[call.result, call.times]] : []))
}

/** Every call of the step that is over has come to the same for too long: nothing new can follow. */
export function isLooping (run: ActiveRun): boolean {
  return run.calls.length > 0 && run.calls.every((call) => call.status === 'ended' && call.times >= repeatedCallsMax)
}

/** The end of a call as the model shall be told it: with a note when it has seen the same before. */
export function withRepeatNote (run: ActiveRun | null, draft: EventDraft): EventDraft {
  if (draft.type !== 'tool_call_end' || run === null || countEnd(run, draft).times < repeatedCallsWarn) return draft
  return draft.error === undefined
    ? { ...draft, content: withoutNote(draft.content ?? '') + repeatNote }
    : { ...draft, error: { ...draft.error, error: withoutNote(draft.error.error) + repeatNote } }
}

function withoutNote (text: string): string {
  return text.endsWith(repeatNote) ? text.slice(0, -repeatNote.length) : text
}

function short (text: string): string { return sha256(text).slice(0, 32) }
