/**
 * `npm test`: whatever is missing is installed and built, then the tests run. Test files may be named
 * (`npm test -- test/edge/auth.test.ts`). The last line is `N passed, N failed`.
 *
 * Each file is a process of its own, as `node build/test/….test.js` would be. Tap's own runner makes the same of them,
 * but hooks every import of every process for mocks and coverage, which are not used here, and takes three times as long.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { ensure, root } from './ensure.mjs'
import { createTapReport } from './tap-report.mjs'

const atOnce = 2
const fileTimeoutS = 120 // tap gives up then, and says on what
const killAfterMs = (fileTimeoutS + 20) * 1_000 // what does not even give up

ensure('test')
// Long tests (`*.long.ts`) are no part of `npm test`: `npm run test:long` runs them, and nothing else.
const long = process.argv[2] === '--long'
const named = process.argv.slice(long ? 3 : 2).map((file) => path.join('build', file).replace(/\.ts$/, '.js'))
const files = named.length > 0
  ? named
  : readdirSync(path.join(root, 'build', 'test'), { recursive: true })
    .filter((file) => file.endsWith(long ? '.long.js' : '.test.js')).map((file) => path.join('build', 'test', file)).sort()

const running = new Set()
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    files.length = 0
    for (const child of running) child.kill(signal)
  })
}

async function run (file) {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [file], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, TAP_TIMEOUT: String(fileTimeoutS) } })
  running.add(child)
  const overdue = setTimeout(() => { child.kill('SIGKILL') }, killAfterMs)
  const report = createTapReport()
  const lines = createInterface({ input: child.stdout })
  lines.on('line', report.onLine)
  const [[code]] = await Promise.all([once(child, 'exit'), once(lines, 'close')])
  clearTimeout(overdue)
  running.delete(child)
  const result = report.result(code)
  for (const line of result.told) process.stdout.write(`${line}\n`)
  process.stdout.write(`${result.ok ? 'ok    ' : 'not ok'} ${file} (${Math.round(performance.now() - startedAt)} ms)\n`)
  return result
}

const total = { passed: 0, failed: 0, skipped: 0 }
async function work () {
  for (let file = files.shift(); file !== undefined; file = files.shift()) {
    const result = await run(file)
    for (const key of Object.keys(total)) total[key] += result[key]
  }
}
await Promise.all(Array.from({ length: atOnce }, work))

if (total.skipped > 0) process.stdout.write(`${total.skipped} skipped\n`)
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`)
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1
