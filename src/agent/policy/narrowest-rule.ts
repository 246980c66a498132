import { ruleTextLengthMax } from '../../limits.ts'
import type { Rule } from '../../protocol/common.ts'
import type { PolicyCall } from './decide-policy.ts'
import { literalGlob } from './glob.ts'

/**
 * The narrowest rule that covers the call: its very paths; of a command its very text, in the directory it runs in.
 * Null: it would be longer than a rule can be. Of a call with several paths the order is not kept: a move that is
 * remembered covers the move back.
 */
export function narrowestRule (call: PolicyCall): Rule | null {
  const paths = [...new Set(call.paths)].map(literalGlob)
  const path = paths.length > 1 ? `{${paths.join(',')}}` : paths[0]
  const command = call.command === null ? undefined : `=${call.command}`
  if ([path, command].some((text) => text !== undefined && text.length > ruleTextLengthMax)) return null
  return {
    tool: literalGlob(call.tool),
    ...(path === undefined ? {} : { path }),
    ...(command === undefined ? {} : { command }),
    decision: 'allow'
  }
}
