import { setTimeout as sleep } from 'node:timers/promises'
import type { Approval } from '../../src/protocol/resources.ts'
import type { Api } from './api.ts'
import { contentOf } from './make-plan.ts'
import type { Notes, SessionNotes } from './notes.ts'
import type { Random } from './random.ts'

interface Choice {
  readonly decision: 'approve' | 'deny'
  readonly edited: Approval['arguments'] | null
  /** Answers when the time is over. */
  readonly late: boolean
  /** Looks at it so often before it answers. */
  looks: number
}

export interface Answering {
  readonly api: Api
  readonly notes: Notes
  readonly session: SessionNotes
  readonly random: Random
  /** By question: an answer that may have been lost is given again as it was. */
  readonly choices: Map<string, Choice>
}

interface Problem { readonly code: string, readonly approval?: Approval }

/** Answers a question as a person might: at once or after a while, yes, no, with other arguments, or too late. */
export async function answerApproval (approval: Approval, answering: Answering): Promise<void> {
  const { api, notes, session, random, choices } = answering
  const question = `${approval.callId} ${approval.round}`
  const choice = choices.get(question) ?? choose(approval, random)
  choices.set(question, choice)
  if (choice.looks-- > 0) return
  if (choice.late && approval.expiresAt !== null) await sleep(Math.max(0, Date.parse(approval.expiresAt) - Date.now()) + 20)
  const answer = await api.ask<Approval | Problem>('POST', `/approvals/${approval.callId}`, {
    decision: choice.decision, digest: approval.digest, ...(choice.edited === null ? {} : { arguments: choice.edited })
  })
  const note = (record: Approval): void => {
    session.decisions.push({ callId: approval.callId, asked: choice.decision, edited: choice.edited, status: record.status })
    if (choice.late && approval.expiresAt !== null && record.status === 'approved') notes.faults.push(`a late answer was taken: ${answer.text}`)
  }
  if (answer.status === 200) {
    note(answer.json as Approval) // as the contract says
    return
  }
  const problem = answer.json as Problem
  switch (problem.code) {
    case 'already_decided': case 'approval_expired': case 'approval_cancelled':
      if (problem.approval !== undefined) note(problem.approval)
      return
    case 'digest_mismatch': return // another plan waits by now
    case 'invalid_arguments': choices.set(question, { ...choice, edited: null }); return // what was typed fits no more
    default: notes.faults.push(`POST a decision: ${answer.status} ${answer.text}`)
  }
}

function choose (approval: Approval, random: Random): Choice {
  const token = `edited-${approval.callId}`
  const edits = approval.tool === 'write_file' && random.chance(0.15)
  return {
    decision: random.chance(0.8) ? 'approve' : 'deny',
    edited: edits ? { ...approval.arguments, content: contentOf(token, false) } : null,
    late: random.chance(0.1),
    looks: random.pick([0, 0, 0, 1, 3])
  }
}
