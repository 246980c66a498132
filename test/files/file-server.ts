import path from 'node:path'
import type { Test } from 'tap'
import { checkLog } from '../../src/agent/check-log.ts'
import type { SessionEvent } from '../../src/protocol/events.ts'
import type { Session } from '../../src/protocol/resources.ts'
import type { Answer } from '../support/request.ts'
import { startServer, type TestServer } from '../support/server.ts'

interface Refusal { readonly code: string }

export interface Files {
  readonly server: TestServer
  readonly session: string
  /** `/sessions/ID/files` */
  readonly base: string
  /** On the host. */
  readonly directory: string
  url (file: string): string
  get<T = Refusal> (file: string, headers?: Record<string, string>): Promise<Answer<T>>
  head (file: string): Promise<Answer<Refusal>>
  put<T = Refusal> (file: string, body: string | Uint8Array, headers?: Record<string, string>): Promise<Answer<T>>
  remove (file: string, headers?: Record<string, string>): Promise<Answer<Refusal>>
  /** The whole log, checked against the law. */
  events (sessionId: string): Promise<SessionEvent[]>
}

/** A real server with one session; paths are encoded, what stands after `?` is a query. */
export async function startFiles (t: Test, env: Record<string, string> = {}): Promise<Files> {
  return await newSession(await startServer(t, { env }))
}

/** Another session on a server. */
export async function newSession (server: TestServer): Promise<Files> {
  const session = (await server.post<Session>('/sessions', {})).json.id
  const base = `/sessions/${session}/files`
  const url = (file: string) => {
    const [name = '', query] = file.split('?', 2)
    return `${base}/${name.split('/').map(encodeURIComponent).join('/')}${query === undefined ? '' : `?${query}`}`
  }
  return {
    server,
    session,
    base,
    directory: path.join(server.dataDir, 'workspaces', session),
    url,
    get: (file, headers = {}) => server.get(url(file), { headers }),
    head: (file) => server.request('HEAD', url(file)),
    put: (file, body, headers = {}) => server.request('PUT', url(file), { body, headers }),
    remove: (file, headers = {}) => server.request('DELETE', url(file), { headers }),
    events: async (sessionId) => await allEvents(server, sessionId)
  }
}

export async function allEvents (server: TestServer, sessionId: string): Promise<SessionEvent[]> {
  const { json } = await server.get<{ items: SessionEvent[] }>(`/sessions/${sessionId}/events?limit=200`, { headers: { accept: 'application/json' } })
  const faults = checkLog(json.items)
  if (faults.length > 0) throw new Error(`the law of the log does not hold:\n${faults.join('\n')}`)
  return json.items
}
