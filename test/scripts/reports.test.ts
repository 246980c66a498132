import { test } from 'tap'
import { fileURLToPath } from 'node:url'
import { allowedValues, variables } from '../../src/config/variables.ts'

const script = (name: string) => fileURLToPath(new URL(`../../../scripts/${name}`, import.meta.url))

interface TapReport { onLine (line: string): void, summary (): { passed: number, failed: number, skipped: number } | null }

test('the report of the tests has one line for a file that passed, and a failure whole', async (t) => {
  const { createTapReport } = await import(script('tap-report.mjs')) as { createTapReport (print: (line: string) => void): TapReport }
  const printed: string[] = []
  const report = createTapReport((line) => { printed.push(line) })
  for (const line of [
    'TAP version 14', '# Subtest: build/test/a.test.js', '    # Subtest: one', '        ok 1 - should be equal', '        1..1', '    ok 1 - one # time=1ms', '    1..1', 'ok 1 - build/test/a.test.js # time=20ms', '',
    '# Subtest: build/test/b.test.js', '    # Subtest: two', '        ok 1 - fine', '        not ok 2 - should match', '          ---', '          diff: |', '            -1', '            +2', '          ...', '    not ok 1 - two # time=3ms',
    'not ok 2 - build/test/b.test.js # time=30ms', '  ---', '  exitCode: 1', '  ...', '1..2', '# No coverage generated', '# { total: 4, pass: 2, fail: 1, skip: 1 }', '# time=1000ms'
  ]) report.onLine(line)
  t.strictSame(printed, [
    'ok     build/test/a.test.js (20ms)', '    # Subtest: two', '        not ok 2 - should match', '          ---', '          diff: |', '            -1', '            +2', '          ...', '    not ok 1 - two # time=3ms', 'not ok build/test/b.test.js (30ms)'
  ])
  t.strictSame(report.summary(), { passed: 2, failed: 1, skipped: 1 })
  t.equal(createTapReport(() => {}).summary(), null, 'a runner that crashed has counted nothing')
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
