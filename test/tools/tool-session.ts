import type { Test } from 'tap'
import { ToolFailure } from '../../src/errors.ts'
import type { JsonObject } from '../../src/protocol/common.ts'
import { findTool } from '../../src/tools/find-tool.ts'
import { fileTools } from '../../src/tools/table.ts'
import type { ExecuteContext, Plan, Tool, ToolResult } from '../../src/tools/tool.ts'
import { openSession, type OpenSession } from '../workspace/open-session.ts'

export type Outcome =
  | { readonly ok: true, readonly plan: Plan, readonly result: ToolResult, readonly text: string }
  | { readonly ok: false, readonly code: string, readonly text: string }

export interface ToolSession extends OpenSession {
  readonly seen: Map<string, string | null>
  tool (name: string): Tool
  context (planned?: ReadonlyMap<string, Uint8Array | null>): ExecuteContext & { planned (path: string): Uint8Array | null | undefined }
  prepare (name: string, args: JsonObject, planned?: ReadonlyMap<string, Uint8Array | null>): Promise<Plan>
  execute (plan: Plan): Promise<ToolResult>
  /** Plans and executes, as the runner does; what the model would be told. */
  call (name: string, args: JsonObject): Promise<Outcome>
}

/** A session whose tools are called as the runner calls them, with what the model has seen carried along. */
export async function toolSession (t: Test, available: readonly Tool[] = fileTools): Promise<ToolSession> {
  const tools = new Map(available.map((tool) => [tool.name, tool]))
  const session = await openSession(t)
  const seen = new Map<string, string | null>()
  let calls = 0
  const context: ToolSession['context'] = (planned = new Map()) => ({
    workspace: session.workspace,
    callId: `call_${calls}`,
    signal: new AbortController().signal,
    seen: (path) => seen.get(path),
    planned: (path) => planned.get(path),
    onOutput: () => {}
  })
  const tool: ToolSession['tool'] = (name) => {
    const found = findTool(tools, name)
    if ('error' in found) throw new ToolFailure('unknown_tool', found.error.error, found.error.suggestion)
    return found.tool
  }
  const execute: ToolSession['execute'] = async (plan) => {
    calls += 1
    const result = await tool(plan.tool).execute(plan, context())
    for (const file of result.seen) seen.set(file.path, file.sha256)
    return result
  }
  const prepare: ToolSession['prepare'] = async (name, args, planned) => await tool(name).prepare(args, context(planned))
  return {
    ...session,
    seen,
    tool,
    context,
    prepare,
    execute,
    async call (name, args) {
      try {
        const plan = await prepare(name, args)
        const result = await execute(plan)
        return { ok: true, plan, result, text: result.content }
      } catch (error) {
        if (!(error instanceof ToolFailure)) throw error
        return { ok: false, code: error.code, text: `${error.message} ${error.suggestion ?? ''}` }
      }
    }
  }
}
