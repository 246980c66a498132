import { readFile, writeFile, mkdir } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import path from 'node:path'
import process from 'node:process'
import { Agent, request } from 'undici'
import { createParser } from 'eventsource-parser'
import Database from 'better-sqlite3'
import { fileText } from './file-text.ts'

/**
 * What the same work costs with nothing around it: a proxy that parses the model's stream and writes each delta as an
 * event, runs `read_file` and asks again. `P` stores nothing; `F` commits every event to SQLite before it is written.
 */
const [, , kind, modelUrl] = process.argv
const directory = process.env['DATA_DIR'] ?? '.'
await mkdir(directory, { recursive: true })
await writeFile(path.join(directory, 'a.txt'), fileText)
const agent = new Agent({ connections: 2_000 })
const store = kind === 'F' ? openStore() : null
let seq = 0

function openStore (): (json: string) => void {
  const db = new Database(path.join(directory, 'floor.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('CREATE TABLE events (seq INTEGER PRIMARY KEY, json TEXT NOT NULL)')
  const insert = db.prepare('INSERT INTO events VALUES (?, ?)')
  return (json) => { insert.run(seq, json) }
}

interface Chunk { choices?: Array<{ delta?: { content?: string, tool_calls?: Array<{ id: string, function: { name: string, arguments: string } }> } }> }

const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
  const parts: Buffer[] = []
  incoming.on('data', (part: Buffer) => { parts.push(part) })
  incoming.on('end', () => {
    const { content } = JSON.parse(Buffer.concat(parts).toString()) as { content: string } // only the bench calls this
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    run(content, response).then(() => { response.end() }, (error: unknown) => { response.destroy(error as Error) })
  })
})

async function run (content: string, response: ServerResponse): Promise<void> {
  const tell = (type: string, event: object): void => {
    const json = JSON.stringify({ type, seq: ++seq, ...event })
    store?.(json)
    response.write(`id: ${seq}\nevent: ${type}\ndata: ${json}\n\n`)
  }
  const messages: object[] = [{ role: 'user', content }]
  for (;;) {
    const calls: Array<{ id: string, function: { name: string, arguments: string } }> = []
    let text = ''
    const parser = createParser({
      onEvent: ({ data }) => {
        if (data === '[DONE]') return
        const delta = (JSON.parse(data) as Chunk).choices?.[0]?.delta
        if (delta?.content) {
          text += delta.content
          tell('text_delta', { text: delta.content })
        }
        if (delta?.tool_calls) calls.push(...delta.tool_calls)
      }
    })
    const { body } = await request(`${modelUrl}/chat/completions`, {
      method: 'POST', dispatcher: agent, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ stream: true, messages })
    })
    const decoder = new TextDecoder()
    for await (const chunk of body) parser.feed(decoder.decode(chunk as Buffer, { stream: true }))
    tell('assistant_message', { text, calls })
    if (calls.length === 0) return
    messages.push({ role: 'assistant', content: text, tool_calls: calls })
    for (const call of calls) {
      tell('tool_call_start', { id: call.id })
      const result = await readFile(path.join(directory, 'a.txt'), 'utf8')
      tell('tool_call_end', { id: call.id, result })
      messages.push({ role: 'tool', tool_call_id: call.id, content: result })
    }
  }
}

server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  const address = server.address()
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}\n`)
})
