import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'tap'
import { unifiedDiff } from '../../src/tools/unified-diff.ts'

const lines = (from: number, to: number, change = (line: number) => String(line)) => {
  return Array.from({ length: to - from + 1 }, (_, index) => `${change(from + index)}\n`).join('')
}

test('git applies the diffs', async (t) => {
  const changes: ReadonlyArray<readonly [string | null, string | null]> = [
    [null, 'new\nfile\n'], [null, 'no newline'], ['gone\n', null], ['a\n', 'b\n'], ['a', 'a\n'], ['a\n', 'a'], ['a\r\nb\r\n', 'a\nb\n'],
    [lines(1, 200), lines(1, 200, (line) => line % 50 === 0 ? `changed ${line}` : String(line))], [lines(1, 9), lines(4, 9)],
    [lines(1, 3_000), lines(1, 3_000, (line) => `all new ${line}`)], [`keep\n${lines(1, 3_000)}last`, `keep\n${lines(5_000, 7_900)}last`]
  ]
  for (const [index, [before, after]] of changes.entries()) {
    const file = join(t.testdir({}), 'dir/f.txt')
    mkdirSync(dirname(file), { recursive: true })
    if (before !== null) writeFileSync(file, before)
    const cwd = dirname(dirname(file))
    execFileSync('git', ['init', '-q'], { cwd })
    execFileSync('git', ['apply', '--whitespace=nowarn'], { cwd, input: unifiedDiff('dir/f.txt', before, after) })
    t.equal(existsSync(file) ? readFileSync(file, 'utf8') : null, after, `change ${index}`)
  }
})

test('a small change in a large file is a small diff, at once', async (t) => {
  const before = lines(1, 200_000)
  const started = performance.now()
  const diff = unifiedDiff('f', before, before.replace('\n100000\n', '\nchanged\n'))
  t.ok(performance.now() - started < 5_000)
  t.equal(diff, '--- a/f\n+++ b/f\n@@ -99997,7 +99997,7 @@\n 99997\n 99998\n 99999\n-100000\n+changed\n 100001\n 100002\n 100003\n')
})

test('large files without anything in common do not take seconds', async (t) => {
  const started = performance.now()
  const diff = unifiedDiff('f', lines(1, 100_000, (line) => `a${line * 7 % 1013}`), lines(1, 100_000, (line) => `b${line * 11 % 1013}`))
  t.ok(performance.now() - started < 5_000)
  t.match(diff, /^--- a\/f\n\+\+\+ b\/f\n@@ -1,100000 \+1,100000 @@\n-a7\n/)
})

test('no change is no diff', async (t) => {
  t.equal(unifiedDiff('f', 'a\n', 'a\n'), '')
})
