import { test } from 'tap'
import type { StreamEvent } from '../../web/src/api/types.ts'
import { emptyLog, takeIn } from '../../web/src/log/log-state.ts'

const delta = (offset: number, text: string, messageId = 'msg_1'): StreamEvent => ({ type: 'text_delta', sessionId: 'ses_1', runId: 'run_1', messageId, offset, text })
const end = (seq: number): StreamEvent => ({ type: 'session_end', seq, at: '2026-01-01T00:00:00.000Z', sessionId: 'ses_1', by: { kind: 'key' } })

test('pieces of a text stand where their offset says: what comes twice changes nothing', async (t) => {
  const once = takeIn(emptyLog, [delta(0, 'Hello '), delta(6, 'world')])
  t.equal(once.message?.text, 'Hello world')
  t.equal(takeIn(once, [delta(6, 'world')]).message?.text, 'Hello world')
})

test('an event of the log that came before is not taken again', async (t) => {
  const first = takeIn(emptyLog, [end(1), end(2)])
  t.strictSame(takeIn(first, [end(1), end(2), end(3)]).events.map((event) => event.seq), [1, 2, 3])
})

test('a snapshot replaces every preview, a reset everything', async (t) => {
  const state = takeIn(emptyLog, [end(1), delta(0, 'old'), { type: 'tool_output_delta', sessionId: 'ses_1', runId: 'run_1', callId: 'call_1', offset: 0, text: 'x' }])
  const snapped = takeIn(state, [{ type: 'snapshot', sessionId: 'ses_1', outputs: [{ runId: 'run_1', callId: 'call_2', text: 'tail', omitted: 9 }] }])
  t.equal(snapped.message, null)
  t.strictSame([...snapped.outputs], [['call_2', { text: 'tail', omitted: 9 }]])
  t.strictSame(takeIn(state, [{ type: 'reset', sessionId: 'ses_1', reason: null }]), emptyLog)
})

test('a retry voids what was shown of the message', async (t) => {
  const state = takeIn(emptyLog, [delta(0, 'half'), { type: 'retry', sessionId: 'ses_1', runId: 'run_1', messageId: 'msg_1', attempt: 1, delayMs: 10, code: 'model_connection', detail: 'gone' }])
  t.match(state, { message: null, retry: { attempt: 1 } })
  t.match(takeIn(state, [delta(0, 'again', 'msg_2')]), { message: { text: 'again' }, retry: null })
})

test('of a long output the end is kept, and how much is missing', async (t) => {
  const text = 'a'.repeat(100_000)
  const output = takeIn(emptyLog, [{ type: 'tool_output_delta', sessionId: 'ses_1', runId: 'run_1', callId: 'call_1', offset: 0, text }, { type: 'tool_output_delta', sessionId: 'ses_1', runId: 'run_1', callId: 'call_1', offset: 100_000, text: 'end' }]).outputs.get('call_1')
  t.equal((output?.text.length ?? 0) + (output?.omitted ?? 0), 100_003)
  t.match(output?.text, /aend$/)
})
