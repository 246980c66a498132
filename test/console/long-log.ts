/** A session of more than ten thousand events, as a long day of work leaves it. */
import path from 'node:path'
import { checkLog } from '../../src/agent/check-log.ts'
import { Sessions } from '../../src/agent/sessions.ts'
import type { EventDraft } from '../../src/agent/state.ts'
import { unknownUsage, type By } from '../../src/protocol/common.ts'
import { openSqliteLog } from '../../src/store/sqlite/open-sqlite-log.ts'

const runs = 70
const stepsARun = 20
const callsAStep = 3
const by: By = { kind: 'key' }
const limits = { maxSteps: 40, maxTokens: null, maxCostUsd: null, runTimeoutMs: 60_000, approvalTimeoutMs: null }

/** What models write: a list, code, now and then a table. */
function textOf (step: number): string {
  const table = step % 5 === 0 ? '\n\n| file | lines |\n| --- | ---: |\n| `a.ts` | 120 |\n| `b.ts` | 48 |\n' : ''
  return `Step ${step}: I read **${callsAStep} files** next.\n\n- the \`parser\`, and what calls it\n- the [tests](https://example.org/tests) beside it\n\n\`\`\`ts\nexport const step = ${step}\nconsole.log(step)\n\`\`\`\n\nThe rest of \`folder/${step}\` can wait until these are understood.${table}`
}

function runOf (run: number): EventDraft[] {
  const runId = `run_${run}`
  const said = { runId, usage: unknownUsage, model: 'custom/test', durationMs: 5 }
  const steps = Array.from({ length: stepsARun }, (_, n) => run * stepsARun + n).flatMap((step): EventDraft[] => {
    const calls = Array.from({ length: callsAStep }, (_, n) => ({ callId: `call_${step}_${n}`, tool: 'read_file', arguments: { path: `folder/file-${step}-${n}.txt` } }))
    return [
      { ...said, type: 'assistant_message', messageId: `msg_${step}`, reasoning: step % 3 === 0 ? 'What is read first decides what is read next.' : '', text: textOf(step), calls, finishReason: 'tool_calls' },
      ...calls.flatMap(({ callId, tool }): EventDraft[] => [
        { type: 'tool_call_start', runId, callId, tool, dangerous: false, digest: null, effects: [] },
        { type: 'tool_call_end', runId, callId, tool, ok: true, content: 'a line of the file\n'.repeat(20), diff: null, verified: null, durationMs: 2, truncated: false }
      ])
    ]
  })
  return [
    { type: 'user_message', runId, messageId: `msg_ask_${run}`, content: [{ type: 'text', text: `Task ${run}: read what is there` }], model: 'custom/test', limits, onApproval: 'wait', cancelOnDisconnect: false, by },
    { type: 'run_start', runId, messageId: `msg_ask_${run}`, resumed: false, limits, environment: null },
    ...steps,
    { ...said, type: 'assistant_message', messageId: `msg_end_${run}`, reasoning: '', text: `All read, ${run}.`, calls: [], finishReason: 'stop' },
    { type: 'run_end', runId, status: 'completed', finishReason: 'stop', text: `All read, ${run}.`, error: null, usage: unknownUsage, steps: stepsARun + 1, durationMs: 9 }
  ]
}

export const lastText = `All read, ${runs}.`

/** Writes the log by the server's own door. @returns how many events it has */
export async function writeLongLog (dataDir: string, sessionId: string): Promise<number> {
  const log = await openSqliteLog({ path: path.join(dataDir, 'ecluse.db') })
  const sessions = new Sessions(log, () => new Date().toISOString())
  await sessions.with(sessionId, async (live) => {
    await sessions.commit(live, () => [{
      type: 'session_start', externalId: null, title: 'Long', model: 'custom/test', instructions: null, policy: { mode: 'ask', rules: [] }, limits, metadata: {}, createdBy: by, logVersion: 1
    }])
    for (let run = 1; run <= runs; run++) await sessions.commit(live, () => runOf(run))
  })
  const events = []
  for await (const event of sessions.events(sessionId)) events.push(event)
  checkLog(events)
  await log.close()
  return events.length
}
