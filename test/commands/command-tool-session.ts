import type { Test } from 'tap'
import { ToolFailure } from '../../src/errors.ts'
import type { JsonObject } from '../../src/protocol/common.ts'
import { commandTools } from '../../src/tools/command-tools.ts'
import { runCommandTool } from '../../src/tools/run-command.ts'
import type { ExecuteContext, Plan, PrepareContext, Tool, ToolResult } from '../../src/tools/tool.ts'
import { createFileSearch } from '../../src/workspace/search/file-search.ts'
import type { CommandRunnerOptions } from '../../src/workspace/commands/open-command-runner.ts'
import { openCommandSession, type CommandSession } from './command-session.ts'

export type Outcome =
  | { readonly ok: true, readonly plan: Plan, readonly result: ToolResult, readonly text: string, readonly watched: string }
  | { readonly ok: false, readonly code: string, readonly text: string, readonly watched: string }

export interface CommandToolSession extends CommandSession {
  readonly tools: readonly Tool[]
  context (signal?: AbortSignal, onOutput?: (text: string) => void): PrepareContext & ExecuteContext
  /** Plans and executes, as the runner of the agent does. */
  call (name: string, args: JsonObject, signal?: AbortSignal): Promise<Outcome>
}

/** A session with the tools that use the sandbox, whether or not there is one. */
export async function commandToolSession (t: Test, options: Partial<CommandRunnerOptions> = {}): Promise<CommandToolSession> {
  const session = await openCommandSession(t, options)
  const tools = commandTools(session.runner, createFileSearch(session.runner, { dataDir: session.dataDir }))
  const context: CommandToolSession['context'] = (signal = new AbortController().signal, onOutput = () => {}) => {
    return { workspace: session.workspace, callId: 'call_1', signal, seen: () => undefined, planned: () => undefined, onOutput }
  }
  return {
    ...session,
    tools,
    context,
    async call (name, args, signal) {
      const tool = [...tools, runCommandTool(session.runner)].find((candidate) => candidate.name === name)
      let watched = ''
      try {
        if (tool === undefined) throw new ToolFailure('unknown_tool', `There is no ${name}.`)
        const plan = await tool.prepare(args, context(signal))
        const result = await tool.execute(plan, context(signal, (text) => { watched += text }))
        return { ok: true, plan, result, text: result.content, watched }
      } catch (error) {
        if (!(error instanceof ToolFailure)) throw error
        return { ok: false, code: error.code, text: `${error.message} ${error.suggestion ?? ''}`, watched }
      }
    }
  }
}

/** As above; null, and the test is skipped aloud, where there is no sandbox. */
export async function sandboxToolSession (t: Test, options: Partial<CommandRunnerOptions> = {}): Promise<CommandToolSession | null> {
  const session = await commandToolSession(t, options)
  const { status } = session.runner
  if (status.available) return session
  t.comment(`NO SANDBOX ON THIS HOST: ${status.reason} ${status.advice}`)
  t.pass('needs a sandbox', { skip: status.reason })
  return null
}
