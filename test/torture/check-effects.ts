import type { EventOf, SessionEvent } from '../../src/protocol/events.ts'
import type { PlannedToolCall } from '../support/plan-model.ts'
import { FileTree } from './file-tree.ts'
import type { DecisionNote, SessionNotes } from './notes.ts'

type Say = (fault: string) => void
type Count = (name: string, by?: number) => void

interface Made { readonly call: PlannedToolCall, readonly decision: DecisionNote | null }

/** What the tools say about files that are not as the call needs them; the tree tells whether that is so. */
const fileCodes = ['not_found', 'no_match', 'not_unique', 'already_exists', 'invalid_path', 'changed', 'not_empty', 'is_directory', 'not_directory']

const dangerousTools = ['write_file', 'edit_file', 'move_file', 'delete_file']

/**
 * Does in a tree what the log says was done, in its order, with the arguments that the clients sent, and compares it with
 * the disk. So an effect that is missing, doubled, half done or nobody's shows, and so does one that was not allowed.
 */
export function checkEffects (session: SessionNotes, events: readonly SessionEvent[], disk: FileTree | null, say: Say, count: Count): void {
  const tree = new FileTree()
  const made = new Map<string, Made>()
  const steps = new Map<string, number>()
  const settled = new Map(events.flatMap((event) => event.type === 'run_end' ? [[event.runId, event.status] as const] : []))
  for (const event of events) {
    switch (event.type) {
      case 'assistant_message': noteCalls(session, event, steps, made, say); break
      case 'tool_call_start': {
        const decision = made.get(event.callId)?.decision ?? null
        if (dangerousTools.includes(event.tool) && decision?.status !== 'approved') say(`seq ${event.seq}: ${event.tool} started, and its answer was ${decision?.status ?? 'none'}`)
        break
      }
      case 'tool_call_end': {
        const call = made.get(event.callId)
        if (call === undefined) break // noted as a fault of its message
        const fault = event.ok ? applied(tree, call.call) : refused(tree, call, event, settled.get(event.runId) ?? null)
        if (fault !== null) say(`seq ${event.seq}: ${event.tool} ${JSON.stringify(call.call.arguments).slice(0, 200)}: ${fault}`)
        count(event.ok ? `calls done: ${event.tool}` : `calls refused: ${event.error?.code ?? ''}`)
        break
      }
      case 'approval_resolved': count(`answers: ${event.outcome}`); break
      case 'session_start': case 'session_update': case 'session_end': case 'prompt_set': case 'user_message': case 'run_start':
      case 'approval_required': case 'files_changed': case 'cancel_requested': case 'compaction': case 'run_end': break
      default: event satisfies never
    }
  }
  if (disk === null) say('it has no workspace')
  else compare(tree, disk, say, count)
}

/** The calls of a message are those that its client planned, in the log as the model made them. */
function noteCalls (session: SessionNotes, event: EventOf<'assistant_message'>, steps: Map<string, number>, made: Map<string, Made>, say: Say): void {
  if (event.calls.length === 0) return
  const step = steps.get(event.runId) ?? 0
  steps.set(event.runId, step + 1)
  const planned = session.messages.find(({ runId }) => runId === event.runId)?.plan.steps[step] ?? []
  const asMade = event.calls.map(({ tool, arguments: args }) => ({ tool, arguments: args }))
  if (JSON.stringify(asMade) !== JSON.stringify(planned)) say(`seq ${event.seq}: the calls of step ${step} are not what the model made`)
  for (const { callId, tool, arguments: args } of event.calls) {
    const decision = session.decisions.findLast((decision) => decision.callId === callId) ?? null
    made.set(callId, { call: { tool, arguments: decision?.edited ?? args }, decision })
  }
}

function applied (tree: FileTree, call: PlannedToolCall): string | null {
  const problem = tree.apply(call)
  return problem === null || isFolderCall(call) ? null : `it was done, and could not be: ${problem}`
}

function refused (tree: FileTree, { call, decision }: Made, end: EventOf<'tool_call_end'>, run: EventOf<'run_end'>['status'] | null): string | null {
  const code = end.error?.code ?? ''
  switch (code) {
    case 'denied': return decision?.status === 'denied' ? null : 'nobody denied it'
    case 'approval_expired': return decision === null || decision.status === 'expired' ? null : `it expired, and its answer was ${decision.status}`
    case 'cancelled': return run === 'cancelled' ? null : 'its run was not cancelled'
    case 'not_run': return run === 'failed' ? null : 'its run went on'
    case 'interrupted': return 'what became of it was not found out'
    default:
      if (!fileCodes.includes(code)) return JSON.stringify(end.error)
      // A file that others have changed since the model saw it is not written over.
      if (code === 'changed' && call.tool === 'write_file' && tree.files.has(String(call.arguments['path']))) return null
      return isFolderCall(call) || tree.copy().apply(call) !== null ? null : `it could be done, and was not: ${JSON.stringify(end.error)}`
  }
}

/** A call that was cut leaves the folders that it made for its file: what can be done with them is not foreseen. */
function isFolderCall ({ tool, arguments: args }: PlannedToolCall): boolean {
  const path = String(args['from'] ?? args['path'] ?? '')
  return (tool === 'move_file' || tool === 'delete_file') && !path.endsWith('.txt')
}

function compare (tree: FileTree, disk: FileTree, say: Say, count: Count): void {
  count('files compared', disk.files.size)
  for (const [path, content] of disk.files) {
    const expected = tree.files.get(path)
    if (expected === undefined) say(`${path} is a file that nobody was allowed to write: ${content.slice(0, 80)}`)
    else if (expected !== content) say(`${path} is not as it should be: ${firstDifference(expected, content)}`)
  }
  for (const path of tree.files.keys()) if (!disk.files.has(path)) say(`${path} is missing`)
  for (const path of tree.directories) if (!disk.directories.has(path)) say(`the directory ${path} is missing`)
}

function firstDifference (expected: string, found: string): string {
  let at = 0
  while (at < expected.length && expected[at] === found[at]) at++
  return `from ${at} on ${JSON.stringify(found.slice(at, at + 60))} (${found.length} characters) instead of ${JSON.stringify(expected.slice(at, at + 60))} (${expected.length})`
}
