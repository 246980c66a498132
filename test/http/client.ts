import { join } from 'node:path'
import type { Test } from 'tap'
import { checkLog } from '../../src/agent/check-log.ts'
import type { EventOf, SessionEvent, SessionEventType } from '../../src/protocol/events.ts'
import type { Approval, CreateSession, Run, RunAnswer, Session } from '../../src/protocol/resources.ts'
import type { EventStream } from '../support/event-stream.ts'
import { startModelServer, type ModelServer, type Reply } from '../support/model-server/model-server.ts'
import type { Answer } from '../support/request.ts'
import { startServer, type ServerOptions, type TestServer } from '../support/server.ts'

export interface Page<T> { readonly items: readonly T[], readonly nextCursor: string | null }

/** What a client of the real server does again and again. */
export class Client {
  readonly server: TestServer
  readonly model: ModelServer

  constructor (server: TestServer, model: ModelServer) {
    this.server = server
    this.model = model
  }

  /** A new session; the model's script begins anew with `replies`. */
  async session (replies: readonly Reply[] = [], settings: CreateSession = {}): Promise<string> {
    await this.model.reset()
    await this.model.script(replies)
    return (await this.server.post<Session>('/sessions', settings)).json.id
  }

  /** Sends a message and reads its answer as JSON. */
  async send<T = RunAnswer> (sessionId: string, content: string, options: { body?: object, headers?: Record<string, string>, query?: string } = {}): Promise<Answer<T>> {
    return await this.server.post<T>(`/sessions/${sessionId}/messages${options.query ?? ''}`, { content, ...options.body }, { headers: options.headers ?? {} })
  }

  /** Sends a message and does not wait for its run. */
  async start (sessionId: string, content: string, body: object = {}): Promise<Run> {
    return (await this.send<Run>(sessionId, content, { body, headers: { prefer: 'respond-async' } })).json
  }

  /** Sends a message and streams its run. */
  async streamed (sessionId: string, content: string, options: { body?: object, query?: string, headers?: Record<string, string> } = {}): Promise<EventStream> {
    return await this.server.stream(`/sessions/${sessionId}/messages${options.query ?? ''}`, { method: 'POST', body: { content, ...options.body }, headers: options.headers ?? {} })
  }

  async decide (callId: string, decision: 'approve' | 'deny', more: object = {}): Promise<Answer<Approval>> {
    return await this.server.post<Approval>(`/approvals/${callId}`, { decision, ...more })
  }

  async run ({ id, sessionId }: Pick<Run, 'id' | 'sessionId'>, wait = 0): Promise<Run> {
    return (await this.server.get<Run>(`/sessions/${sessionId}/runs/${id}`, { headers: wait === 0 ? {} : { prefer: `wait=${wait}` } })).json
  }

  /** The whole log, checked against its law. @throws Error when it does not hold */
  async log (sessionId: string): Promise<SessionEvent[]> {
    const { items, nextCursor } = (await this.server.get<Page<SessionEvent>>(`/sessions/${sessionId}/events?limit=200`)).json
    const faults = checkLog(items)
    if (nextCursor !== null) faults.push('more than a page')
    if (faults.length > 0) throw new Error(`the law of the log does not hold:\n${faults.join('\n')}`)
    return [...items]
  }

  async logged<T extends SessionEventType> (sessionId: string, type: T): Promise<Array<EventOf<T>>> {
    return (await this.log(sessionId)).filter((event): event is EventOf<T> => event.type === type)
  }

  /** What the model was told of its calls, in its request number `index`, in their order. */
  async told (index: number): Promise<string[]> {
    const messages = (await this.model.requests())[index]?.body?.messages ?? []
    const last = messages.findLastIndex(({ role }) => role === 'assistant')
    return messages.slice(last + 1).flatMap(({ role, content }) => role === 'tool' ? [content ?? ''] : [])
  }

  file (sessionId: string, name: string): string { return join(this.server.dataDir, 'workspaces', sessionId, name) }
}

/** One server and one model for a file of tests. Calls to the model are not repeated, unless the test says so. */
export async function startClient (t: Test, options: ServerOptions = {}): Promise<Client> {
  const model = await startModelServer(t)
  const env = { MODEL_MAX_RETRIES: '0', MODEL_RETRY_BASE_MS: '10', ...options.env }
  return new Client(await startServer(t, { model: model.baseUrl, ...options, env }), model)
}

export const call = (id: string, name: string, args: object | string) => ({ id, name, arguments: args })
export const writing = (path: string, content = `${path}\n`): Reply => ({ tool_calls: [call(`w_${path.replace(/\W/g, '_')}`, 'write_file', { path, content })] })
export const types = (events: ReadonlyArray<{ readonly type: string }>) => events.map(({ type }) => type)
