import { test, type Test } from 'tap'
import { createEdge } from '../../src/routes/edge/edge.ts'
import { parseKeys } from '../../src/routes/edge/keys.ts'
import { createLogger } from '../../src/routes/edge/log.ts'
import { operationsRoutes, type Readiness } from '../../src/routes/operations.ts'
import { request } from '../support/request.ts'

const key = 'a-key-that-is-long-enough'
const runOnly = 'only-for-runs-only-for-runs'

async function startOperations (t: Test, documents: Record<string, string> = {}) {
  const state: { readiness: Readiness, reads: string[] } = { readiness: { ready: true, reason: null }, reads: [] }
  const { app } = createEdge({ own: { allowedHosts: [], publicOrigin: null, corsOrigins: [] }, keys: parseKeys(`${key},bot:run:${runOnly}`).keys, logger: createLogger('silent', { write: () => {} }) })
  operationsRoutes(app, {
    version: '1.2.3',
    ready: async () => state.readiness,
    capabilities: [{ name: 'run_command', available: false, reason: 'no sandbox here' }],
    metrics: () => ({ active_runs: 3, open_streams: 2 }),
    readDocument: async (name) => {
      state.reads.push(name)
      const text = documents[name]
      if (text === undefined) throw new Error(`ENOENT /srv/secret/${name}`)
      return text
    }
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(async () => { await app.close() })
  return { url, state }
}

test('health says ok to everybody, and nothing else', async (t) => {
  const { url } = await startOperations(t)
  t.match(await request(`${url}/health`), { status: 200, text: '{"status":"ok"}' })
  t.match(await request(`${url}/health`, { method: 'HEAD' }), { status: 200, text: '' })
})

test('readiness is bare without a key, and tells what is off and why with one', async (t) => {
  const { url, state } = await startOperations(t)
  t.match(await request(`${url}/ready`), { status: 200, text: '{"status":"ready"}' })
  t.match(await request(`${url}/ready`, { key: runOnly }), { text: '{"status":"ready"}' }, 'a key that may not read')
  t.strictSame((await request(`${url}/ready`, { key })).json, { status: 'ready', reason: null, version: '1.2.3', capabilities: [{ name: 'run_command', available: false, reason: 'no sandbox here' }] })
  state.readiness = { ready: false, reason: 'the store does not answer' }
  t.match(await request(`${url}/ready`), { status: 503, text: '{"status":"not_ready"}' })
  t.match(await request(`${url}/ready`, { key }), { status: 503, json: { reason: 'the store does not answer' } })
})

test('metrics need a key that may read, and are Prometheus text', async (t) => {
  const { url } = await startOperations(t)
  t.equal((await request(`${url}/metrics`)).status, 401)
  t.equal((await request(`${url}/metrics`, { key: runOnly })).status, 403)
  const { text, headers } = await request(`${url}/metrics`, { key })
  t.match(headers['content-type'], /^text\/plain; version=0\.0\.4/)
  const lines = text.trim().split('\n')
  for (const line of lines) t.match(line, /^(# TYPE ecluse_[a-z0-9_]+ gauge|ecluse_[a-z0-9_]+ [0-9.e-]+)$/)
  t.ok(lines.includes('ecluse_active_runs 3'))
  for (const name of ['event_loop_delay_p99_seconds', 'resident_memory_bytes', 'heap_used_bytes']) t.ok(lines.some((line) => line.startsWith(`ecluse_${name} `)), name)
})

test('the contract is served as YAML and as JSON, read once', async (t) => {
  const { url, state } = await startOperations(t, { 'openapi.yaml': 'openapi: 3.1.0\ninfo: { title: x }\n' })
  t.match(await request(`${url}/openapi.yaml`), { status: 200, text: /^openapi: 3/, headers: { 'content-type': /yaml/ } })
  t.strictSame((await request(`${url}/openapi.json`)).json, { openapi: '3.1.0', info: { title: 'x' } })
  await request(`${url}/openapi.json`)
  t.strictSame(state.reads, ['openapi.yaml'])
})

test('a document that the installation lacks is 404 and shows no path, and is looked for again', async (t) => {
  const { url, state } = await startOperations(t)
  for (const path of ['/openapi.yaml', '/openapi.json', '/docs']) {
    const answer = await request(`${url}${path}`)
    t.match(answer, { status: 404, json: { code: 'not_found' } })
    t.notMatch(answer.text, /srv/)
  }
  t.equal(state.reads.length, 3)
})

test('the pages are static: a strict policy and no scripts; the codes of problems lead to the reference', async (t) => {
  const { url } = await startOperations(t, { 'docs/reference.html': '<!doctype html><h1>Reference</h1>' })
  for (const path of ['/docs', '/docs/errors']) {
    const { status, headers, text } = await request(`${url}${path}`)
    t.equal(status, 200)
    t.match(headers, { 'content-type': /^text\/html/, 'content-security-policy': /default-src 'none'/, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    t.notMatch(text, /<script/i)
    t.match(text, /Reference/)
  }
})
