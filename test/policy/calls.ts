import type { Decision, Policy, Rule } from '../../src/protocol/common.ts'
import { decidePolicy, type PolicyCall } from '../../src/agent/policy/decide-policy.ts'

export const open: Policy = { mode: 'ask', rules: [] }

export function commandCall (command: string, cwd = ''): PolicyCall {
  return { tool: 'run_command', dangerous: true, paths: [cwd], command, effects: [] }
}

export function fileCall (tool: string, ...paths: string[]): PolicyCall {
  return { tool, dangerous: true, paths, command: null, effects: [] }
}

export function allow (command: string): Rule { return { tool: 'run_command', command, decision: 'allow' } }
export function deny (command: string): Rule { return { tool: 'run_command', command, decision: 'deny' } }

export function decide (rules: readonly Rule[], call: PolicyCall | string, mode: Policy['mode'] = 'ask'): Decision {
  return decidePolicy(open, { mode, rules: [...rules] }, typeof call === 'string' ? commandCall(call) : call)
}
