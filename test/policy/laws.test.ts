import fc from 'fast-check'
import { test } from 'tap'
import { decidePolicy, isLooser, type PolicyCall } from '../../src/agent/policy/decide-policy.ts'
import type { Decision, Policy, Rule } from '../../src/protocol/common.ts'
import { commandCall, fileCall, open } from './calls.ts'
import { tricks } from './tricks.ts'

const strictness: Record<Decision, number> = { allow: 0, ask: 1, deny: 2 }
const decision = fc.constantFrom<Decision>('allow', 'ask', 'deny')
const mode = fc.constantFrom<Policy['mode']>('ask', 'auto', 'readOnly')

const rule: fc.Arbitrary<Rule> = fc.record({
  tool: fc.constantFrom('*', 'run_command', 'write_file', 'write_*'),
  path: fc.option(fc.constantFrom('**', 'src/**', 'a', '*.ts', '.', '{a,b}'), { nil: undefined }),
  command: fc.option(fc.constantFrom('git', 'git log', 'git * -s', 'rm', '*', '=git log', 'echo'), { nil: undefined }),
  decision
}).map(({ tool, path, command, decision }) => ({ tool, ...(path === undefined ? {} : { path }), ...(command === undefined ? {} : { command }), decision }))

const call: fc.Arbitrary<PolicyCall> = fc.oneof(
  fc.tuple(fc.constantFrom(...tricks, '@'), fc.constantFrom('git log', 'git log -s', 'echo rm', 'rm x', '$X'), fc.constantFrom('', 'src/a'))
    .map(([trick, command, cwd]) => commandCall(trick.replaceAll('@', () => command), cwd)),
  fc.tuple(fc.constantFrom('write_file', 'read_file'), fc.constantFrom('a', 'A', 'src/x.ts', 'x.ts')).map(([tool, path]) => ({ ...fileCall(tool, path), dangerous: tool === 'write_file' }))
)
const policy = fc.record({ mode, rules: fc.array(rule, { maxLength: 6 }) })

test('the order of the rules, and who has set them, change nothing', async () => {
  const twice = fc.array(rule, { maxLength: 6 }).chain((rules) => fc.tuple(fc.constant(rules), fc.shuffledSubarray(rules, { minLength: rules.length })))
  fc.assert(fc.property(mode, mode, twice, fc.nat(6), call,
    (serverMode, sessionMode, [rules, shuffled], cut, call) =>
      decidePolicy({ mode: serverMode, rules: [] }, { mode: sessionMode, rules }, call) ===
      decidePolicy({ mode: serverMode, rules: shuffled.slice(0, cut) }, { mode: sessionMode, rules: shuffled.slice(cut) }, call)), { numRuns: 2_000 })
})

test('a rule more that denies or asks never loosens, one that allows never tightens', async () => {
  fc.assert(fc.property(policy, policy, rule, call, (server, session, more, call) => {
    const before = strictness[decidePolicy(server, session, call)]
    const after = strictness[decidePolicy(server, { ...session, rules: [...session.rules, more] }, call)]
    return more.decision === 'allow' ? after <= before : after >= before
  }), { numRuns: 3_000 })
})

test('where a rule that denies applies it is denied, whatever else is said', async () => {
  fc.assert(fc.property(policy, policy, rule, call, (server, session, rule, call) => {
    const denied = decidePolicy(open, { mode: 'ask', rules: [{ ...rule, decision: 'deny' }] }, call) === 'deny'
    return !denied || decidePolicy(server, { ...session, rules: [{ ...rule, decision: 'deny' }, ...session.rules] }, call) === 'deny'
  }), { numRuns: 2_000 })
})

test('a policy that is not looser than another lets nothing pass that the other would not', async () => {
  fc.assert(fc.property(policy, policy, call, (standard, wanted, call) => {
    const base = { ...standard, rules: [] } // rules of the server hold for every session
    return isLooser(base, wanted) || strictness[decidePolicy(standard, wanted, call)] >= strictness[decidePolicy(standard, base, call)]
  }), { numRuns: 2_000 })
})
