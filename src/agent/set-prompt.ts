import { ToolFailure } from '../errors.ts'
import { instructionsLengthMax } from '../limits.ts'
import type { EventOf, ToolDeclaration } from '../protocol/events.ts'
import type { Tool } from '../tools/tool.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { AgentContext } from './agent-context.ts'
import { Drafting } from './drafting.ts'
import type { Drive } from './drive.ts'
import { nextStep } from './next-step.ts'
import { renderPrompt } from './prompt.ts'
import type { ActiveRun, EventDraft, SessionState } from './state.ts'

type PromptReason = EventOf<'prompt_set'>['reason']

/** What becomes of a prompt once the run that it is for is known. */
export type PromptDraft = (state: SessionState, run: ActiveRun) => EventDraft

/** Renders the prompt once and stores it; from then on it is sent as stored. */
export async function setPrompt (drive: Drive, reason: PromptReason): Promise<void> {
  const draft = await preparePrompt(drive.context, await agentsFileOf(() => drive.workspace()), reason)
  await drive.commit((state, run) => [draft(state, run)])
}

/** The prompt, to be stored with what it is made for. The same AGENTS.md, tools and instructions give the same bytes. */
export function preparePrompt (context: AgentContext, agentsFile: string | null, reason: PromptReason): PromptDraft {
  const tools = [...context.tools.values()]
  const { declarations } = context
  return (state, run) => ({
    type: 'prompt_set',
    runId: run.runId,
    reason,
    model: run.model,
    system: renderPrompt({
      tools: declarations,
      dangerous: tools.filter((tool) => tool.dangerous).map((tool) => tool.name),
      instructions: state.instructions,
      agentsFile
    }),
    tools: [...declarations]
  })
}

/** A prompt that was prepared for the session as it was at `seq`. */
export interface PreparedPrompt { readonly seq: number, readonly draft: PromptDraft }

/** The prompt for a message that is about to be accepted: what its run would do first is stored with it. Null where the run needs none or waits. */
export async function promptAhead (context: AgentContext, state: SessionState, model: string): Promise<PreparedPrompt | null> {
  if (state.run !== null || state.queue.length > 0 || state.promptModel === model) return null
  let workspace: Workspace | null = null
  try {
    const agentsFile = await agentsFileOf(async () => (workspace = await context.workspaces.open(state.sessionId)))
    return { seq: state.seq, draft: preparePrompt(context, agentsFile, state.promptModel === null ? 'first_run' : 'model_switch') }
  } finally {
    await (workspace as Workspace | null)?.close() // the compiler does not see the assignment
  }
}

/**
 * Adds the start of the run and its prompt to what accepts a message, if that run is the next to start and wants one.
 * A session that has moved since may have other files: its run reads them again. Pure.
 */
export function withPrompt (state: SessionState | null, accepted: readonly EventDraft[], prompt: PreparedPrompt | null, now: string): readonly EventDraft[] {
  if (state === null || state.seq !== prompt?.seq) return accepted
  const drafting = new Drafting(state.sessionId, state, now).add(...accepted)
  const starting = drafting.state === null ? null : nextStep(drafting.state, now)
  if (starting?.type !== 'append') return accepted
  const started = drafting.add(...starting.events).state
  if (started?.run == null || nextStep(started, now).type !== 'set_prompt') return accepted
  return [...accepted, ...starting.events, prompt.draft(started, started.run)]
}

/** A tool as a model is told of it. */
export function declare (tool: Tool): ToolDeclaration {
  // A schema's symbols and key order are TypeBox's own; what is stored and sent is plain JSON.
  return { name: tool.name, description: tool.description, parameters: JSON.parse(JSON.stringify(tool.parameters)) as ToolDeclaration['parameters'] }
}

/** The workspace's own instructions; a missing or unreadable file or workspace is no fault of the run. */
export async function agentsFileOf (open: () => Promise<Workspace>): Promise<string | null> {
  try {
    const workspace = await open()
    const { bytes } = await workspace.read(workspace.parse('AGENTS.md'), { maxBytes: instructionsLengthMax })
    return new TextDecoder('utf-8').decode(bytes).trim() || null
  } catch (error) {
    if (error instanceof ToolFailure) return null
    throw error
  }
}
