import { Agent, request } from 'undici'
import { cpuMs, type Subject } from './processes.ts'

const agent = new Agent({ connections: 2_000, pipelining: 1 })

export interface RunFigures { readonly firstTextMs: number, readonly wallMs: number, readonly deltas: number }

/** Sends one message and reads its stream to the end. Deltas are counted by their `¤`, since writes may join them. */
export async function run (subject: Subject, sessionUrl: string, content: string): Promise<RunFigures> {
  const startedAt = performance.now()
  const { statusCode, body } = await request(sessionUrl, {
    method: 'POST', dispatcher: agent, body: JSON.stringify({ content }), headersTimeout: 120_000, bodyTimeout: 120_000, headers: { ...subject.headers, 'content-type': 'application/json', accept: 'text/event-stream' }
  })
  if (statusCode !== 200) throw new Error(`${subject.name}: ${statusCode} ${await body.text()}`)
  let buffer = ''
  let firstTextMs = NaN
  let deltas = 0
  let failed: string | null = null
  const decoder = new TextDecoder() // undici's own setEncoding breaks a character that two chunks share
  for await (const chunk of body) {
    const frames = (buffer + decoder.decode(chunk as Buffer, { stream: true })).split('\n\n')
    buffer = frames.pop() ?? ''
    for (const frame of frames) {
      if (frame.includes('event: text_delta')) {
        if (deltas === 0) firstTextMs = performance.now() - startedAt
        deltas += frame.split('¤').length - 1
      } else if (frame.includes('"status":"failed"')) failed = frame
    }
  }
  if (failed !== null) throw new Error(`${subject.name}: ${failed}`)
  return { firstTextMs, wallMs: performance.now() - startedAt, deltas }
}

/** Where a subject takes messages: a new session of Écluse, or the floor itself. */
async function place (subject: Subject): Promise<string> {
  if (subject.name.startsWith('floor')) return subject.url
  const { statusCode, body } = await request(`${subject.url}/sessions`, {
    method: 'POST', dispatcher: agent, body: '{}', headers: { ...subject.headers, 'content-type': 'application/json' }
  })
  if (statusCode !== 201) throw new Error(`no session: ${statusCode}`)
  const { id } = await body.json() as { id: string }
  return `${subject.url}/sessions/${id}/messages`
}

export async function places (subject: Subject, count: number): Promise<string[]> {
  const made: string[] = []
  while (made.length < count) made.push(...await Promise.all(Array.from({ length: Math.min(50, count - made.length) }, () => place(subject))))
  return made
}

/** Runs all at once, and what that cost the subject. */
export async function all (subject: Subject, urls: readonly string[], content: string): Promise<{ runs: RunFigures[], cpuMs: number, wallMs: number }> {
  const cpu = cpuMs(subject.pid)
  const startedAt = performance.now()
  const runs = await Promise.all(urls.map((url) => run(subject, url, content)))
  return { runs, cpuMs: cpuMs(subject.pid) - cpu, wallMs: performance.now() - startedAt }
}

/** The wall time of the same request at the model itself, first byte, ms. */
export async function modelFirstByteMs (modelUrl: string, content: string): Promise<number> {
  const startedAt = performance.now()
  const { body } = await request(`${modelUrl}/chat/completions`, {
    method: 'POST', dispatcher: agent, body: JSON.stringify({ stream: true, messages: [{ role: 'user', content }] }), headers: { 'content-type': 'application/json' }
  })
  let first = NaN
  for await (const chunk of body) if (Number.isNaN(first) && String(chunk).length > 0) first = performance.now() - startedAt
  return first
}

export function quantile (values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN
}
