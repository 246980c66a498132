import type { TObject } from '@sinclair/typebox'
import type { JsonObject } from '../protocol/common.ts'
import { checkArguments } from './check-arguments.ts'
import { planDigest } from './digest.ts'
import { completePreview } from './preview.ts'
import { recogniseByEffects } from './recognise.ts'
import type { Plan, Tool, ToolDefinition } from './tool.ts'

/** Makes a tool of what its file says: arguments checked before it sees them, the plan completed after. */
export function defineTool<P extends TObject> (definition: ToolDefinition<P>): Tool {
  const { name, description, parameters, dangerous } = definition
  const check = (args: JsonObject) => checkArguments(name, parameters, args)
  return {
    name,
    description,
    parameters,
    dangerous,
    seesPlanned: definition.seesPlanned ?? false,
    async prepare (args, context) {
      context.signal.throwIfAborted()
      const checked = check(args)
      const draft = await definition.prepare(checked, context)
      const effects = draft.effects ?? []
      return {
        tool: name,
        arguments: checked,
        paths: draft.paths,
        command: draft.command ?? null,
        effects,
        preview: completePreview(name, draft),
        ...(draft.resolved === undefined ? {} : { resolved: draft.resolved }),
        digest: planDigest({ tool: name, arguments: checked, effects, resolved: draft.resolved }),
        contents: draft.contents ?? new Map()
      } satisfies Plan
    },
    async execute (plan, context) {
      context.signal.throwIfAborted()
      return await definition.execute(check(plan.arguments), plan, context)
    },
    async recognise (args, effects, context) {
      if (definition.recognise !== undefined) return await definition.recognise(check(args), effects, context)
      // Without effects it left no trace: what only reads can be done again, anything else must not be.
      if (effects.length === 0) return { status: dangerous ? 'unknown' : 'not_started' }
      return await recogniseByEffects(name, effects, context)
    }
  }
}
