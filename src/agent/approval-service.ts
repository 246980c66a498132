import { AgentError, ToolFailure } from '../errors.ts'
import type { JsonObject, Rule } from '../protocol/common.ts'
import type { Approval, ApprovalStatus, DecideApproval } from '../protocol/resources.ts'
import type { ApprovalRow, Page } from '../store/event-log.ts'
import { byOf, requireScope } from './access.ts'
import type { AgentContext } from './agent-context.ts'
import { teamOf, type Caller } from './caller.ts'
import { decideApproval, decideCovered, NotPending } from './decide-approval.ts'
import type { PlannedCall } from './decide-calls.ts'
import { Drive } from './drive.ts'
import { planStep } from './plan-step.ts'
import type { LiveSession } from './live-session.ts'
import { requireLogRoom } from './log-room.ts'
import { narrowestRule } from './policy/narrowest-rule.ts'
import { presentApproval } from './present.ts'
import type { PageQuery } from './service.ts'
import { waitingCalls } from './state.ts'

/** The questions that wait for people, and their answers. */
export class ApprovalService {
  readonly #context: AgentContext

  constructor (context: AgentContext) { this.#context = context }

  async list (query: PageQuery & { status: ApprovalStatus | null, sessionId: string | null }, caller: Caller): Promise<Page<Approval>> {
    requireScope(caller, 'read')
    const { log } = this.#context.sessions
    const page = await log.listApprovals({ ...query, team: teamOf(caller.name), runId: null })
    return { items: await Promise.all(page.items.map((row) => presentApproval(log, row))), nextCursor: page.nextCursor }
  }

  async get (callId: string, caller: Caller): Promise<Approval> {
    requireScope(caller, 'read')
    return await this.#get(callId, caller)
  }

  /** Whoever may decide may see what there is to decide. */
  async #get (callId: string, caller: Caller): Promise<Approval> {
    return await presentApproval(this.#context.sessions.log, await this.#row(callId, caller))
  }

  async decide (callId: string, input: DecideApproval, caller: Caller): Promise<Approval> {
    requireScope(caller, 'approve')
    checkForm(input)
    const row = await this.#row(callId, caller)
    return await this.#context.sessions.with(row.sessionId, async (live) => {
      await this.#context.sessions.catchUp(live)
      // A decision settles what is open; changed arguments could ask for ever.
      if (input.arguments !== undefined) requireLogRoom(this.#context, live)
      let rule: Rule | null = null
      try {
        const edited = input.arguments === undefined ? null : await this.#planEdited(live, callId, input.arguments)
        rule = input.remember === undefined ? null : await this.#rule(live, callId, edited?.planned ?? null)
        await this.#context.sessions.commit(live, (state, now) => decideApproval(state, {
          callId,
          decision: input.decision ?? null,
          digest: input.digest ?? null,
          reason: input.reason ?? null,
          rule,
          edited,
          by: byOf(caller)
        }, now))
      } catch (error) {
        if (error instanceof NotPending) return tooLate(await this.#get(callId, caller), input)
        if (error instanceof AgentError && (error.code === 'digest_required' || error.code === 'digest_mismatch')) {
          throw new AgentError(error.code, error.message, { ...error.details, extra: { approval: await this.#get(callId, caller) } })
        }
        throw error
      }
      this.#context.checkpoint('decided')
      if (rule !== null) await this.#settleCovered(live)
      const approval = await this.#get(callId, caller)
      if (approval.status === 'expired') return tooLate(approval, input)
      return approval
    })
  }

  async #row (callId: string, caller: Caller): Promise<ApprovalRow> {
    const row = await this.#context.sessions.log.readApproval(callId)
    const state = row === null ? null : await this.#context.sessions.read(row.sessionId)
    if (row === null || row.team !== teamOf(caller.name) || state === null || state.ended) {
      throw new AgentError('approval_not_found', 'There is no approval for this call id.', { suggestion: 'GET /approvals lists them.' })
    }
    return row
  }

