import type { SeenFile } from '../protocol/events.ts'
import type { Effect } from '../protocol/plan.ts'
import { sameState } from '../workspace/state.ts'
import type { ExecuteContext, Recognised, ToolResult } from './tool.ts'

/**
 * What a crash left of a call, told by its effects alone: all `after` hold, it was done; all `before` hold, it had not
 * begun; anything else is unknown.
 * @throws ToolFailure when a path cannot be looked at
 */
export async function recogniseByEffects (tool: string, effects: readonly Effect[], context: ExecuteContext): Promise<Recognised> {
  let done = true
  let notStarted = true
  for (const { path, before, after } of effects) {
    context.signal.throwIfAborted()
    const state = await context.workspace.state(context.workspace.parse(path))
    done &&= sameState(state, after)
    notStarted &&= sameState(state, before)
  }
  if (done) return { status: 'done', result: recognisedResult(tool, effects) }
  return { status: notStarted ? 'not_started' : 'unknown' }
}

/** The result of a call that was found done; its own words went with the process. */
export function recognisedResult (tool: string, effects: readonly Effect[]): ToolResult {
  return {
    content: `${tool} was done before the server restarted; what is there now was checked.`,
    diff: null,
    verified: true,
    truncated: false,
    seen: effects.flatMap(seenAfter)
  }
}

/** What the model knows of a file once an effect holds. */
export function seenAfter ({ path, before, after }: Effect): SeenFile[] {
  if (after.type === 'file') return [{ path, sha256: after.sha256 }]
  return after.type === 'absent' && before.type === 'file' ? [{ path, sha256: null }] : []
}
