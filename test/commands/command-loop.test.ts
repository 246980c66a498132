import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { test } from 'tap'
import type { SessionEvent } from '../../src/protocol/events.ts'
import type { Run, Session } from '../../src/protocol/resources.ts'
import { startModelServer, type Reply } from '../support/model-server/model-server.ts'
import { startServer } from '../support/server.ts'

interface Ready { readonly capabilities: ReadonlyArray<{ readonly available: boolean, readonly reason: string | null }> }

const model = await startModelServer(t)
const directory = mkdtempSync(join(tmpdir(), 'ecluse-command-')) // where the user of the sandbox may go
t.teardown(() => { rmSync(directory, { recursive: true, force: true }) })
chmodSync(directory, 0o711)
const server = await startServer(t, { dataDir: join(directory, 'data'), model: model.baseUrl })
const { json: { capabilities: [capability] } } = await server.get<Ready>('/ready')
const skip = capability?.available === true ? false : capability?.reason ?? 'no sandbox'

/** What the calls of one message came to, and its run. */
async function converse (replies: readonly Reply[]): Promise<{ run: Run | undefined, ends: string[] }> {
  await model.reset()
  await model.script(replies)
  const { json: session } = await server.post<Session>('/sessions', { policy: { mode: 'auto', rules: [] } })
  const { json } = await server.post<{ run: Run }>(`/sessions/${session.id}/messages`, { content: 'go' })
  const { json: log } = await server.get<{ items: SessionEvent[] }>(`/sessions/${session.id}/events`, { headers: { accept: 'application/json' } })
  return { run: json.run, ends: log.items.flatMap((event) => event.type === 'tool_call_end' ? [event.content ?? event.error?.error ?? ''] : []) }
}

const command = (command: string, timeoutMs?: number): Reply => ({ tool_calls: [{ name: 'run_command', arguments: { command, timeoutMs } }] })

test('a command that comes to the same again and again is a loop, however long it takes each time', { skip }, async (t) => {
  const { run, ends } = await converse([{ ...command('echo broken >&2; exit 1'), repeat: 20 }])
  t.match(run, { status: 'failed', finishReason: 'loop_detected', steps: 5 })
  t.match(ends[4], /^\[exit code 1 after \d+ ms\]\n\[stderr\]\nbroken\n\nNote: /)
  const stopped = await converse([{ ...command('sleep 9', 20), repeat: 20 }])
  t.match(stopped.run, { finishReason: 'loop_detected', steps: 5 }, 'also one that is stopped')
  const other = await converse([...[1, 2, 3, 4, 5, 6].map(() => command('cat /proc/sys/kernel/random/uuid')), { text: 'done' }])
  t.match(other.run, { status: 'completed', steps: 7 }, 'another output is another result')
})
