import { test } from 'tap'
import * as limits from '../../src/limits.ts'
import { Conversation } from '../../src/agent/conversation.ts'
import { decideFilesChanged } from '../../src/agent/decide-files.ts'
import { LivePreview } from '../../src/agent/live-preview.ts'
import { planCompaction } from '../../src/agent/plan-compaction.ts'
import { reduce } from '../../src/agent/reduce.ts'
import { seenFile, type SessionState } from '../../src/agent/state.ts'
import { summaryRequest, summaryText } from '../../src/agent/summarise.ts'
import { unknownUsage } from '../../src/protocol/common.ts'
import type { SessionEvent } from '../../src/protocol/events.ts'

const event = (seq: number, type: SessionEvent['type'], part: object) => ({ type, seq, at: '2026-01-01T00:00:00.000Z', sessionId: 'ses_1', ...part }) as SessionEvent // what the code under test reads of it
const settings = { externalId: null, title: null, model: 'demo', instructions: null, policy: { mode: 'ask', rules: [] }, limits: { maxSteps: 1, maxTokens: null, maxCostUsd: null, runTimeoutMs: 1, approvalTimeoutMs: null }, metadata: {}, createdBy: { kind: 'key' }, logVersion: 1, by: { kind: 'key' } }
const fold = (...events: object[]) => events.reduce<SessionState | null>((state, part, index) => reduce(state, event(index + 2, (part as { type: SessionEvent['type'] }).type, part)), reduce(null, event(1, 'session_start', settings)))

test('changedPathsMax: an event names so many paths and counts the rest; so does what the next run is told', (t) => {
  const paths = (count: number) => Array.from({ length: count }, (_, n) => `f${n}`)
  const told = (count: number) => decideFilesChanged(fold(), { how: 'archive', paths: paths(count), by: { kind: 'key' } }).map((draft) => draft.type === 'files_changed' ? [draft.paths.length, draft.omitted] : [])
  t.same(told(limits.changedPathsMax), [[limits.changedPathsMax, 0]])
  t.same(told(limits.changedPathsMax + 1), [[limits.changedPathsMax, 1]])
  const one = (path: string) => ({ type: 'files_changed', how: 'put', paths: [path], omitted: 0, by: { kind: 'key' } })
  const kept = (count: number) => {
    const state = fold(...paths(count).map(one))
    return [state?.changedFiles.length, state?.changedFilesOmitted]
  }
  t.same(kept(limits.changedPathsMax), [limits.changedPathsMax, 0])
  t.same(kept(limits.changedPathsMax + 1), [limits.changedPathsMax, 1])
  t.end()
})

test('seenFilesMax: so many files are known; of one more the oldest is forgotten', (t) => {
  const ended = (count: number) => fold({ type: 'tool_call_end', runId: 'run_1', callId: 'c', ok: true, content: '', seen: Array.from({ length: count }, (_, n) => ({ path: `f${n}`, sha256: 'x' })) })
  const known = (state: SessionState | null, path: string) => state === null ? null : seenFile(state, path)
  t.equal(known(ended(limits.seenFilesMax), 'f0'), 'x')
  t.equal(known(ended(limits.seenFilesMax + 1), 'f0'), undefined)
  t.equal(known(ended(limits.seenFilesMax + 1), 'f1'), 'x')
  t.end()
})

test('outputPreviewLength: a snapshot has the end of a running call\'s output, and says what is left out', (t) => {
  const preview = new LivePreview('ses_1')
  const kept = () => {
    const snapshot = preview.snapshot()
    return snapshot.type === 'snapshot' ? snapshot.outputs.map(({ text, omitted }) => [text.length, omitted]) : []
  }
  preview.output('run_1', 'c', 'x'.repeat(limits.outputPreviewLength))
  t.same(kept(), [[limits.outputPreviewLength, 0]])
  t.match(preview.output('run_1', 'c', 'end'), { offset: limits.outputPreviewLength })
  t.same(kept(), [[limits.outputPreviewLength, 3]])
  t.end()
})

test('charactersPerToken, charactersPerTokenMax: what no provider has counted is estimated, and a count that cannot be is not believed', (t) => {
  const tokens = (inputTokens: number | null) => {
    const conversation = new Conversation()
    conversation.absorb(event(1, 'prompt_set', { system: 's'.repeat(998), tools: [] }), null)
    const uncounted = conversation.tokens
    conversation.absorb(event(2, 'assistant_message', { runId: 'r', messageId: 'm', text: 't', reasoning: '', calls: [], usage: { ...unknownUsage, inputTokens } }), null)
    return { uncounted, counted: conversation.tokens, size: conversation.size }
  }
  t.equal(tokens(null).uncounted, 1_000 / limits.charactersPerToken)
  const least = 1_000 / limits.charactersPerTokenMax
  t.equal(tokens(least).counted, least)
  const { counted, size } = tokens(least - 1)
  t.equal(counted, Math.ceil(size / limits.charactersPerToken))
  t.end()
})

test('compactedResultMin: a shorter result is not replaced by a note', (t) => {
  const plan = (length: number) => planCompaction([
    { seq: 1, runId: 'r', size: 10, message: { role: 'user', content: 'go' } },
    { seq: 2, runId: 'r', size: length, message: { role: 'tool', callId: 'c1', ok: true, content: 'x'.repeat(length) } },
    { seq: 3, runId: 'r', size: 10, message: { role: 'assistant', text: 'x', reasoning: '', calls: [], echo: null } }
  ], { fixed: 0, summary: 0, target: 300, summaryMax: limits.summaryLengthMin, runId: 'r' })
  t.match(plan(limits.compactedResultMin), { replacedResults: [{ callId: 'c1' }] })
  t.same(plan(limits.compactedResultMin - 1)?.replacedResults ?? [], [])
  t.end()
})

test('summaryLengthMax, summaryInputMax, summarisedMessageMax: a summary, what it is made from and each message in that are cut in the middle', (t) => {
  const inner = (text: string) => summaryText(text).split('\n\n')[1] ?? ''
  t.equal(inner('x'.repeat(limits.summaryLengthMax)).replace('\n</summary>', '').length, limits.summaryLengthMax)
  t.match(inner('x'.repeat(limits.summaryLengthMax + 1)), /characters left out/)
  const asked = (count: number, length: number) => {
    const { messages } = summaryRequest(Array.from({ length: count }, (_, seq) => ({ seq, runId: 'r', size: length, message: { role: 'user', content: 'x'.repeat(length) } as const })), null, limits.summaryInputMax)
    return messages.map((message) => 'content' in message ? message.content : '')
  }
  t.notMatch(asked(1, limits.summarisedMessageMax)[1], /left out/)
  t.match(asked(1, limits.summarisedMessageMax + 1)[1], /left out/)
  const [system = '', user = ''] = asked(200, limits.summarisedMessageMax)
  t.ok(system.length + user.length <= limits.summaryInputMax)
  t.end()
})
