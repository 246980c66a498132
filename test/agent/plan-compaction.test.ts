import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'tap'
import { Conversation } from '../../src/agent/conversation.ts'
import { planCompaction } from '../../src/agent/plan-compaction.ts'
import { unknownUsage } from '../../src/protocol/common.ts'
import type { SessionEvent } from '../../src/protocol/events.ts'

interface Step { readonly text: number, readonly results: readonly number[] }

/** The log of some runs, the last of them unfinished: each step says something and makes calls with results so long. */
function logOf (runs: ReadonlyArray<{ readonly asked: number, readonly steps: readonly Step[] }>): SessionEvent[] {
  const events: object[] = [{ type: 'prompt_set', runId: 'run_0', reason: 'first_run', model: 'custom/x', system: 's'.repeat(500), tools: [] }]
  for (const [run, { asked, steps }] of runs.entries()) {
    const runId = `run_${run}`
    events.push({ type: 'user_message', runId, messageId: `u${run}`, content: [{ type: 'text', text: `ask ${run} ${'a'.repeat(asked)}` }] }, { type: 'run_start', runId, messageId: `u${run}`, resumed: false, environment: null })
    for (const [step, { text, results }] of steps.entries()) {
      const calls = results.map((_length, call) => ({ callId: `${run}.${step}.${call}`, tool: 'f', arguments: {} }))
      events.push({ type: 'assistant_message', runId, messageId: `m${run}.${step}`, text: `t${'b'.repeat(text)}`, reasoning: '', calls, usage: unknownUsage })
      // Ends come in any order.
      for (const [call, length] of [...results.entries()].reverse()) events.push({ type: 'tool_call_end', runId, callId: `${run}.${step}.${call}`, ok: true, content: 'r'.repeat(length) })
    }
    if (run < runs.length - 1) events.push({ type: 'run_end', runId, finishReason: 'stop' })
  }
  return events.map((event, index) => ({ ...event, seq: index + 1, at: '2026-01-01T00:00:00.000Z', sessionId: 'ses_1' }) as SessionEvent) // what the conversation reads of them
}

function fold (events: readonly SessionEvent[]): Conversation {
  const conversation = new Conversation()
  for (const event of events) conversation.absorb(event, null)
  return conversation
}

const length = fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 20_000 }))
const steps = fc.array(fc.record({ text: length, results: fc.array(length, { minLength: 1, maxLength: 4 }) }), { maxLength: 6 })
const logs = fc.array(fc.record({ asked: length, steps }), { minLength: 1, maxLength: 5 }).map(logOf)

test('whatever the conversation, a compaction makes it smaller, keeps calls and results together, and the request that is being answered', async () => {
  fc.assert(fc.property(logs, fc.double({ min: 0.05, max: 0.95, noNaN: true }), fc.integer({ min: 1, max: 3 }), (events, share, times) => {
    const log = [...events]
    const last = log.findLast((event) => event.type === 'user_message')
    assert.ok(last?.type === 'user_message')
    for (let round = 0; round < times; round++) {
      const before = fold(log)
      const summaryMax = 300
      const plan = planCompaction(before.entries, { fixed: before.fixedSize, summary: before.summary?.length ?? 0, target: before.size * share, summaryMax, runId: last.runId })
      if (plan === null) return
      const summary = plan.throughSeq === null ? null : { throughSeq: plan.throughSeq, text: 'S'.repeat(summaryMax), usage: unknownUsage }
      log.push({ type: 'compaction', seq: log.length + 1, at: last.at, sessionId: last.sessionId, runId: last.runId, reason: 'window', replacedResults: plan.replacedResults, summary })
      const after = fold(log)
      assert.ok(after.size < before.size, `${after.size} < ${before.size}`)
      const { messages } = after.request()
      assert.equal(messages[0]?.role, 'system')
      assert.equal(messages[1]?.role, 'user')
      assert.ok(messages.some((message) => message.role === 'user' && message.content.includes(last.content[0]?.text ?? '-')), 'the request that is being answered')
      for (const [position, message] of messages.entries()) {
        if (message.role === 'assistant') {
          const results = messages.slice(position + 1, position + 1 + message.calls.length)
          assert.deepEqual(results.map((result) => result.role === 'tool' ? result.callId : null), message.calls.map(({ callId }) => callId))
        }
        if (message.role === 'user') assert.notEqual(messages[position - 1]?.role, 'user', 'roles alternate')
      }
      assert.equal(messages.filter(({ role }) => role === 'tool').length, messages.flatMap((message) => message.role === 'assistant' ? message.calls : []).length)
      assert.deepEqual(fold(log).request(), after.request(), 'the same log, the same conversation')
    }
  }), { numRuns: 300 })
})

test('what is old goes first, and no more of it than is needed', async (t) => {
  const events = logOf([{ asked: 10, steps: [{ text: 5, results: [5_000] }, { text: 5, results: [5_000] }, { text: 5, results: [5_000] }] }])
  const { entries, fixedSize, size } = fold(events)
  const aim = { fixed: fixedSize, summary: 0, summaryMax: 300, runId: 'run_0' }
  t.match(planCompaction(entries, { ...aim, target: size - 3_000 }), { replacedResults: [{ callId: '0.0.0' }], throughSeq: null })
  t.match(planCompaction(entries, { ...aim, target: size - 8_000 }), { replacedResults: [{ callId: '0.0.0' }, { callId: '0.1.0' }], throughSeq: null })
  t.match(planCompaction(entries, { ...aim, target: 1_000 })?.replacedResults, [{ callId: '0.2.0' }], 'the current step last, the rest is summarised')
  t.equal(planCompaction(entries, { ...aim, target: size }), null)
})
