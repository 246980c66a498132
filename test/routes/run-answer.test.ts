import { test } from 'tap'
import type { AgentError } from '../../src/errors.ts'
import { unknownUsage } from '../../src/protocol/common.ts'
import type { Run } from '../../src/protocol/resources.ts'
import { plainText, presentRun, type RunPresentation } from '../../src/routes/run-answer.ts'

function runThat (facts: Partial<Run>): Run {
  return {
    id: 'run_1',
    sessionId: 'ses_1',
    messageId: 'msg_1',
    status: 'completed',
    finishReason: 'stop',
    text: 'the answer',
    error: null,
    usage: unknownUsage,
    steps: 1,
    approvals: [],
    createdAt: '2026-01-01T00:00:00.000Z',
    startedAt: null,
    endedAt: null,
    ...facts
  }
}

const runs = {
  completed: runThat({}),
  'completed at a limit': runThat({ finishReason: 'max_steps', text: 'half' }),
  failed: runThat({ status: 'failed', finishReason: 'error', text: 'half', error: { code: 'model_overloaded', detail: 'The provider is overloaded.', canRetry: true, suggestion: 'Later.' } }),
  cancelled: runThat({ status: 'cancelled', finishReason: 'cancelled', text: null }),
  asking: runThat({ status: 'awaiting_approval', finishReason: null, text: null }),
  queued: runThat({ status: 'queued', finishReason: null, text: null }),
  running: runThat({ status: 'running', finishReason: null, text: null })
}

const table: Array<[run: keyof typeof runs, form: 'json' | 'text', kind: RunPresentation['kind'], status: number, code: string | null]> = [
  ['completed', 'json', 'json', 200, null],
  ['completed at a limit', 'json', 'json', 200, null],
  ['failed', 'json', 'problem', 424, 'run_failed'],
  ['cancelled', 'json', 'problem', 409, 'run_cancelled'],
  ['asking', 'json', 'json', 202, null],
  ['queued', 'json', 'json', 202, null],
  ['running', 'json', 'json', 202, null],
  ['completed', 'text', 'text', 200, null],
  ['completed at a limit', 'text', 'problem', 424, 'run_failed'],
  ['failed', 'text', 'problem', 424, 'run_failed'],
  ['cancelled', 'text', 'problem', 409, 'run_cancelled'],
  ['asking', 'text', 'problem', 409, 'approval_required'],
  ['queued', 'text', 'empty', 202, null],
  ['running', 'text', 'empty', 202, null]
]

for (const [name, form, kind, status, code] of table) {
  test(`a run that is ${name} is told as ${form} with ${status}`, async (t) => {
    const presented = presentRun(runs[name], form)
    t.equal(presented.kind, kind)
    t.equal(presented.kind === 'problem' ? presented.error.status : presented.status, status)
    if (presented.kind === 'problem') t.equal(presented.error.code, code)
  })
}

test('a problem has the run, the text so far and what to do', async (t) => {
  const presented = presentRun(runs.failed, 'text')
  const { message, details } = (presented as { error: AgentError }).error // the table above holds that it is a problem
  t.equal(message, 'The provider is overloaded.')
  t.match(details, { suggestion: 'Later.', extra: { text: 'half', run: { id: 'run_1', error: { code: 'model_overloaded' } } } })
})

test('plain text keeps newlines and tabs, and nothing else that controls a terminal', async (t) => {
  t.equal(plainText('a\tb\r\nc\u001b[31md\u0007\u0000\u007f\u009b'), 'a\tb\nc[31md')
  t.equal(plainText('é 日本 🚢'), 'é 日本 🚢')
})
