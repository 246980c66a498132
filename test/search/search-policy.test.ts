import { test } from 'tap'
import type { SessionEvent } from '../../src/protocol/events.ts'
import type { Session } from '../../src/protocol/resources.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { startServer } from '../support/server.ts'

test('a search shows nothing of files that policy keeps the model from reading, and says so', async (t) => {
  const model = await startModelServer(t)
  const server = await startServer(t, { model: model.baseUrl })
  const { json: { id } } = await server.post<Session>('/sessions', { policy: { mode: 'ask', rules: [{ tool: 'read_file', path: 'secret/**', decision: 'deny' }] } })
  for (const path of ['secret/key', 'open']) {
    await server.request('PUT', `/sessions/${id}/files/${path}`, { body: 'token=1\n', headers: { 'content-type': 'application/octet-stream' } })
  }
  const search = (path: string) => ({ tool_calls: [{ name: 'search_files', arguments: { pattern: 'token', path } }] })
  await model.script([search('.'), search('secret'), { text: 'done' }])
  await server.post(`/sessions/${id}/messages`, { content: 'go' })
  const { json: log } = await server.get<{ items: SessionEvent[] }>(`/sessions/${id}/events`, { headers: { accept: 'application/json' } })
  t.same(log.items.flatMap((event) => event.type === 'tool_call_end' ? [event.content] : []), [
    'open:1: token=1\n[The policy of this session withholds matches in 1 file.]',
    '[The policy of this session withholds matches in 1 file.]'
  ])
})
