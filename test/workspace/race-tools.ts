import { ToolFailure } from '../../src/errors.ts'
import type { JsonObject } from '../../src/protocol/common.ts'
import type { ExecuteContext, PrepareContext, Tool } from '../../src/tools/tool.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { secret, type Attempt } from './race.ts'

/** Beside what every race has: files that an escaped edit, move or delete would change outside. */
export const both = { edited: 'one', moved: 'inside', deleted: 'inside' }
/** A file that only the outside has: a list that names it has been there. */
export const onlyOutside = 'only-outside'

/** What each tool is asked in turn, again and again: arguments that lead into `d`. */
const calls: Readonly<Record<string, ReadonlyArray<(turn: number) => JsonObject>>> = {
  read_file: [() => ({ path: 'd/f' })],
  list_dir: [() => ({ path: 'd' }), () => ({ path: '.', depth: 3 })],
  find_files: [() => ({ pattern: '**', path: 'd', hidden: true, ignored: true }), () => ({ pattern: '**/*', hidden: true, ignored: true })],
  search_files: [() => ({ pattern: 'secret', path: 'd' }), () => ({ pattern: 'secret', hidden: true, ignored: true })],
  write_file: [(turn) => ({ path: 'd/edited', content: `written ${turn}` }), (turn) => ({ path: `d/made/${turn % 50}`, content: 'written' })],
  edit_file: [
    () => ({ path: 'd/edited', edits: [{ oldText: 'one', newText: 'two' }] }),
    () => ({ path: 'd/edited', edits: [{ oldText: 'two', newText: 'one' }] }),
    () => ({ path: 'd/f', edits: [{ oldText: 'what is not there', newText: 'x' }] })
  ],
  move_file: [
    (turn) => ({ from: 'd/moved', to: `taken-${turn % 1_000}` }), (turn) => ({ from: `taken-${(turn - 1) % 1_000}`, to: 'd/moved' }),
    () => ({ from: 'd/moved', to: 'd/renamed' }), () => ({ from: 'd/renamed', to: 'd/moved' })
  ],
  delete_file: [() => ({ path: 'd/deleted' }), () => ({ path: 'd/made', recursive: true })]
}

/** What is brought back before each attempt, so that there is always something to delete and to move. */
const broughtBack: Readonly<Record<string, readonly string[]>> = { delete_file: ['d/deleted', 'd/made/deep'], move_file: ['d/moved'] }

/** @throws Error for a tool that has no calls here: every file tool must race */
export function toolAttempt (tool: Tool, workspace: Workspace, bringBack: Tool): Attempt {
  const asked = calls[tool.name]
  if (asked === undefined) throw new Error(`${tool.name} does not race`)
  const context = (turn: number): PrepareContext & ExecuteContext => ({
    workspace, callId: `call_${turn}`, signal: new AbortController().signal, seen: () => undefined, planned: () => undefined, onOutput: () => {}
  })
  const act = async (tool: Tool, args: JsonObject, turn: number): Promise<string> => {
    const plan = await tool.prepare(args, context(turn))
    const result = await tool.execute(plan, context(turn))
    return JSON.stringify([plan.preview, result.content, result.diff])
  }
  return async (turn) => {
    try {
      for (const path of broughtBack[tool.name] ?? []) await act(bringBack, { path, content: 'inside' }, turn).catch(ignoreRefusal)
      return tells(await act(tool, asked[turn % asked.length]?.(turn) ?? {}, turn))
    } catch (error) {
      // What is refused must not quote what is outside either.
      if (error instanceof ToolFailure && tells(`${error.message} ${error.suggestion ?? ''}`)) return true
      throw error
    }
  }
}

const tells = (text: string): boolean => text.includes(secret) || text.includes(onlyOutside)

function ignoreRefusal (error: unknown): void { if (!(error instanceof ToolFailure)) throw error }
