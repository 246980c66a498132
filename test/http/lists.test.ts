import { test } from 'tap'
import type { Approval, Run, Session, TranscriptItem } from '../../src/protocol/resources.ts'
import { call, startClient, writing, type Page } from './client.ts'

test('lists', async (t) => {
  const client = await startClient(t)
  const { server, model } = client

  /** Every item of a list, page by page. */
  async function walk<T> (path: string, limit: number): Promise<T[]> {
    const items: T[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { status, json }: { status: number, json: Page<T> } = await server.get<Page<T>>(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)
      t.equal(status, 200)
      t.ok(json.items.length <= limit)
      items.push(...json.items)
      cursor = json.nextCursor
    }
    return items
  }

  await t.test('sessions, newest first, by status and metadata', async (t) => {
    const made: string[] = []
    for (let n = 0; n < 7; n++) {
      made.push((await server.post<Session>('/sessions', { metadata: { parity: n % 2 === 0 ? 'even' : 'odd', 'n.x-1': String(n) } })).json.id)
    }
    const newestFirst = [...made].reverse()
    for (const limit of [1, 3, 7, 200]) t.strictSame((await walk<Session>('/sessions', limit)).map(({ id }) => id), newestFirst, `limit ${limit}`)
    const even = newestFirst.filter((_id, index) => index % 2 === 0)
    t.strictSame((await walk<Session>('/sessions?metadata.parity=even', 2)).map(({ id }) => id), even)
    t.strictSame((await walk<Session>('/sessions?metadata.parity=even&metadata.n.x-1=4', 2)).map(({ id }) => id), [made[4]])
    t.strictSame(await walk<Session>('/sessions?metadata.parity=neither', 2), [])

    await model.script([writing('a.txt')])
    await client.send(made[3] ?? '', 'write')
    t.strictSame((await walk<Session>('/sessions?status=awaiting_approval', 10)).map(({ id }) => id), [made[3]])
    t.equal((await walk<Session>('/sessions?status=idle', 4)).length, 6)
    t.strictSame(await walk<Session>('/sessions?status=running', 4), [])
    t.match((await walk<Session>('/sessions', 200))[0]?.id, newestFirst[0], 'the order is that of creation')
  })

  await t.test('a new session does not move the pages that follow', async (t) => {
    const { json: first } = await server.get<Page<Session>>('/sessions?limit=3')
    await server.post('/sessions', {})
    const { json: second } = await server.get<Page<Session>>(`/sessions?limit=3&cursor=${first.nextCursor}`)
    const ids = [...first.items, ...second.items].map(({ id }) => id)
    t.equal(new Set(ids).size, 6)
  })

  await t.test('runs and messages of one session', async (t) => {
    const sessionId = await client.session([{ text: 'a1' }, { raw: { status: 400, chunks: ['{"error":{"message":"no"}}'] } }, { tool_calls: [call('c', 'list_dir', {})] }, { text: 'a3' }])
    const ids: string[] = []
    for (const content of ['m1', 'm2', 'm3']) ids.push((await client.send<{ run: Run }>(sessionId, content)).json.run.id)
    t.strictSame((await walk<Run>(`/sessions/${sessionId}/runs`, 2)).map(({ id }) => id), [...ids].reverse(), 'newest first')
    t.strictSame((await walk<Run>(`/sessions/${sessionId}/runs?status=failed`, 2)).map(({ id }) => id), [ids[1]])
    for (const limit of [1, 2, 200]) {
      const items = await walk<TranscriptItem>(`/sessions/${sessionId}/messages`, limit)
      t.strictSame(items.map(({ role, content }) => `${role} ${content.map(({ text }) => text).join('')}`), ['user m1', 'assistant a1', 'user m2', 'user m3', 'assistant ', 'assistant a3'], 'oldest first')
      t.match(items[4]?.toolCalls, [{ tool: 'list_dir', arguments: {}, ok: true, content: String, error: null }], `with its result, limit ${limit}`)
    }
    const log = await client.log(sessionId)
    t.strictSame(await walk(`/sessions/${sessionId}/events`, 4), log)
    t.strictSame((await server.get<Page<object>>(`/sessions/${sessionId}/events?after=3&limit=2`)).json.items, log.slice(3, 5))
  })

  await t.test('approvals, newest first, by status and session', async (t) => {
    const sessionId = await client.session([{ tool_calls: ['a', 'b', 'c'].map((path) => call(path, 'write_file', { path, content: path })) }, { text: 'ok' }])
    const { json: run } = await client.send<Run>(sessionId, 'write')
    const [a, b, c] = run.approvals.map(({ callId }) => callId)
    const list = async (query: string) => (await walk<Approval>(`/approvals?sessionId=${sessionId}${query}`, 2)).map(({ callId }) => callId)
    t.strictSame(await list(''), [c, b, a])
    await client.decide(b ?? '', 'deny')
    t.strictSame(await list('&status=pending'), [c, a])
    t.strictSame(await list('&status=denied'), [b])
    t.strictSame(await list('&status=approved'), [])
    t.ok((await walk<Approval>('/approvals?status=pending', 2)).length >= 3, 'without a session: of all')
    t.strictSame((await walk<Approval>('/approvals?sessionId=ses_none', 2)), [])
  })

  await t.test('a limit is 1 to 200, 50 when nothing is said; what is no filter or cursor is refused', async (t) => {
    const sessionId = await client.session()
    for (const path of ['/sessions', '/approvals', `/sessions/${sessionId}/runs`, `/sessions/${sessionId}/messages`, `/sessions/${sessionId}/events`]) {
      for (const query of ['limit=0', 'limit=201', 'limit=x', 'limit=1.5', 'limit=', 'nothing=1', 'cursor=', 'status=wrong&status=idle']) {
        t.match(await server.get(`${path}?${query}`), { status: 400, json: { code: 'invalid_request' } }, `${path}?${query}`)
      }
      t.equal((await server.get(`${path}?limit=200`)).status, 200)
    }
    const garbage = ['/sessions?cursor=garbage', '/sessions?cursor=%00', `/sessions?cursor=${sessionId.toUpperCase()}`, '/approvals?cursor=garbage', `/approvals?cursor=${sessionId}`, `/sessions/${sessionId}/messages?cursor=-1`, `/sessions/${sessionId}/messages?cursor=1e3`, `/sessions/${sessionId}/runs?cursor=run_x'--`, `/sessions/${sessionId}/events?cursor=latest`, `/sessions/${sessionId}/files/?cursor=*`]
    for (const path of garbage) t.match(await server.get(path), { status: 400, json: { code: 'invalid_request', errors: [{ pointer: '/cursor' }] } }, path)
    t.equal((await server.get(`/sessions?cursor=${sessionId}`)).status, 200)
    t.match(await server.get('/sessions?status=done'), { status: 400, json: { errors: [{ pointer: '/status' }] } })
    t.match(await server.get('/sessions?metadata.bad%20key=1'), { status: 400 })
    for (let n = 0; n < 45; n++) await server.post('/sessions', {})
    t.equal((await server.get<Page<Session>>('/sessions')).json.items.length, 50)
  })
})
