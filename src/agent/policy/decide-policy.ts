import type { Decision, Policy, Rule } from '../../protocol/common.ts'
import type { Effect } from '../../protocol/plan.ts'
import { fold, matchesGlob, readGlob } from './glob.ts'
import { coversPaths, touchesPaths } from './path-rule.ts'
import { coversWords, readCommandRule, touchesWords, type Certainty } from './command-rule.ts'
import { commandsWithin, type CommandsWithin } from './commands-within.ts'
import { plainCommands } from './plain-commands.ts'
import { Steps } from './steps.ts'

/** What a policy looks at. */
export interface PolicyCall {
  readonly tool: string
  readonly dangerous: boolean
  /** Relative to the workspace, normalised; of a command the directory it runs in. */
  readonly paths: readonly string[]
  readonly command: string | null
  readonly effects: readonly Effect[]
}

/**
 * Answers for a plan. Rules of server and session are one set: deny beats ask beats allow, whatever their order,
 * so a session can tighten what the server says and never loosen it. Where no rule matches the mode answers.
 * What a rule that forbids may match, as far as one can read a command, is asked.
 * Rules help people to say what they mean; the bound on what a command can do is the sandbox. Pure.
 */
export function decidePolicy (server: Policy, session: Policy, call: PolicyCall): Decision {
  if (call.dangerous && (server.mode === 'readOnly' || session.mode === 'readOnly')) return 'deny'
  const rules = [...server.rules, ...session.rules]
  const forbidden = forbids(rules, call)
  if (forbidden !== null) return forbidden
  if (allows(rules.filter(({ decision }) => decision === 'allow'), call)) return 'allow'
  return call.dangerous && session.mode === 'ask' ? 'ask' : 'allow'
}

/** Whether `policy` lets pass what `standard` would not: to set it needs the scope `approve`. */
export function isLooser (standard: Policy, policy: Policy): boolean {
  const rank = { readOnly: 0, ask: 1, auto: 2 }
  return rank[policy.mode] > rank[standard.mode] || policy.rules.some((rule) => rule.decision === 'allow')
}

function forbids (rules: readonly Rule[], call: PolicyCall): 'deny' | 'ask' | null {
  let within: CommandsWithin | null = null
  const read = (command: string): CommandsWithin => (within ??= commandsWithin(command))
  let forbidden: 'ask' | null = null
  for (const rule of rules) {
    const certainty = rule.decision === 'allow' ? 'no' : touches(rule, call, read)
    if (certainty === 'yes' && rule.decision === 'deny') return 'deny'
    if (certainty !== 'no') forbidden = 'ask'
  }
  return forbidden
}

/** Names and paths are folded: what forbids is not slipped past by another spelling. */
function touches (rule: Rule, call: PolicyCall, read: (command: string) => CommandsWithin): Certainty {
  const steps = new Steps()
  const tool = readGlob(fold(rule.tool))
  const otherwise = (certainty: Certainty): Certainty => certainty === 'no' && steps.usedUp ? 'maybe' : certainty
  if (tool !== null && !matchesGlob(tool, fold(call.tool), steps)) return otherwise('no')
  if (rule.path !== undefined && !touchesPaths(rule.path, call, steps)) return otherwise('no')
  if (rule.command === undefined) return 'yes'
  if (call.command === null) return 'no'
  const wanted = readCommandRule(rule.command, fold)
  if (wanted.kind === 'exact') return wanted.text === call.command ? 'yes' : 'no'
  const { commands, complete } = read(call.command)
  const certainties = new Set(commands.map((command) => touchesWords(wanted.words, command, steps)))
  return certainties.has('yes') ? 'yes' : certainties.has('maybe') || !complete ? 'maybe' : otherwise('no')
}

/** A command is allowed as a whole, or by all its simple commands, each by a rule of its own. */
function allows (rules: readonly Rule[], call: PolicyCall): boolean {
  const matching = rules.filter((rule) => {
    const steps = new Steps()
    const tool = readGlob(rule.tool)
    return tool !== null && matchesGlob(tool, call.tool, steps) && (rule.path === undefined || coversPaths(rule.path, call, steps))
  })
  const { command } = call
  // A path says where a command starts, not where it reaches.
  if (command === null) return matching.some((rule) => rule.command === undefined)
  if (matching.some((rule) => rule.command === undefined && rule.path === undefined)) return true
  const wanted = matching.flatMap((rule) => rule.command === undefined ? [] : [{ ...readCommandRule(rule.command), hasPath: rule.path !== undefined, steps: new Steps() }])
  if (wanted.some((rule) => rule.kind === 'exact' && rule.text === command)) return true
  const commands = wanted.some(({ kind }) => kind === 'words') ? plainCommands(command) : null
  if (commands === null) return false
  const leaves = commands.length > 1 && commands.some(([name]) => name !== undefined && /^(?:cd|pushd|popd)$/.test(name.text))
  return commands.every((words) => wanted.some((rule) => rule.kind === 'words' && !(leaves && rule.hasPath) && coversWords(rule.words, words, rule.steps)))
}
