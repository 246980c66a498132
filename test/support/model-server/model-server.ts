import { fileURLToPath } from 'node:url'
import { startProcess, type Teardown } from './process.ts'
import type { RecordedRequest, Reply } from './reply.ts'

export type { ChatMessage, ChatRequest, RawReply, RecordedRequest, Reply } from './reply.ts'

export interface ModelServer {
  /** Ends in `/v1`. */
  readonly baseUrl: string
  /**
   * Adds replies, given out in order, one a request. With `when` they are for requests whose last user
   * message contains it, so that several tests can share a server.
   */
  script (replies: readonly Reply[], options?: { readonly when?: string }): Promise<void>
  /** What is answered when the script is exhausted; without it that is HTTP 500 with type `script_exhausted`. */
  fallback (reply: Reply | null): Promise<void>
  /** Opens the gates that are closed, or, if none is, the next one. */
  release (): Promise<void>
  /** Everything that was asked since the start or the last reset, oldest first. */
  requests (): Promise<readonly RecordedRequest[]>
  /** Waits until `count` requests have arrived. @throws Error after 10 s */
  waitForRequests (count: number): Promise<readonly RecordedRequest[]>
  /** Forgets replies, fallback and requests, and opens all gates. */
  reset (): Promise<void>
  close (): Promise<void>
}

/**
 * Starts a scripted model: a process of its own that speaks chat-completions over HTTP. It ends with the test.
 *
 * ```ts
 * test('a call is run and its result goes back', async (t) => {
 *   const model = await startModelServer(t)
 *   await model.script([
 *     { tool_calls: [{ id: 'c1', name: 'read_file', arguments: { path: 'a.txt' } }] },
 *     { stream: ['It says ', 'hello.'] }
 *   ])
 *   // … start a server with the model `custom/scripted` at `model.baseUrl`, send a message, then:
 *   const [, second] = await model.requests()
 *   t.equal(second?.body?.messages.at(-1)?.role, 'tool')
 * })
 * ```
 */
export async function startModelServer (t: Teardown): Promise<ModelServer> {
  const child = await startProcess(t, fileURLToPath(new URL('./main.js', import.meta.url)), [])
  const origin = `http://127.0.0.1:${child.firstLine}`

  async function control (path: string, body: object = {}): Promise<unknown> {
    const response = await fetch(`${origin}/control/${path}`, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
    return await response.json()
  }

  // The server answers with what it recorded, in this shape.
  const requests = async (): Promise<RecordedRequest[]> => await control('requests') as RecordedRequest[]

  return {
    baseUrl: `${origin}/v1`,
    script: async (replies, { when } = {}) => { await control('script', { replies, when: when ?? null }) },
    fallback: async (reply) => { await control('fallback', { fallback: reply }) },
    release: async () => { await control('release') },
    requests,
    waitForRequests: async (count) => {
      for (const until = Date.now() + 10_000; ;) {
        const seen = await requests()
        if (seen.length >= count) return seen
        if (Date.now() > until) throw new Error(`${seen.length} of ${count} requests came within 10 s`)
        await new Promise((resolve) => { setTimeout(resolve, 10) })
      }
    },
    reset: async () => { await control('reset') },
    close: child.close
  }
}

/** Starts the product's demo model as a server of its own, with no wait between words. It ends with the test. */
export async function startDemoModelServer (t: Teardown): Promise<{ readonly baseUrl: string, close (): Promise<void> }> {
  const main = fileURLToPath(new URL('../../../src/model/demo/main.js', import.meta.url))
  const child = await startProcess(t, main, ['--port', '0', '--word-delay', '0', '--until-stdin-ends'])
  return { baseUrl: child.firstLine, close: child.close }
}
