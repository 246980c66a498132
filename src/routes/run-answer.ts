import { AgentError } from '../errors.ts'
import type { Run, RunAnswer } from '../protocol/resources.ts'

/** How a run is told to a client that does not stream. */
export type RunPresentation =
  | { readonly kind: 'json', readonly status: 200, readonly body: RunAnswer }
  | { readonly kind: 'json', readonly status: 202, readonly body: Run }
  | { readonly kind: 'text', readonly status: 200, readonly body: string }
  /** Nothing that a script could take for the answer; `Location` says where it will be. */
  | { readonly kind: 'empty', readonly status: 202 }
  | { readonly kind: 'problem', readonly error: AgentError }

/** The run as it is, in the form that was asked for. Statuses that say "send it again" never describe a run. */
export function presentRun (run: Run, form: 'json' | 'text'): RunPresentation {
  switch (run.status) {
    case 'completed':
      if (form === 'json') return { kind: 'json', status: 200, body: { run, text: run.text, usage: run.usage } }
      return run.finishReason === 'stop'
        ? { kind: 'text', status: 200, body: plainText(run.text ?? '') }
        : problem('run_failed', run, `The run ended without a full answer: ${run.finishReason ?? 'unknown'}.`)
    case 'failed': return problem('run_failed', run, run.error?.detail ?? 'The run failed.')
    case 'cancelled': return problem('run_cancelled', run, 'The run was cancelled before it had answered.')
    case 'awaiting_approval':
      return form === 'json'
        ? { kind: 'json', status: 202, body: run }
        : problem('approval_required', run, `The run waits for ${run.approvals.length} approval(s).`, 'Decide with POST /approvals/CALL_ID, then read the run.')
    case 'queued':
    case 'running':
      return form === 'json' ? { kind: 'json', status: 202, body: run } : { kind: 'empty', status: 202 }
  }
}

function problem (code: 'run_failed' | 'run_cancelled' | 'approval_required', run: Run, detail: string, suggestion = run.error?.suggestion): RunPresentation {
  return {
    kind: 'problem',
    error: new AgentError(code, detail, { extra: { run, text: run.text }, ...(typeof suggestion === 'string' ? { suggestion } : {}) })
  }
}

/** What may go to a terminal: an answer must not move its cursor or recolour it. */
export function plainText (text: string): string {
  // eslint-disable-next-line no-control-regex -- it is what this is about
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}
