import type { Policy } from '../../protocol/common.ts'
import { decidePolicy } from './decide-policy.ts'

const strictness = { allow: 0, ask: 1, deny: 2 }

/**
 * Whether a call that looks into directories, as policy has let it pass, may show the content of a file that it came upon:
 * not where reading that file by itself would be denied, or asked although the call was not. Pure.
 */
export function mayShow (server: Policy, session: Policy, call: { readonly tool: string, readonly paths: readonly string[] }, path: string): boolean {
  const rank = (tool: string, paths: readonly string[]): number => {
    return strictness[decidePolicy(server, session, { tool, dangerous: false, paths, command: null, effects: [] })]
  }
  return Math.max(rank(call.tool, [path]), rank('read_file', [path])) <= Math.min(rank(call.tool, call.paths), strictness.ask)
}
