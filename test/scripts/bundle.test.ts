/** What `npm start` runs is a bundle: the tests of the process hold for it too, and it reaches a model over HTTP. */
import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import type { Session } from '../../src/protocol/resources.ts'
import { startModelServer } from '../support/model-server/model-server.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const bundle = 'build/bundle-tested'
execFileSync(process.execPath, ['scripts/bundle.mjs', 'build/src', bundle], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
process.env['SERVER_ENTRY'] = `${root}${bundle}/main.js`
const { startServer } = await import('../support/server.ts')
await import('../server/surface.test.ts')

test('what is loaded only when it is needed is part of the bundle', async (t) => {
  const model = await startModelServer(t)
  await model.script([{ text: 'hello' }])
  const server = await startServer(t, { model: model.baseUrl })
  const { json: { id } } = await server.post<Session>('/sessions', {})
  t.match(await server.post(`/sessions/${id}/messages`, { content: 'x' }), { status: 200, json: { text: 'hello' } })
  t.match(await server.get('/openapi.json'), { status: 200, json: { openapi: /^3/ } })
})
