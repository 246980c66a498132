import { AgentError } from '../errors.ts'
import { rulesMax } from '../limits.ts'
import type { By, JsonObject, Policy, Rule } from '../protocol/common.ts'
import { approvalRequired, type PlannedCall } from './decide-calls.ts'
import { Drafting } from './drafting.ts'
import { decidePolicy } from './policy/decide-policy.ts'
import { approvalResolved, callFailed } from './settle.ts'
import { waitingCalls, type ActiveRun, type EventDraft, type SessionState, type WaitingCall } from './state.ts'

export interface ApprovalCommand {
  readonly callId: string
  readonly decision: 'approve' | 'deny' | null
  readonly digest: string | null
  readonly reason: string | null
  /** The rule to add to the session. */
  readonly rule: Rule | null
  /** The plan of changed arguments, worked out before. */
  readonly edited: { readonly arguments: JsonObject, readonly planned: PlannedCall } | null
  readonly by: By
}

/** The call waits no longer: whoever asked is told how it was settled. */
export class NotPending extends Error {}

/**
 * Settles the open round, by the rules: an old click cannot approve a new plan, a late one approves nothing.
 * @throws AgentError digest_required, digest_mismatch, invalid_request when the session can have no further rule
 * @throws NotPending
 */
export function decideApproval (state: SessionState | null, command: ApprovalCommand, now: string): EventDraft[] {
  const run = state?.run
  const call = run ? waitingCalls(run).find((call) => call.callId === command.callId) : undefined
  if (!state || state.ended || !run || run.cancelRequested || call === undefined) throw new NotPending()
  // The timer may not have fired: late is late.
  if (isExpired(call, now)) return expired(run, call)
  if (command.digest === null && call.round > 1) throw new AgentError('digest_required', `The plan has changed: this is round ${call.round}. Look at it and send its digest.`)
  if (command.digest !== null && command.digest !== call.digest) throw new AgentError('digest_mismatch', 'The plan that waits is not the one with this digest.', { suggestion: 'GET the approval and decide on what it shows.' })

  const drafting = new Drafting(state.sessionId, state, now)
  const drafts: EventDraft[] = []
  const add = (...more: EventDraft[]): void => {
    drafts.push(...more)
    drafting.add(...more)
  }
  let question: { callId: string, round: number, digest: string } = call
  if (command.edited !== null) {
    add(
      approvalResolved(run.runId, call, 'replaced', command.by, command.reason),
      approvalRequired(run, call.round + 1, command.edited.planned, now, { arguments: command.edited.arguments, by: command.by })
    )
    question = { callId: call.callId, round: call.round + 1, digest: command.edited.planned.plan.digest }
  }
  switch (command.decision) {
    case null: break
    case 'approve':
      add({
        type: 'approval_resolved',
        runId: run.runId,
        callId: call.callId,
        round: question.round,
        digest: question.digest,
        outcome: 'approved',
        by: command.by,
        reason: command.reason,
        rule: command.rule
      })
      if (command.rule !== null && !state.policy.rules.some((rule) => isSameRule(rule, command.rule))) {
        add({ type: 'session_update', changes: { policy: withRule(state.policy, command.rule) }, callId: call.callId, by: command.by })
      }
      break
    case 'deny':
      add(
        approvalResolved(run.runId, question, 'denied', command.by, command.reason),
        callFailed(run.runId, call, 'denied',
          `A person denied this call; nothing was done.${command.reason === null ? '' : ` Their reason: ${command.reason}`}`,
          'Do not make the call again. Do what the reason says, find another way, or ask.')
      )
      break
    default: command.decision satisfies never
  }
  return drafts
}

/** By what they say, however they were written. */
function isSameRule (one: Rule, other: Rule | null): boolean {
  return one.tool === other?.tool && one.path === other.path && one.command === other.command && one.decision === other.decision
}

function withRule (policy: Policy, rule: Rule): Policy {
  if (policy.rules.length < rulesMax) return { ...policy, rules: [...policy.rules, rule] }
  throw new AgentError('invalid_request', `The session has ${rulesMax} rules and can have no more.`, {
    suggestion: 'Decide without remember, or give the session fewer and wider rules: PATCH /sessions/:id.',
    errors: [{ pointer: '/remember', detail: `Only where the session has fewer than ${rulesMax} rules.` }]
  })
}

/** Another call that waits is covered by a rule that was added: policy answers for it now. */
export function decideCovered (state: SessionState | null, planned: PlannedCall, serverPolicy: Policy, now: string): EventDraft[] {
  const run = state?.run
  const call = run ? waitingCalls(run).find((call) => call.callId === planned.callId) : undefined
  if (!state || !run || run.cancelRequested || call === undefined || isExpired(call, now) || call.digest !== planned.plan.digest) return []
  const decision = decidePolicy(serverPolicy, state.policy, { ...planned.plan, tool: planned.tool.name, dangerous: planned.tool.dangerous })
  return decision === 'allow' ? [approvalResolved(run.runId, call, 'approved', { kind: 'policy' })] : []
}

/** Every waiting call whose time is over, as denied by nobody. */
export function decideExpiry (state: SessionState | null, now: string): EventDraft[] {
  const run = state?.run
  if (!state || state.ended || !run || run.cancelRequested) return []
  return waitingCalls(run).filter((call) => isExpired(call, now)).flatMap((call) => expired(run, call))
}

function isExpired (call: WaitingCall, now: string): boolean {
  return call.expiresAt !== null && call.expiresAt <= now
}

function expired (run: ActiveRun, call: WaitingCall): EventDraft[] {
  return [
    approvalResolved(run.runId, call, 'expired', { kind: 'expiry' }),
    callFailed(run.runId, call, 'approval_expired', 'Nobody decided on this call in time; it timed out and nothing was done.',
      'Do what can be done without it, and say what is left.')
  ]
}
