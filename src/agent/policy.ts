import picomatch from 'picomatch'
import type { Decision, Policy, Rule } from '../protocol/common.ts'
import type { Effect } from '../protocol/plan.ts'

/** What a policy looks at. */
export interface PolicyCall {
  readonly tool: string
  readonly dangerous: boolean
  /** Relative to the workspace, normalised. */
  readonly paths: readonly string[]
  readonly command: string | null
  readonly effects: readonly Effect[]
}

/**
 * Answers for a plan. Rules of server and session are one set: deny beats ask beats allow, whatever their order,
 * so a session can tighten what the server says and never loosen it. Where no rule matches the mode answers.
 * Pure.
 */
export function decidePolicy (server: Policy, session: Policy, call: PolicyCall): Decision {
  if (call.dangerous && (server.mode === 'readOnly' || session.mode === 'readOnly')) return 'deny'
  const matching = new Set([...server.rules, ...session.rules].filter((rule) => matches(rule, call)).map((rule) => rule.decision))
  for (const decision of ['deny', 'ask', 'allow'] as const) if (matching.has(decision)) return decision
  return call.dangerous && session.mode === 'ask' ? 'ask' : 'allow'
}

/** Whether `policy` lets pass what `standard` would not: to set it needs the scope `approve`. */
export function isLooser (standard: Policy, policy: Policy): boolean {
  const rank = { readOnly: 0, ask: 1, auto: 2 }
  return rank[policy.mode] > rank[standard.mode] || policy.rules.some((rule) => rule.decision === 'allow')
}

function matches (rule: Rule, call: PolicyCall): boolean {
  // A name rule that forbids is not slipped past by another spelling; one that allows is exact.
  const forbids = rule.decision !== 'allow'
  if (!glob(rule.tool, forbids)(fold(call.tool, forbids))) return false
  return (rule.path === undefined || matchesPaths(rule.path, forbids, call)) &&
    (rule.command === undefined || (call.command !== null && matchesCommand(rule.command, forbids, call.command)))
}

/** To forbid, one path is enough; to allow, every path must match. */
function matchesPaths (pattern: string, forbids: boolean, call: PolicyCall): boolean {
  const matcher = glob(pattern, forbids)
  if (!forbids) return call.paths.length > 0 && call.paths.every((path) => matcher(path))
  return call.paths.some((path) => matcher(fold(path, true))) || holdsForbidden(pattern, call)
}

/** A directory that is moved or deleted takes along what the rule protects inside it. */
function holdsForbidden (pattern: string, call: PolicyCall): boolean {
  const { base } = picomatch.scan(fold(pattern, true))
  return call.effects.some(({ path, before }) => before.type === 'directory' &&
    (base === '' || base === fold(path, true) || base.startsWith(`${fold(path, true)}/`)))
}

/** Shell syntax is never part of what a rule allows. */
function matchesCommand (pattern: string, forbids: boolean, command: string): boolean {
  if (!forbids && /[;&|<>()$`\\"'\n\r{}*?[\]~#!]/.test(command)) return pattern === command
  const expression = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('[^]*?')
  return new RegExp(`^${expression}$`, forbids ? 'i' : '').test(command)
}

function glob (pattern: string, forbids: boolean): (text: string) => boolean {
  return picomatch(fold(pattern, forbids), { dot: true, nonegate: true })
}

function fold (text: string, forbids: boolean): string {
  return forbids ? text.normalize('NFC').toLowerCase() : text
}

/** The narrowest rule that covers the call: its very paths, or its very command. */
export function narrowestRule (call: PolicyCall): Rule {
  if (call.command !== null) return { tool: call.tool, command: call.command, decision: 'allow' }
  const paths = call.paths.map((path) => path.replace(/[\\*?[\]{}()!+@|]/g, '\\$&'))
  return { tool: call.tool, path: paths.length === 1 ? paths[0] ?? '' : `{${paths.join(',')}}`, decision: 'allow' }
}
