/**
 * Writes the golden log of a release, once, when it is made; what is written is never changed again:
 *
 *   node build/test/golden/make-golden.js 0.1.0
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { openSqliteLog } from '../../src/store/sqlite/open-sqlite-log.ts'
import { caller, startAgent } from '../support/agent.ts'
import { eventually } from '../support/eventually.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { foldGolden, type StoredLine } from './fold-golden.ts'

const version = process.argv[2] ?? ''
const folder = fileURLToPath(new URL('../../../test/fixtures/golden/', import.meta.url))

test('a session in which nearly everything happens', async (t) => {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Name the release: make-golden.js 0.1.0')
  const model = await startModelServer(t)
  const { agent, dataDir, say, pending, waitFor, events, close } = await startAgent(t, model.baseUrl)
  const { session } = await agent.createSession({ title: 'golden', instructions: 'Be brief.', metadata: { for: 'golden' }, externalId: 'golden' }, caller, null)
  const call = (id: string, name: string, args: object | string) => ({ id, name, arguments: args })
  const decide = async (decision: object): Promise<void> => { await agent.decideApproval((await pending(session.id))[0]?.callId ?? '', decision, caller) }

  await model.script([
    { reasoning: 'First look.', text: 'I look.', tool_calls: [call('c1', 'read_file', { path: 'no.txt' }), call('c2', 'list_dir', {})] },
    { tool_calls: [call('c3', 'write_file', { path: 'a.txt', content: 'one\n' }), call('c4', 'write_file', { path: 'b.txt', content: 'two\n' })] },
    { text: 'Written.' }
  ])
  const first = await say(session.id, 'write two files')
  await decide({ decision: 'approve', remember: 'session' })
  await eventually(async () => (await pending(session.id)).length === 1)
  await decide({ decision: 'deny', reason: 'not that one' })
  await waitFor(first, 'end')

  await agent.files.write(session.id, 'from-outside.txt', (async function * () { yield Buffer.from('x\n') })(), { match: null, noneMatch: null }, caller)
  await agent.updateSession(session.id, { title: 'golden log', limits: { maxSteps: 9 } }, caller)
  await model.script([
    { tool_calls: [call('c5', 'edit_file', { path: 'a.txt', edits: [{ oldText: 'one', newText: '1' }] }), call('c6', 'read_file', '{"path": "cut'), call('c7', 'nothing', {})] },
    { tool_calls: [call('c8', 'delete_file', { path: 'from-outside.txt' })] },
    { text: 'Done.' }
  ])
  const second = await say(session.id, 'edit and delete', { limits: { approvalTimeoutMs: 60_000 } })
  const asked = (await pending(session.id))[0]
  const edited = await agent.decideApproval(asked?.callId ?? '', { arguments: { path: 'a.txt', edits: [{ oldText: 'one', newText: 'eins' }] } }, caller)
  await agent.decideApproval(edited.callId, { decision: 'approve', digest: edited.digest }, caller)
  await eventually(async () => (await pending(session.id)).some(({ tool }) => tool === 'delete_file'))
  await decide({ decision: 'approve' })
  await waitFor(second, 'end')

  await model.script([{ stream: ['never ', 'finished'], gate_after: 1 }, { raw: { status: 400, chunks: ['{"error":{"message":"no"}}'] } }])
  const { run: third } = await agent.postMessage(session.id, { content: 'say something' }, caller, null)
  const { run: fourth } = await agent.postMessage(session.id, { content: 'and this', onBusy: 'queue' }, caller, null)
  await model.waitForRequests(7)
  await agent.cancelRun(session.id, third.id, 'enough', caller)
  await waitFor(fourth, 'end')
  await events(session.id)
  await close()

  const log = await openSqliteLog({ path: join(dataDir, 'ecluse.db') })
  const stored = await log.readEvents(session.id, { after: 0, limit: 10_000, maxBytes: 2 ** 30 })
  await log.close()
  const lines: StoredLine[] = stored.map((event) => ({ event: JSON.parse(event.json), private: event.private === null ? null : JSON.parse(event.private) }))
  await writeFile(join(folder, `${version}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await writeFile(join(folder, `${version}.expected.json`), `${JSON.stringify(foldGolden(lines), null, 2)}\n`)
})
