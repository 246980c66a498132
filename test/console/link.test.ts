import { spawnSync } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { test } from 'tap'

const script = path.resolve('scripts/link.mjs')

function link (cwd: string, env: Record<string, string> = {}) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [script], { cwd, env: { PATH: process.env['PATH'] ?? '', ...env }, encoding: 'utf8' })
  return { link: stdout.trim(), stderr, status }
}

test('the link carries the key that was made, behind #', async (t) => {
  const cwd = t.testdir({ data: { 'api-key': 'made-key-0123456789\n' } })
  t.match(link(cwd), { link: 'http://127.0.0.1:3000/#key=made-key-0123456789', status: 0 })
  t.match(link(cwd, { PORT: '8080', HOST: '0.0.0.0' }), { link: 'http://127.0.0.1:8080/#key=made-key-0123456789' })
  t.match(link(cwd, { PUBLIC_URL: 'https://agents.example/x/' }), { link: 'https://agents.example/x/#key=made-key-0123456789' })
})

test('a configured key wins, from .env too; without authentication there is none', async (t) => {
  const cwd = t.testdir({ '.env': 'API_KEYS=alice:read+run:alices-key-0123456\nPORT=4000\n', data: { 'api-key': 'made-key-0123456789' } })
  t.match(link(cwd), { link: 'http://127.0.0.1:4000/#key=alices-key-0123456' })
  t.match(link(cwd, { AUTH: 'off' }), { link: 'http://127.0.0.1:4000/', status: 0 })
})

test('where there is no key to be had, it says why', async (t) => {
  const cwd = t.testdir()
  t.match(link(cwd), { link: 'http://127.0.0.1:3000/', stderr: /start the server once/, status: 1 })
  t.match(link(cwd, { API_KEYS: `a:sha256=${'0'.repeat(64)}` }), { stderr: /digests/, status: 1 })
})
