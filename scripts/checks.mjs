/**
 * `npm run checks`: everything but the tests that must hold before a change is taken. Each check is an npm script; all
 * run, also when one fails. The last line is `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { ensure, readJson, root } from './ensure.mjs'

const checks = ['lint', 'typecheck', 'openapi:check', 'openapi:lint', 'client:check', 'readme:check']

ensure('test')
const { scripts } = readJson('package.json')
let passed = 0
let failed = 0
for (const check of checks.filter((name) => scripts[name] !== undefined)) {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', check], { cwd: root, encoding: 'utf8' })
  if (status === 0) passed++
  else {
    failed++
    process.stdout.write(stdout + stderr)
  }
  process.stdout.write(`${status === 0 ? 'ok    ' : 'not ok'} npm run ${check}\n`)
}
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
