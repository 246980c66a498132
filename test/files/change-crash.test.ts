import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { caller, startAgent } from '../support/agent.ts'
import { changeAtEachPoint, requests } from './change-at-each-point.ts'

test('a server that is killed between a change of a file and its event tells it at the next start, once', async (t) => {
  await changeAtEachPoint(t, [[requests.replaced, 'change_made'], [requests.tree, 'after_rename']])
})

test('a note of a change that did not come to be, that is not whole, or whose session is gone tells nothing and goes', async (t) => {
  const first = await startAgent(t, null)
  const { session } = await first.agent.createSession({}, caller, null)
  await first.close()
  const incoming = join(first.dataDir, 'incoming')
  const record = { how: 'put', paths: ['a'], by: { kind: 'key' } }
  for (const [sessionId, name, text] of [
    [session.id, 'change-1', JSON.stringify({ id: '1', path: 'a', after: { type: 'directory' }, record })],
    [session.id, 'change-2', JSON.stringify({ id: '2', path: 'a/b/c', after: { type: 'file', sha256: 'x' }, record })],
    [session.id, 'change-3', '{"id":"3","pa'],
    ['ses_gone', 'change-4', JSON.stringify({ id: '4', path: 'a', after: { type: 'absent' }, record })]
  ] as const) {
    mkdirSync(join(incoming, sessionId), { recursive: true })
    writeFileSync(join(incoming, sessionId, name), text)
  }
  const second = await startAgent(t, null, { dataDir: first.dataDir })
  t.match(await second.events(session.id), [{ type: 'session_start' }])
  t.equal((await second.events(session.id)).length, 1)
  t.same(readdirSync(incoming), [])
})
