import { createServer } from 'node:http'
import { once } from 'node:events'
import { renderFrames } from '../test/support/model-server/dialects.ts'
import type { Reply } from '../test/support/model-server/reply.ts'

/** One request, compared with the one before it to the same model. */
export interface Counted {
  readonly model: string
  readonly bytes: number
  /** Of the request before, up to its closing brackets. */
  readonly before: number
  /** How much of that this one begins with. */
  readonly kept: number
}

export interface CountingModel {
  readonly baseUrl: string
  /** Since the last time. */
  take (): Counted[]
  close (): void
}

// What ends a request's JSON, and Anthropic's marks, which are no part of what is cached.
const closing = 2
const mark = ',"cache_control":{"type":"ephemeral"}'

/** A model server in every dialect that answers by `reply` and counts how much of each request it has seen before. */
export async function startCountingModel (reply: (asked: string, step: number) => Reply): Promise<CountingModel> {
  const seen = new Map<string, Buffer>()
  const steps = new Map<string, number>()
  let counted: Counted[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => { chunks.push(chunk) })
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString().replaceAll(mark, '')
      const body = JSON.parse(raw) as { model: string, messages?: Turn[], input?: Turn[] } // sent by our own server
      const bytes = Buffer.from(raw)
      const before = seen.get(body.model)
      counted.push({
        model: body.model,
        bytes: bytes.length,
        before: before === undefined ? 0 : before.length - closing,
        kept: before === undefined ? 0 : commonPrefix(before.subarray(0, -closing), bytes)
      })
      seen.set(body.model, bytes)
      const asked = lastAsked(body.messages ?? body.input ?? [])
      const step = steps.get(asked) ?? 0
      steps.set(asked, step + 1)
      const { deltas, end } = renderFrames(request.url ?? '', reply(asked, step), step)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(deltas.join('') + end)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    baseUrl: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/v1`,
    take: () => {
      const taken = counted
      counted = []
      return taken
    },
    close: () => { server.close().closeAllConnections() }
  }
}

interface Turn { readonly role?: string, readonly content?: unknown }

function lastAsked (turns: readonly Turn[]): string {
  const texts = turns.filter(({ role }) => role === 'user').map(({ content }) => JSON.stringify(content)).filter((text) => !text.startsWith('[{"type":"tool_result"'))
  return texts.at(-1) ?? ''
}

function commonPrefix (a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length)
  for (let i = 0; i < most; i++) if (a[i] !== b[i]) return i
  return most
}
