import { test } from 'tap'
import { fileURLToPath } from 'node:url'
import { allowedValues, variables } from '../../src/config/variables.ts'

const script = (name: string) => fileURLToPath(new URL(`../../../scripts/${name}`, import.meta.url))

interface Result { ok: boolean, passed: number, failed: number, skipped: number, told: string[] }
interface TapReport { onLine (line: string): void, result (code: number | null): Result }

test('the report of a test file has its counts, and its failures whole', async (t) => {
  const { createTapReport } = await import(script('tap-report.mjs')) as { createTapReport (): TapReport }
  const resultOf = (lines: readonly string[], code: number | null): Result => {
    const report = createTapReport()
    for (const line of lines) report.onLine(line)
    return report.result(code)
  }
  const passing = ['TAP version 14', '# Subtest: one', '    ok 1 - should be equal', '    1..1', 'ok 1 - one # time=1ms', '', '1..1', '# { total: 3, pass: 2, skip: 1 }', '# time=10ms']
  t.strictSame(resultOf(passing, 0), { ok: true, passed: 2, failed: 0, skipped: 1, told: [] })
  t.match(resultOf(passing, 7), { ok: false, failed: 1 }, 'it ended badly after its tests')
  t.match(resultOf(passing.slice(0, 5), 0), { ok: false, passed: 0, failed: 1 }, 'it ended without its counts')
  t.match(resultOf([], null), { ok: false, failed: 1 }, 'it was killed')
  const failing = [
    'TAP version 14', '# Subtest: two', '    ok 1 - fine', '    not ok 2 - should match', '      ---', '      diff: |', '        -1', '        +2', '      ...', 'not ok 1 - two # time=3ms', '1..1', '# { total: 2, pass: 1, fail: 1 }', '# time=30ms'
  ]
  t.strictSame(resultOf(failing, 1), {
    ok: false,
    passed: 1,
    failed: 1,
    skipped: 0,
    told: ['# Subtest: two', '    not ok 2 - should match', '      ---', '      diff: |', '        -1', '        +2', '      ...', 'not ok 1 - two # time=3ms']
  })
})

test('the README\'s table of variables has a row for each, and replaces what stood between the marks', async (t) => {
  const { envTable, withTable } = await import(script('readme-env.mjs')) as {
    envTable (table: typeof variables, allowed: typeof allowedValues): string, withTable (readme: string, table: string): string
  }
  const table = envTable(variables, allowedValues)
  for (const name of Object.keys(variables)) t.ok(table.includes(`\n| \`${name}\` | `), name)
  t.ok(table.includes('| `PORT` | `3000` | Port to listen on; 0 takes a free one | a whole number from 0 to 65535 |'))
  t.equal(withTable('a\n<!-- env:start -->\nold\n<!-- env:end -->\nb\n', 'T'), 'a\n<!-- env:start -->\nT\n<!-- env:end -->\nb\n')
  t.throws(() => withTable('no marks', 'T'), { message: /lacks the marks/ })
})
