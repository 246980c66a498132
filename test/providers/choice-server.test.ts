import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import type { StreamEvent } from '../../src/protocol/ephemeral.ts'
import type { ModelInfo, Session } from '../../src/protocol/resources.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { startServer } from '../support/server.ts'

test('providers, models, prices and fallbacks of the file are offered, chosen per session and message, and fallen back on', async (t) => {
  const model = await startModelServer(t)
  const directory = t.testdir()
  const config = path.join(directory, 'ecluse.config.json')
  writeFileSync(config, JSON.stringify({
    defaultModel: 'claude/opus',
    providers: { claude: { type: 'anthropic', baseUrl: model.baseUrl, apiKeyEnv: 'CLAUDE_KEY' }, local: { baseUrl: model.baseUrl }, resp: { type: 'openai-responses', baseUrl: model.baseUrl } },
    models: { 'claude/opus': { contextWindow: 200_000, maxOutputTokens: 8_000, fallback: ['local/llama'] }, 'local/llama': { temperature: 0.1 } },
    prices: { 'local/llama': { input: 1, output: 1 } }
  }))
  const server = await startServer(t, { env: { ECLUSE_CONFIG: config, CLAUDE_KEY: 'key-of-claude-0123456789' } })
  const { json: models } = await server.get<{ items: ModelInfo[] }>('/models')
  t.strictSame(models.items.map(({ name }) => name), ['claude/opus', 'local/llama', 'demo'])
  t.match(models.items[0], { default: true, provider: 'claude', contextWindow: 200_000, maxOutputTokens: 8_000, price: null, fallback: ['local/llama'] })
  t.match(models.items[1], { default: false, price: { input: 1, output: 1 }, contextWindow: null })

  await model.script([{ raw: { status: 401, chunks: ['{"error":{"type":"authentication_error","message":"bad key-of-claude-0123456789"}}'] } }, { text: 'from llama' }, { text: 'from the responses' }])
  const { json: session } = await server.post<Session>('/sessions', {})
  t.equal(session.model, 'claude/opus')
  const stream = await server.stream(`/sessions/${session.id}/events`)
  await server.post(`/sessions/${session.id}/messages`, { content: 'hi' })
  const events = (await stream.until('run_end')).map(({ data }) => data as StreamEvent) // what the server streams
  t.match(events.find(({ type }) => type === 'retry'), { code: 'model_auth', detail: /Now local\/llama is asked/ })
  t.match(events.find(({ type }) => type === 'assistant_message'), { model: 'local/llama', text: 'from llama' })
  const { json: answer } = await server.post<{ text: string }>(`/sessions/${session.id}/messages`, { content: 'again', model: 'resp/gpt' })
  t.equal(answer.text, 'from the responses')
  t.match((await model.requests()).map(({ url }) => url), ['/v1/messages', '/v1/chat/completions', '/v1/responses'])
  t.notMatch(JSON.stringify(events) + server.stderr() + server.stdout(), /key-of-claude/)
})

test('a server whose file has faults says all of them and ends with 2', async (t) => {
  const directory = t.testdir({ 'ecluse.config.json': JSON.stringify({ defaultModel: 'nobody/x', models: { 'custom/m': { temperature: 9 } } }) })
  const entry = fileURLToPath(new URL('../../src/main.js', import.meta.url))
  const child = spawn(process.execPath, [entry], { cwd: directory, env: { PATH: process.env['PATH'] ?? '', PORT: 'x', DATA_DIR: path.join(directory, 'data') }, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => { stderr += text })
  await once(child, 'close')
  t.equal(child.exitCode, 2)
  t.match(stderr, /PORT/)
  t.match(stderr, /ecluse\.config\.json: at \/models\/custom.*temperature/)
})
