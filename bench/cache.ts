/**
 * `npm run bench:cache`: how much of each request to a model is an unchanged prefix of the one before, which is what a
 * provider's cache can use. A ten-step task through the real server, over steps, turns, a restart of the server, and a
 * model that is switched and switched back; in each dialect. Fails when a prefix changes.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { startServer, type RunningServer } from '../src/app.ts'
import { compose } from '../src/compose.ts'
import { loadConfig } from '../src/config.ts'
import type { Reply } from '../test/support/model-server/reply.ts'
import { startCountingModel, type Counted, type CountingModel } from './counting-model.ts'

const stepsOfTask = 10
const key = 'bench-key-0123456789'
const providers = { 'chat-completions': 'custom', anthropic: 'anthropic', 'openai-responses': 'openai-responses' } as const

/** Writes and reads files in turn, thinking before each, then says that it is done. */
function reply (asked: string, step: number): Reply {
  if (!asked.includes('task') || step >= stepsOfTask) return { reasoning: 'Nothing is left to do.', text: `Done with ${asked.length} characters asked.` }
  const file = `notes-${step - step % 2}.txt`
  return {
    reasoning: `Step ${step} of the task.`,
    text: `Step ${step}.`,
    tool_calls: [step % 2 === 0
      ? { name: 'write_file', arguments: { path: file, content: `Line of step ${step}.\n`.repeat(40) } }
      : { name: 'read_file', arguments: { path: file } }]
  }
}

async function serve (directory: string, model: CountingModel): Promise<RunningServer> {
  const config = loadConfig({
    PORT: '0',
    DATA_DIR: directory,
    API_KEYS: key,
    MODEL: 'custom/a',
    MODEL_BASE_URL: model.baseUrl,
    ANTHROPIC_BASE_URL: model.baseUrl,
    ANTHROPIC_API_KEY: key,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: key
  }, directory)
  return await startServer(config, pino({ level: 'silent' }), compose, (error) => { throw error })
}

async function post (server: RunningServer, at: string, body: object): Promise<{ id: string, text?: string }> {
  const response = await fetch(server.url + at, { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${at}: ${response.status} ${await response.text()}`)
  return await response.json() as { id: string, text?: string } // a session or a run's answer
}

interface Row { readonly phase: string, readonly requests: number, readonly kept: number, readonly cached: number }

function sum (phase: string, counted: readonly Counted[]): Row {
  const total = (of: (one: Counted) => number): number => counted.reduce((all, one) => all + of(one), 0)
  return { phase, requests: counted.length, kept: total(({ kept }) => kept) / total(({ before }) => before), cached: total(({ kept }) => kept) / total(({ bytes }) => bytes) }
}

async function measure (provider: string): Promise<Row[]> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ecluse-bench-'))
  const model = await startCountingModel(reply)
  let server = await serve(directory, model)
  const rows: Row[] = []
  try {
    const session = await post(server, '/sessions', { model: `${provider}/a`, policy: { mode: 'auto' } })
    const say = async (content: string, name: string): Promise<Counted[]> => {
      await post(server, `/sessions/${session.id}/messages`, { content, model: `${provider}/${name}` })
      return model.take()
    }
    // The first request has nothing before it.
    rows.push(sum('steps of a task', (await say('the first task', 'a')).slice(1)))
    rows.push(sum('turns', [...await say('and then?', 'a'), ...await say('is that all?', 'a'), ...await say('well', 'a')]))
    await server.stop()
    server = await serve(directory, model)
    rows.push(sum('after a restart', await say('still there?', 'a')))
    // Another model's cache has nothing of this; what matters is what it finds from its second request on.
    rows.push(sum('another model', (await say('another task', 'b')).slice(1)))
    rows.push(sum('switched back', await say('back again', 'a')))
    rows.push(sum('and on', await say('one more', 'a')))
  } finally {
    await server.stop()
    model.close()
    await rm(directory, { recursive: true, force: true })
  }
  return rows
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`.padStart(8)
let changed = 0
for (const [dialect, provider] of Object.entries(providers)) {
  console.log(`\n${dialect}`)
  console.log('phase              requests   unchanged prefix   of the whole request')
  for (const { phase, requests, kept, cached } of await measure(provider)) {
    console.log(`${phase.padEnd(18)} ${String(requests).padStart(8)} ${percent(kept).padStart(18)} ${percent(cached).padStart(22)}`)
    if (kept < 1) changed++
  }
}
if (changed > 0) {
  console.error(`\n${changed} phases changed a prefix that could have stayed.`)
  process.exitCode = 1
}
