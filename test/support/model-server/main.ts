import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { renderFrames } from './dialects.ts'
import { renderWhole } from './render-reply.ts'
import type { ChatRequest, RawReply, Reply } from './reply.ts'
import { Script } from './script.ts'

/** The scripted model server's own process: prints its port, serves until its standard input ends. */
const script = new Script()

async function readBody (request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

function parse (text: string): unknown {
  try { return JSON.parse(text) } catch { return null }
}

async function control (path: string, body: string, response: ServerResponse): Promise<void> {
  // Only model-server.ts calls this, with these shapes.
  const value = parse(body) as { replies?: Reply[], when?: string | null, fallback?: Reply | null } | null
  switch (path) {
    case 'script': script.add(value?.replies ?? [], value?.when ?? null); break
    case 'fallback': script.setFallback(value?.fallback ?? null); break
    case 'release': script.release(); break
    case 'reset': script.reset(); break
    case 'requests': break
    default: response.statusCode = 404
  }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(path === 'requests' ? script.requests : {}))
}

async function answer (reply: Reply, round: number, path: string, body: ChatRequest | null, response: ServerResponse): Promise<void> {
  if (reply.gate === true) await script.gate()
  if (reply.raw !== undefined) return await sendRaw(reply.raw, reply.delayMs, response)
  if (body?.stream !== true) {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(renderWhole(reply, round)))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const { deltas, end } = renderFrames(path, reply, round)
  for (const [position, delta] of deltas.entries()) {
    if (reply.gate_after === position) await script.gate()
    if (reply.delayMs !== undefined) await sleep(reply.delayMs)
    if (response.destroyed) return
    if (!response.write(delta)) {
      await drained(response)
    }
  }
  if (reply.gate_after !== undefined && reply.gate_after >= deltas.length) await script.gate()
  response.end(end)
}

function drained (response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.once('drain', done).once('close', done)
  })
}

async function sendRaw (raw: RawReply, delayMs: number | undefined, response: ServerResponse): Promise<void> {
  response.writeHead(raw.status ?? 200, { 'content-type': 'text/event-stream', ...raw.headers })
  response.flushHeaders()
  response.socket?.setNoDelay(true)
  for (const chunk of rawChunks(raw)) {
    if (delayMs !== undefined) await sleep(delayMs)
    response.write(chunk)
    // Flushed apart: the next write comes in a turn of its own.
    await new Promise((resolve) => { setImmediate(resolve) })
  }
  switch (raw.end ?? 'close') {
    case 'close': response.end(); return
    case 'reset':
      // What was written leaves first; then RST instead of FIN.
      await sleep(20)
      response.socket?.resetAndDestroy()
      return
    case 'hang': return
    default: throw new Error(`unknown end: ${raw.end}`)
  }
}

function rawChunks (raw: RawReply): Buffer[] {
  if (raw.chunks_b64 !== undefined) return raw.chunks_b64.map((chunk) => Buffer.from(chunk, 'base64'))
  if (raw.body === undefined) return (raw.chunks ?? []).map((chunk) => Buffer.from(chunk))
  const bytes = Buffer.from(raw.body)
  const size = raw.split_every ?? bytes.length
  const pieces: Buffer[] = []
  for (let start = 0; start < bytes.length; start += size) pieces.push(bytes.subarray(start, start + size))
  return pieces
}

async function handle (request: IncomingMessage, response: ServerResponse): Promise<void> {
  const raw = await readBody(request)
  const url = request.url ?? '/'
  if (url.startsWith('/control/')) return await control(url.slice('/control/'.length), raw, response)
  // Tests send chat-completions requests; what is none is recorded as it came.
  const body = parse(raw) as ChatRequest | null
  script.record({ method: request.method ?? '', url, headers: request.headers, raw, body, at: Date.now() })
  if (request.method === 'GET' && url === '/v1/models') {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'scripted', object: 'model' }] }))
    return
  }
  const next = script.next(body)
  if (next !== null) return await answer(next.reply, next.round, url, body, response)
  response.writeHead(500, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message: 'The script of the test\'s model server is exhausted', type: 'script_exhausted' } }))
}

const server = createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    if (!response.headersSent) response.statusCode = 599
    response.end(String(error))
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.stdout.write(`${address.port}\n`)
})
process.stdin.on('end', () => { process.exit(0) }).resume()
