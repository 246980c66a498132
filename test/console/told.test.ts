import { test } from 'tap'
import type { SessionEvent } from '../../web/src/api/types.ts'
import { Teller } from '../../web/src/log/told.ts'

const facts = [
  { type: 'user_message', messageId: 'msg_1', runId: 'run_1', content: [{ type: 'text', text: 'first' }] },
  { type: 'run_start', runId: 'run_1', resumed: false },
  { type: 'user_message', messageId: 'msg_2', runId: 'run_2', content: [{ type: 'text', text: 'second' }] },
  { type: 'user_message', messageId: 'msg_3', runId: 'run_3', content: [{ type: 'text', text: 'third' }] },
  { type: 'assistant_message', messageId: 'msg_4', runId: 'run_1', text: '', reasoning: '', calls: [{ callId: 'call_1', tool: 'read_file', arguments: { path: 'a.txt' } }] },
  { type: 'run_end', runId: 'run_3', status: 'cancelled' },
  { type: 'tool_call_end', callId: 'call_1', runId: 'run_1', ok: true, content: 'text' },
  { type: 'run_end', runId: 'run_1', status: 'completed' },
  { type: 'run_start', runId: 'run_2', resumed: false }
]
const log = facts.map((fact, n) => ({ seq: n + 1, at: '2026-01-01T00:00:00.000Z', sessionId: 'ses_1', by: { kind: 'key' }, ...fact })) as unknown as SessionEvent[] // what is told needs no more of them

const queued = (told: ReturnType<Teller['told']>) => told.said.flatMap((said) => said.kind === 'user' && said.queued ? [said.id] : [])

test('a log that grows event by event is told as one that came whole', async (t) => {
  const teller = new Teller()
  for (let n = 1; n <= log.length; n++) t.strictSame(teller.told(log.slice(0, n)), new Teller().told(log.slice(0, n)), `${n} events`)
})

test('who waits for a turn is told as long as it waits; one that ends before its turn does not end the run at work', async (t) => {
  const told = log.map((_, n) => new Teller().told(log.slice(0, n + 1)))
  t.strictSame(told.map(queued), [['msg_1'], [], ['msg_2'], ['msg_2', 'msg_3'], ['msg_2', 'msg_3'], ['msg_2'], ['msg_2'], ['msg_2'], []])
  t.strictSame(told.map(({ run }) => run), [null, 'run_1', 'run_1', 'run_1', 'run_1', 'run_1', 'run_1', null, 'run_2'])
  t.equal(told.at(-1)?.calls.get('call_1')?.status, 'done')
})

test('after a reset the log is told anew, and what was told before stays as it was', async (t) => {
  const teller = new Teller()
  const before = teller.told(log)
  const kept = structuredClone(before)
  t.strictSame(teller.told([]), new Teller().told([]))
  const again = structuredClone(log)
  t.strictSame(teller.told(again.slice(0, 3)), new Teller().told(again.slice(0, 3)))
  t.strictSame(before, kept)
})