  /** @throws AgentError invalid_arguments, when what the person wrote cannot be planned */
  async #planEdited (live: LiveSession, callId: string, args: JsonObject): Promise<{ arguments: JsonObject, planned: PlannedCall }> {
    const planned = await this.#plan(live, callId, args)
    if (planned === null) throw new NotPending()
    if (planned instanceof ToolFailure) {
      throw new AgentError('invalid_arguments', planned.message, {
        ...(planned.suggestion === null ? {} : { suggestion: planned.suggestion }), errors: [{ pointer: '/arguments', detail: planned.message }]
      })
    }
    return { arguments: planned.plan.arguments, planned }
  }

  /** @throws AgentError invalid_request, when no rule can hold the call */
  async #rule (live: LiveSession, callId: string, edited: PlannedCall | null): Promise<Rule | null> {
    const planned = edited ?? await this.#plan(live, callId, null)
    if (planned === null || planned instanceof ToolFailure) return null
    const rule = narrowestRule({ ...planned.plan, tool: planned.tool.name, dangerous: planned.tool.dangerous })
    if (rule !== null) return rule
    throw new AgentError('invalid_request', 'The call is too long to be remembered.', {
      suggestion: 'Decide without remember.', errors: [{ pointer: '/remember', detail: 'Only for a call whose rule fits into 1024 characters.' }]
    })
  }

  /** A rule may answer for others that wait: each is planned again, and settled only on the plan that was asked about. */
  async #settleCovered (live: LiveSession): Promise<void> {
    for (const call of live.state?.run ? waitingCalls(live.state.run) : []) {
      const planned = await this.#plan(live, call.callId, null)
      if (planned === null || planned instanceof ToolFailure) continue
      await this.#context.sessions.commit(live, (state, now) => decideCovered(state, planned, this.#context.serverPolicy, now))
    }
  }

  /** Null: the call does not wait. Only what a person changed is worth asking the model: anything else was asked about as it stands. */
  async #plan (live: LiveSession, callId: string, args: JsonObject | null): Promise<PlannedCall | ToolFailure | null> {
    const run = live.state?.run
    if (!run || !waitingCalls(run).some((call) => call.callId === callId)) return null
    const drive = new Drive(this.#context, live, { asksModel: args !== null })
    try {
      return await planStep(drive, callId, args)
    } finally {
      await drive.close()
    }
  }
}

/** @throws AgentError invalid_request for a body that decides nothing, or asks to remember a denial */
function checkForm (input: DecideApproval): void {
  if (input.decision === undefined && input.arguments === undefined) {
    throw new AgentError('invalid_request', 'The body names neither a decision nor arguments.', { errors: [{ pointer: '/decision', detail: 'approve or deny' }] })
  }
  if (input.remember !== undefined && input.decision !== 'approve') {
    throw new AgentError('invalid_request', 'Only an approval can be remembered.', { errors: [{ pointer: '/remember', detail: 'Only with decision: approve.' }] })
  }
}

/** The same decision again is that decision; anything else comes too late. @throws AgentError with the record */
function tooLate (approval: Approval, input: DecideApproval): Approval {
  const same = (input.decision === 'approve' && approval.status === 'approved') || (input.decision === 'deny' && approval.status === 'denied')
  if (same && input.arguments === undefined && (input.digest === undefined || input.digest === approval.digest)) return approval
  const extra = { approval }
  switch (approval.status) {
    case 'approved': case 'denied': throw new AgentError('already_decided', `The call was ${approval.status} before.`, { extra })
    case 'expired': throw new AgentError('approval_expired', 'The approval has expired; nothing was run.', { extra })
    case 'cancelled': case 'pending': throw new AgentError('approval_cancelled', 'The run was cancelled; nothing was run.', { extra })
    default: return approval.status satisfies never
  }
}
