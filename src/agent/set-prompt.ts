import { ToolFailure } from '../errors.ts'
import { instructionsLengthMax } from '../limits.ts'
import type { EventOf, ToolDeclaration } from '../protocol/events.ts'
import type { Tool } from '../tools/tool.ts'
import type { Drive } from './drive.ts'
import { renderPrompt } from './prompt.ts'
import type { ActiveRun, EventDraft, SessionState } from './state.ts'

/** Renders the prompt once and stores it; from then on it is sent as stored. */
export async function setPrompt (drive: Drive, reason: 'first_run' | 'model_switch'): Promise<void> {
  const draft = await preparePrompt(drive, reason)
  await drive.commit((state, run) => [draft(state, run)])
}

/** The prompt, to be stored with what it is made for. The same workspace, tools and instructions give the same bytes. */
export async function preparePrompt (drive: Drive, reason: EventOf<'prompt_set'>['reason']): Promise<(state: SessionState, run: ActiveRun) => EventDraft> {
  const agentsFile = await readAgentsFile(drive)
  const tools = [...drive.context.tools.values()]
  return (state, run) => ({
    type: 'prompt_set',
    runId: run.runId,
    reason,
    model: run.model,
    system: renderPrompt({
      tools: tools.map(declaration),
      dangerous: tools.filter((tool) => tool.dangerous).map((tool) => tool.name),
      instructions: state.instructions,
      agentsFile
    }),
    tools: tools.map(declaration)
  })
}

function declaration (tool: Tool): ToolDeclaration {
  // A schema's symbols and key order are TypeBox's own; what is stored and sent is plain JSON.
  return { name: tool.name, description: tool.description, parameters: JSON.parse(JSON.stringify(tool.parameters)) as ToolDeclaration['parameters'] }
}

/** The workspace's own instructions; a missing or unreadable file is no fault of the run. */
async function readAgentsFile (drive: Drive): Promise<string | null> {
  try {
    const workspace = await drive.workspace()
    const { bytes } = await workspace.read(workspace.parse('AGENTS.md'), { maxBytes: instructionsLengthMax })
    return new TextDecoder('utf-8').decode(bytes).trim() || null
  } catch (error) {
    if (error instanceof ToolFailure) return null
    throw error
  }
}
