import { spawn } from 'node:child_process'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { test, type Test } from 'tap'
import { parse } from 'yaml'
import type { Session } from '../../src/protocol/resources.ts'
import { startServer } from '../support/server.ts'

const script = fileURLToPath(new URL('../../../examples/ci/ecluse-patch.sh', import.meta.url))
const workflow = fileURLToPath(new URL('../../../examples/ci/agent.yml', import.meta.url))
const keys = 'ci:read+run+approve:ci-key-ci-key-ci-key,weak:read+run:weak-key-weak-key-w'
const server = await startServer(t, { env: { API_KEYS: keys } })

/** A repository with one commit. */
function repository (t: Test): string {
  const directory = t.testdir({})
  mkdirSync(path.join(directory, 'src'))
  writeFileSync(path.join(directory, 'notes.txt'), 'old notes\n')
  writeFileSync(path.join(directory, 'src/main.txt'), 'main\n')
  for (const name of ['a link', 'ein Verweis für "git"']) symlinkSync('notes.txt', path.join(directory, name))
  const git = (...args: string[]) => execFileSync('git', ['-C', directory, '-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args])
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'x')
  return directory
}

async function run (cwd: string, message: string, env: Record<string, string> = {}): Promise<{ code: number | null, stdout: string, stderr: string }> {
  const child = spawn(script, [message], { cwd, env: { PATH: process.env['PATH'] ?? '', ECLUSE_URL: server.url, ECLUSE_KEY: 'ci-key-ci-key-ci-key', ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => { output.stdout += text })
  child.stderr.setEncoding('utf8').on('data', (text: string) => { output.stderr += text })
  await once(child, 'close')
  return { code: child.exitCode, ...output }
}

test('the recipe for CI: the commit goes up, the answer and a patch that applies come back', async (t) => {
  const directory = repository(t)
  const done = await run(path.join(directory, 'src'), 'replace "old" with "new \\ \'quoted\'" in notes.txt, then write hello.txt with "Hello"')
  t.equal(done.code, 0, done.stderr)
  t.match(done.stdout, /hello\.txt/)
  t.notMatch(done.stdout, /[{}]/, 'plain text')
  t.match(done.stderr, /2 files changed/)
  execFileSync('git', ['-C', directory, 'apply', path.join(directory, 'src/ecluse.patch')])
  t.equal(readFileSync(path.join(directory, 'notes.txt'), 'utf8'), 'new \\ \'quoted\' notes\n')
  t.match(readFileSync(path.join(directory, 'hello.txt'), 'utf8'), /^Hello/)
  t.strictSame((await server.get<{ items: Session[] }>('/sessions')).json.items, [], 'the session is gone with it')
})

test('nothing to change is an empty patch and no failure', async (t) => {
  const directory = repository(t)
  const done = await run(directory, 'read notes.txt')
  t.equal(done.code, 0, done.stderr)
  t.match(done.stdout, /old notes/)
  t.equal(readFileSync(path.join(directory, 'ecluse.patch'), 'utf8'), '')
})

test('exit codes: 1 the agent did not finish, 2 the request was refused, 3 the patch does not apply', async (t) => {
  const directory = repository(t)
  const asks = await run(directory, 'write hello.txt with "Hello"', { ECLUSE_POLICY: '' })
  t.equal(asks.code, 1, 'it needs an approval, and nobody is there to give it')
  t.match(asks.stderr, /approval_required/)
  const weak = await run(directory, 'read notes.txt', { ECLUSE_KEY: 'weak-key-weak-key-w' })
  t.equal(weak.code, 2, 'this key may not loosen the policy')
  t.match(weak.stderr, /scope_missing/)
  const wrong = await run(directory, 'read notes.txt', { ECLUSE_KEY: 'wrong-key-wrong-key' })
  t.equal(wrong.code, 2)
  t.match(wrong.stderr, /unauthorized/)
  t.notMatch(wrong.stderr, /wrong-key/)
  writeFileSync(path.join(directory, 'hello.txt'), 'in the way, and in no commit')
  const inTheWay = await run(directory, 'write hello.txt with "Hello"')
  t.equal(inTheWay.code, 3, inTheWay.stderr)
  t.ok(existsSync(path.join(directory, 'ecluse.patch')))
})

test('the workflow can be read, and passes the task through the environment', async (t) => {
  const text = readFileSync(workflow, 'utf8')
  const { jobs } = parse(text) as { jobs: { patch: { steps: Array<{ run?: string, env?: Record<string, string> }> } } }
  const ask = jobs.patch.steps.find((step) => step.run?.includes('ecluse-patch.sh'))
  t.equal(ask?.env?.['TASK'], '${{ inputs.task }}') // eslint-disable-line no-template-curly-in-string -- GitHub's own
  for (const { run } of jobs.patch.steps) t.notMatch(run ?? '', /\$\{\{/)
})
