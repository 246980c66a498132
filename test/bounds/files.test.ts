import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { test } from 'tap'
import type { Session } from '../../src/protocol/resources.ts'
import * as limits from '../../src/limits.ts'
import { startServer } from '../support/server.ts'

test('bounds of files over HTTP', async (t) => {
  const server = await startServer(t)
  const { json: { id } } = await server.post<Session>('/sessions', {})
  const bytes = { 'content-type': 'application/octet-stream' }

  await t.test('uploadBytesMax, archiveBytesMax: what says that it is larger is refused before it is sent', async (t) => {
    for (const [path, most] of [[`/sessions/${id}/files/a`, limits.uploadBytesMax], [`/sessions/${id}/archive`, limits.archiveBytesMax]] as const) {
      const put = request(`${server.url}${path}`, { method: 'PUT', headers: { ...bytes, authorization: `Bearer ${server.key}`, 'content-length': most + 1 } })
      put.flushHeaders()
      const [answer] = await once(put, 'response', { signal: AbortSignal.timeout(5_000) }) as [IncomingMessage] // as node:http has it
      t.equal(answer.statusCode, 413, path)
      put.on('error', () => {}).destroy()
    }
  })

  await t.test('directoryPageMax, directoryCursorLengthMax', async (t) => {
    t.equal((await server.get(`/sessions/${id}/files/?limit=${limits.directoryPageMax}`)).status, 200)
    t.match(await server.get(`/sessions/${id}/files/?limit=${limits.directoryPageMax + 1}`), { status: 400, json: { errors: [{ pointer: '/limit' }] } })
    t.match(await server.get(`/sessions/${id}/files/?cursor=${'a'.repeat(limits.directoryCursorLengthMax + 1)}`), { status: 400, json: { errors: [{ pointer: '/cursor' }] } })
    const longest = 'n'.repeat(limits.nameBytesMax)
    for (const name of [longest, 'o']) t.equal((await server.request('PUT', `/sessions/${id}/files/${name}`, { body: 'x', headers: bytes })).status, 201)
    const { nextCursor } = (await server.get<{ nextCursor: string }>(`/sessions/${id}/files/?limit=1`)).json
    t.match(await server.get(`/sessions/${id}/files/?limit=1&cursor=${nextCursor}`), { status: 200, json: { entries: [{ name: 'o' }], nextCursor: null } })
  })
})
