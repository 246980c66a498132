import { toolError } from '../errors.ts'
import type { ToolError } from '../protocol/common.ts'
import { nearest } from '../workspace/near-names.ts'
import type { Tool } from './tool.ts'

export type FoundTool = { readonly tool: Tool } | { readonly error: ToolError }

/**
 * The tool that a model means by `name`. Mended: case, `readFile` for `read_file`, hyphens, a prefix such as
 * `functions.`; never the spelling. Otherwise the error `unknown_tool`, which lists the tools there are.
 */
export function findTool (tools: ReadonlyMap<string, Tool>, name: string): FoundTool {
  const tool = tools.get(name) ?? tools.get(mendName(name))
  if (tool !== undefined) return { tool }
  const names = [...tools.keys()]
  const shown = JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
  const near = nearest(mendName(name).slice(0, 100), names, 1)[0]
  return {
    error: toolError('unknown_tool', `There is no tool ${shown}. The tools are: ${names.join(', ') || 'none'}.`,
      near === undefined ? 'Call one of these.' : `Did you mean ${near}?`)
  }
}

function mendName (name: string): string {
  return name.trim()
    .replace(/^.*[.:/]/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
}
