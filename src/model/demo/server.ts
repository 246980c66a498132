import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { demoBodyBytesMax } from '../../limits.ts'
import { parseJson } from '../json.ts'
import type { ModelAnswer, ModelPart } from '../model.ts'
import { DemoModel } from './demo-model.ts'
import { readRequest, type WireRequest } from './wire.ts'

export interface DemoServer {
  /** Ends in `/v1`. */
  readonly baseUrl: string
  close (): Promise<void>
}

export interface DemoServerOptions {
  /** 0 takes a free one. */
  readonly port: number
  readonly host: string
  readonly wordDelayMs: number
}

/** Refuses a request, in the shape that clients of chat-completions know. */
class WireError extends Error {
  readonly status: number
  readonly code: string

  constructor (status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/**
 * Serves the demo model over HTTP as an OpenAI-compatible endpoint: `POST /v1/chat/completions` and
 * `GET /v1/models`. It needs no key. @throws Error when the port cannot be had
 */
export async function startDemoServer ({ port, host, wordDelayMs }: DemoServerOptions): Promise<DemoServer> {
  const model = new DemoModel({ wordDelayMs })
  const server = createServer((request, response) => {
    handle(model, request, response).catch((error: unknown) => { refuse(response, error) })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const taken = typeof address === 'object' && address !== null ? address.port : port
  return {
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${taken}/v1`,
    close: () => new Promise((resolve) => {
      server.close(() => { resolve() })
      server.closeAllConnections()
    })
  }
}

async function handle (model: DemoModel, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '/').split('?', 1)[0]
  if (path === '/v1/models') {
    allow(request, 'GET')
    sendJson(response, 200, { object: 'list', data: [{ id: model.name, object: 'model', created: 0, owned_by: 'ecluse' }] })
    return
  }
  if (path !== '/v1/chat/completions') throw new WireError(404, 'not_found', 'There is POST /v1/chat/completions and GET /v1/models.')
  allow(request, 'POST')
  const text = await readBody(request)
  const wire = readRequest(parseJson(text))
  if (typeof wire === 'string') throw new WireError(400, 'invalid_request', wire)
  if (wire.model !== model.name) throw new WireError(404, 'model_not_found', `The model '${wire.model}' does not exist; the only one here is '${model.name}'.`)
  await answer(model, wire, text, response)
}

function allow (request: IncomingMessage, method: string): void {
  if (request.method !== method) throw new WireError(405, 'method_not_allowed', `Use ${method} here.`)
}

async function readBody (request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    const buffer = Buffer.from(chunk)
    bytes += buffer.length
    if (bytes > demoBodyBytesMax) throw new WireError(413, 'payload_too_large', `The body may have ${demoBodyBytesMax} bytes.`)
    chunks.push(buffer)
  }
  return Buffer.concat(chunks).toString()
}

async function answer (model: DemoModel, { request, stream, includeUsage }: WireRequest, body: string, response: ServerResponse): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => { gone.abort() })
  // Made of the conversation: ids differ from step to step, and are the same when one is asked again.
  const id = createHash('sha256').update(body).digest('hex').slice(0, 16)
  const frame = (choices: object[], more: object = {}): string =>
    `data: ${JSON.stringify({ id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created: 0, model: model.name, choices, ...more })}\n\n`
  if (stream) {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' })
    response.write(frame([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]))
  }
  try {
    const parts = model.stream(request, gone.signal)
    let next = await parts.next()
    for (; next.done !== true; next = await parts.next()) {
      if (!stream) continue
      const taken = response.write(next.value.map((part) => frame([{ index: 0, delta: renderPart(part, id), finish_reason: null }])).join(''))
      if (!taken) await drained(response)
    }
    if (!stream) {
      sendJson(response, 200, renderWhole(next.value, id, model.name))
      return
    }
    response.write(frame([{ index: 0, delta: {}, finish_reason: next.value.finishReason }]))
    if (includeUsage) response.write(frame([], { usage: renderUsage(next.value) }))
    response.end('data: [DONE]\n\n')
  } catch (error) {
    // Nobody is there any more.
    if (gone.signal.aborted) return
    throw error
  }
}

function drained (response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.once('drain', done)
    response.once('close', done)
  })
}

function renderPart (part: ModelPart, id: string): object {
  switch (part.type) {
    case 'text': return { content: part.text }
    case 'reasoning': return { reasoning_content: part.text }
    case 'call': return { tool_calls: [{ index: part.index, id: `call_${id}${part.index}`, type: 'function', function: { name: part.tool, arguments: part.text } }] }
    case 'retry': return {}
    default: return part satisfies never
  }
}

function renderWhole (answer: ModelAnswer, id: string, model: string): object {
  const calls = answer.calls.map((call, index) => ({ id: `call_${id}${index}`, type: 'function', function: { name: call.tool, arguments: JSON.stringify(call.arguments) } }))
  const message = {
    role: 'assistant',
    content: answer.text,
    ...(answer.reasoning === '' ? {} : { reasoning_content: answer.reasoning }),
    ...(calls.length > 0 ? { tool_calls: calls } : {})
  }
  return {
    id: `chatcmpl-${id}`, object: 'chat.completion', created: 0, model, choices: [{ index: 0, message, finish_reason: answer.finishReason }], usage: renderUsage(answer)
  }
}

function renderUsage ({ usage }: ModelAnswer): object {
  const input = usage.inputTokens ?? 0
  const output = usage.outputTokens ?? 0
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output, completion_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 } }
}

function sendJson (response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function refuse (response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const known = error instanceof WireError ? error : new WireError(500, 'internal', 'Internal error')
  // What is left of a body that was refused is not read.
  if (known.status === 413) response.setHeader('connection', 'close')
  sendJson(response, known.status, { error: { message: known.message, type: known.status < 500 ? 'invalid_request_error' : 'server_error', param: null, code: known.code } })
}
