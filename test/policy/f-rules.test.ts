import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { narrowestRule } from '../../src/agent/policy/narrowest-rule.ts'
import type { PolicyCall } from '../../src/agent/policy/decide-policy.ts'
import type { Decision, Rule } from '../../src/protocol/common.ts'
import { ToolFailure } from '../../src/errors.ts'
import { parsePath } from '../../src/workspace/paths.ts'
import { commandCall, decide, fileCall } from './calls.ts'

interface CaseRule { tool: string, prefix?: string, path?: string }
interface CaseCall { tool: string, args: { command?: string, path?: string } }
interface Case {
  id: string
  title: string
  input: { rules: { allow: CaseRule[], deny: CaseRule[] }, calls: CaseCall[], remembered?: CaseCall[] }
  expect: { decisions: Array<Decision | Decision[]>, any_of?: Array<{ decisions: Array<Decision | Decision[]> }> }
}

const file = new URL('../../../test/fixtures/cases/f-rules.jsonl', import.meta.url)
// The file is part of the project and has this shape.
const cases = readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Case)

for (const { id, title, input, expect } of cases) {
  test(`${id} ${title}`, async (t) => {
    const remembered = (input.remembered ?? []).map((call) => narrowestRule(toCall(call) ?? commandCall('')))
    const rules = [...toRules(input.rules.allow, 'allow'), ...toRules(input.rules.deny, 'deny'), ...remembered.filter((rule) => rule !== null)]
    t.equal(remembered.includes(null), false)
    const decisions = input.calls.map((call) => {
      const planned = toCall(call)
      return planned === null ? 'refused' : decide(rules, planned)
    })
    const accepted = [expect.decisions, ...(expect.any_of ?? []).map((other) => other.decisions)]
    // A call that the workspace refuses needs no answer.
    t.ok(accepted.some((wanted) => wanted.every((one, index) => decisions[index] === 'refused' || [one].flat().some((each) => each === decisions[index]))),
      JSON.stringify({ decisions, accepted }))
  })
}

function toRules (rules: readonly CaseRule[], decision: Decision): Rule[] {
  return rules.map(({ tool, prefix, path }) => ({ tool, ...(prefix === undefined ? {} : { command: prefix }), ...(path === undefined ? {} : { path }), decision }))
}

/** As tools plan it: a path is checked and normalised before policy sees it. Null: refused there. */
function toCall ({ tool, args }: CaseCall): PolicyCall | null {
  if (args.command !== undefined) return commandCall(args.command)
  try {
    return fileCall(tool, parsePath(args.path))
  } catch (error) {
    if (error instanceof ToolFailure) return null
    throw error
  }
}
