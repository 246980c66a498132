/**
 * `npm test`: whatever is missing is installed and built, then the tests run. Arguments go to the runner; sources may
 * be named too (`npm test -- test/edge/auth.test.ts`). The last line is `N passed, N failed`, counted by the runner.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { ensure, readJson, root } from './ensure.mjs'
import { createTapReport } from './tap-report.mjs'

ensure('test')
// Long tests (`*.long.ts`) are no part of `npm test`: `npm run test:long` runs them, and nothing else.
const long = process.argv[2] === '--long'
const longFiles = () => readdirSync(path.join(root, 'build', 'test'), { recursive: true }).filter((file) => file.endsWith('.long.js')).map((file) => path.join('build', 'test', file))
const args = long ? longFiles() : process.argv.slice(2).map((arg) => arg.endsWith('.test.ts') ? path.join('build', arg).replace(/\.ts$/, '.js') : arg)
const tap = path.join(root, 'node_modules', 'tap', readJson('node_modules/tap/package.json').bin.tap)
const runner = spawn(process.execPath, [tap, '--reporter=tap', '--no-color', ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => { runner.kill(signal) })

const report = createTapReport((line) => process.stdout.write(`${line}\n`))
const lines = createInterface({ input: runner.stdout })
lines.on('line', report.onLine)
const [[code]] = await Promise.all([once(runner, 'exit'), once(lines, 'close')])

const summary = report.summary()
if (summary === null) process.stdout.write('The runner ended without counting the tests.\n')
if (summary?.skipped > 0) process.stdout.write(`${summary.skipped} skipped\n`)
process.stdout.write(`${summary?.passed ?? 0} passed, ${summary?.failed ?? 1} failed\n`)
process.exitCode = code === 0 && summary !== null && summary.failed === 0 ? 0 : code || 1
