import type { By, JsonObject, Policy, Rule, Usage } from '../protocol/common.ts'
import type { EventOf } from '../protocol/events.ts'
import type { Preview } from '../protocol/plan.ts'
import { approvalRoundsMax, callsPerStepMax } from '../limits.ts'
import type { Plan, Tool } from '../tools/tool.ts'
import { Drafting } from './drafting.ts'
import { decidePolicy } from './policy/decide-policy.ts'
import { narrowestRule } from './policy/narrowest-rule.ts'
import { approvalResolved, callFailed, endRun, runError } from './settle.ts'
import type { ActiveRun, CallState, EventDraft, SessionState } from './state.ts'

/** A call whose plan has just been worked out. */
export interface PlannedCall {
  readonly callId: string
  readonly tool: Pick<Tool, 'name' | 'dangerous'>
  readonly plan: Plan
  /** The preview as events carry it; the whole one is kept beside the event. */
  readonly shortPreview: Preview
  /** Every call before it has ended: it may start if it is let. */
  readonly mayStart: boolean
  /** What the model was asked for to plan it, and no event has told. */
  readonly usage: Usage | null
}

/** What a plan rests on beyond its arguments, in the private part of the events that stand for it. */
export interface PlanPrivate { readonly resolved?: JsonObject }

/** The private part of an `approval_required`. */
export interface ApprovalPrivate extends PlanPrivate {
  readonly preview: Preview
  /** What remembering the approval would add to the session. */
  readonly rememberRule?: Rule | null
}

/** What a fresh plan leads to: an end, a question, a start, or nothing yet. Pure. */
export function decidePlanned (state: SessionState, planned: PlannedCall, serverPolicy: Policy, now: string): EventDraft[] {
  const run = state.run
  const call = run?.calls.find((call) => call.callId === planned.callId)
  if (!run || !call || run.cancelRequested || (call.status !== 'new' && call.status !== 'approved')) return []
  const { plan, tool } = planned
  const decision = decidePolicy(serverPolicy, state.policy, { ...plan, tool: tool.name, dangerous: tool.dangerous })
  if (decision === 'deny') {
    return [{
      ...callFailed(run.runId, { callId: call.callId, tool: tool.name }, 'denied_by_policy', `The policy of this session does not allow ${tool.name} here. Nothing was done.`,
        'Do without it, or tell the person that the policy stands in the way.'),
      ...usageOf(planned)
    }]
  }
  if (call.status === 'approved') {
    if (call.digest === plan.digest) return planned.mayStart ? [started(run, planned)] : []
    return askAgain(state, run, call, planned, now)
  }
  if (decision === 'ask') return ask(state, run, call, planned, now)
  return planned.mayStart ? [started(run, planned)] : []
}

function usageOf ({ usage }: PlannedCall): { usage?: Usage } { return usage === null ? {} : { usage } }

function resolvedOf ({ plan }: PlannedCall): PlanPrivate { return plan.resolved === undefined ? {} : { resolved: plan.resolved } }

function started (run: ActiveRun, planned: PlannedCall): EventDraft {
  const { callId, tool, plan } = planned
  return {
    type: 'tool_call_start',
    runId: run.runId,
    callId,
    tool: tool.name,
    dangerous: tool.dangerous,
    digest: tool.dangerous ? plan.digest : null,
    effects: [...plan.effects],
    ...usageOf(planned),
    ...(plan.resolved === undefined ? {} : { private: resolvedOf(planned) })
  }
}

/** What was approved is not what would happen now: the files have changed since. */
function askAgain (state: SessionState, run: ActiveRun, call: CallState, planned: PlannedCall, now: string): EventDraft[] {
  if (call.round < approvalRoundsMax) return ask(state, run, call, planned, now)
  return [{
    ...callFailed(run.runId, { callId: call.callId, tool: planned.tool.name }, 'changed',
      `What the call would change has changed ${approvalRoundsMax} times while people looked at it. Nothing was done.`,
      'Look at the files again, then make a new call.'),
    ...usageOf(planned)
  }]
}

function ask (state: SessionState, run: ActiveRun, call: CallState, planned: PlannedCall, now: string): EventDraft[] {
  const required = approvalRequired(run, call.round + 1, planned, now)
  const question = { callId: call.callId, round: call.round + 1, digest: planned.plan.digest }
  const by: By = { kind: 'policy' }
  switch (run.onApproval) {
    case 'wait': return [required]
    case 'deny': return [
      required,
      approvalResolved(run.runId, question, 'denied', by, 'This message allows no approvals.'),
      callFailed(run.runId, { callId: call.callId, tool: planned.tool.name }, 'denied', 'The call needs an approval, and nobody is there to give it. Nothing was done.',
        'Do what can be done without it, and say what is left.')
    ]
    case 'fail': {
      const drafting = new Drafting(state.sessionId, state, now).add(required)
      const error = runError('approval_required', `${planned.tool.name} needs an approval, and the message said onApproval: fail.`,
        'Allow the call by the session\'s policy, or send the message with onApproval: wait.')
      const asked = drafting.state?.run
      return asked ? [required, ...endRun(asked, { status: 'failed', finishReason: 'error', error }, now)] : []
    }
    default: return run.onApproval satisfies never
  }
}

export function approvalRequired (
  run: ActiveRun, round: number, planned: PlannedCall, now: string,
  editedArguments?: EventOf<'approval_required'>['editedArguments']
): EventDraft {
  const { plan, tool } = planned
  const hidden: ApprovalPrivate = {
    preview: plan.preview, rememberRule: narrowestRule({ ...plan, tool: tool.name, dangerous: tool.dangerous }), ...resolvedOf(planned)
  }
  return {
    type: 'approval_required',
    runId: run.runId,
    callId: planned.callId,
    round,
    tool: planned.tool.name,
    preview: planned.shortPreview,
    digest: planned.plan.digest,
    expiresAt: run.limits.approvalTimeoutMs === null ? null : new Date(Date.parse(now) + run.limits.approvalTimeoutMs).toISOString(),
    ...usageOf(planned),
    ...(editedArguments === undefined ? {} : { editedArguments }),
    private: hidden
  }
}

/** Calls of one message beyond the bound are not run. */
export function isBeyondBound (run: ActiveRun, callId: string): boolean {
  return run.calls.findIndex((call) => call.callId === callId) >= callsPerStepMax
}
