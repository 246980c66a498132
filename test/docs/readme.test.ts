import { execFile } from 'node:child_process'
import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test, type Test } from 'tap'
import { startServer } from '../support/server.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

async function bash (t: Test, script: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', `set -eu -o pipefail\n${script}`], {
    cwd: root, timeout: 30_000, env: { PATH: process.env['PATH'] ?? '', ...env }
  })
  t.equal(stderr, '')
  return stdout
}

test('the README\'s lines work when they are pasted', async (t) => {
  const server = await startServer(t)
  const readme = await readFile(path.join(root, 'README.md'), 'utf8')
  const pasted = /<!-- try:start -->\n```sh\n(.*?)```\n<!-- try:end -->/s.exec(readme)?.[1]
  if (pasted === undefined) throw new Error('the README has no lines to try')
  t.match(pasted, 'KEY=$(cat data/api-key)\nURL=http://127.0.0.1:3000\n')
  const output = await bash(t, pasted.replace('data/api-key', path.join(server.dataDir, 'api-key')).replace('http://127.0.0.1:3000', server.url))
  for (const expected of ['event: approval_required', '"status":"approved"', '"status":"completed"', '"type":"run_end"', 'Hello from Écluse']) {
    t.ok(output.includes(expected), expected)
  }
})

test('examples/curl.sh goes from nothing to an approved write', async (t) => {
  const server = await startServer(t)
  const output = await bash(t, 'examples/curl.sh', { URL: server.url, KEY: server.key })
  t.match(output, /it asks for: .*Create notes\/hello\.txt/)
  t.match(output, /run settled: "status":"completed"/)
  t.match(output, /hello\.txt/)
  t.match(output, /events: \d\d\ndeleted/)
})

test('what the README links to is there', async (t) => {
  const readme = await readFile(path.join(root, 'README.md'), 'utf8')
  for (const [, link] of readme.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)) await t.resolves(access(path.join(root, String(link))), String(link))
})
