import { test } from 'tap'
import type { SessionEvent } from '../../web/src/api/types.ts'
import { isOfKind } from '../../web/src/timeline/filter.ts'
import { timelineOf, type CallItem } from '../../web/src/timeline/timeline.ts'

const usage = { inputTokens: 10, outputTokens: 2, cachedInputTokens: null, cacheWriteTokens: null, reasoningTokens: null, costUsd: null }
const limits = { maxSteps: 5, maxTokens: null, maxCostUsd: null, runTimeoutMs: 1000, approvalTimeoutMs: null }
const preview = { summary: 'Create a.txt', paths: ['a.txt'], diff: '+x', content: null, command: null, notes: [], truncated: false, unusualCharacters: false }
const digest = 'd'.repeat(64)
const alice = { kind: 'key', name: 'alice' } as const

type Draft = { [T in SessionEvent['type']]: Omit<Extract<SessionEvent, { type: T }>, 'seq' | 'at' | 'sessionId'> }[SessionEvent['type']]

/** Events a second apart. */
function log (...drafts: Draft[]): SessionEvent[] {
  return drafts.map((draft, index) => ({ ...draft, seq: index + 1, at: `2026-01-01T00:00:${String(index).padStart(2, '0')}.000Z`, sessionId: 'ses_1' }) as SessionEvent) // the union is that of the drafts
}

const asked: Draft = { type: 'user_message', runId: 'run_1', messageId: 'msg_1', content: [{ type: 'text', text: 'write it' }], model: 'demo', limits, onApproval: 'wait', cancelOnDisconnect: false, by: alice }
const step = (args: Record<string, unknown>): Draft => ({
  type: 'assistant_message', runId: 'run_1', messageId: 'msg_2', text: '', reasoning: '', calls: [{ callId: 'call_1', tool: 'write_file', arguments: args }], finishReason: 'tool_calls', usage, model: 'demo', durationMs: 7
})
const required = (round: number, edited?: Record<string, unknown>): Draft => ({
  type: 'approval_required', runId: 'run_1', callId: 'call_1', round, tool: 'write_file', preview, digest, expiresAt: null, ...(edited === undefined ? {} : { editedArguments: { arguments: edited, by: alice } })
})
const resolved = (round: number, outcome: 'approved' | 'denied' | 'replaced', reason: string | null = null): Draft => ({
  type: 'approval_resolved', runId: 'run_1', callId: 'call_1', round, digest, outcome, by: alice, reason, rule: null
})
const started: Draft = { type: 'tool_call_start', runId: 'run_1', callId: 'call_1', tool: 'write_file', dangerous: true, digest, effects: [] }
const ended: Draft = { type: 'tool_call_end', runId: 'run_1', callId: 'call_1', tool: 'write_file', ok: true, content: 'Created', diff: '+x', verified: true, durationMs: 4, truncated: false }

const callOf = (events: readonly SessionEvent[]): CallItem | undefined => timelineOf(events).find((item) => item.kind === 'call')

test('a call carries its tool, target, arguments, times, answer and result', async (t) => {
  const events = log(asked, step({ path: 'a.txt', content: 'x' }), required(1), resolved(1, 'approved'), started, ended)
  t.strictSame(timelineOf(events).map(({ kind, id }) => [kind, id]), [['message', 'msg_1'], ['step', 'msg_2'], ['call', 'call_1']])
  t.match(callOf(events), {
    tool: 'write_file',
    target: 'a.txt',
    messageId: 'msg_2',
    arguments: { content: 'x' },
    status: 'done',
    startedAt: '2026-01-01T00:00:04.000Z',
    endedAt: '2026-01-01T00:00:05.000Z',
    durationMs: 4,
    result: 'Created',
    verified: true,
    rounds: [{ round: 1, summary: 'Create a.txt', answer: { outcome: 'approved', by: { name: 'alice' } } }]
  })
})

test('its status follows the log, event by event', async (t) => {
  const events = log(step({ path: 'a.txt' }), required(1), resolved(1, 'approved'), started, ended)
  t.strictSame(events.map((_, index) => callOf(events.slice(0, index + 1))?.status), ['planned', 'waiting', 'approved', 'running', 'done'])
})

test('changed arguments are those that run; each round keeps its own answer', async (t) => {
  const call = callOf(log(step({ path: 'a.txt' }), required(1), resolved(1, 'replaced'), required(2, { path: 'b.txt' }), resolved(2, 'denied', 'no')))
  t.match(call, { target: 'b.txt', arguments: { path: 'b.txt' }, status: 'denied', rounds: [{ answer: { outcome: 'replaced' } }, { editedBy: { name: 'alice' }, answer: { outcome: 'denied', reason: 'no' } }] })
})

test('a denied call stays denied when its error follows', async (t) => {
  const error = { error: 'denied', code: 'denied', canRetry: false, suggestion: null }
  const call = callOf(log(step({ path: 'a.txt' }), required(1), resolved(1, 'denied'), { type: 'tool_call_end', runId: 'run_1', callId: 'call_1', tool: 'write_file', ok: false, error, diff: null, verified: null, durationMs: 0, truncated: false }))
  t.match(call, { status: 'denied', error: { code: 'denied' } })
})

test('steps are counted within their run; kinds can be filtered', async (t) => {
  const second: Draft = { type: 'assistant_message', runId: 'run_1', messageId: 'msg_3', text: 'done', reasoning: '', calls: [], finishReason: 'stop', usage, model: 'demo', durationMs: 1 }
  const end: Draft = { type: 'run_end', runId: 'run_1', status: 'failed', finishReason: 'error', text: null, error: null, usage, steps: 2, durationMs: 9 }
  const items = timelineOf(log(asked, step({ path: 'a.txt' }), required(1), resolved(1, 'approved'), started, ended, second, end))
  t.strictSame(items.flatMap((item) => item.kind === 'step' ? [item.number] : []), [1, 2])
  const ids = (kind: Parameters<typeof isOfKind>[1]) => items.filter((item) => isOfKind(item, kind)).map(({ id }) => id)
  t.strictSame([ids('steps'), ids('calls'), ids('approvals'), ids('problems')], [['msg_2', 'msg_3'], ['call_1'], ['call_1'], ['end-run_1']])
  t.equal(ids('all').length, items.length)
})
