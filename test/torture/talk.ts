import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Run, Session } from '../../src/protocol/resources.ts'
import { planText } from '../support/plan-model.ts'
import type { Api } from './api.ts'
import { answerApproval, type Answering } from './answer-approval.ts'
import { readWorkspace } from './read-workspace.ts'
import { follow } from './follow.ts'
import { makePlan } from './make-plan.ts'
import type { Notes, SessionNotes } from './notes.ts'
import type { Random } from './random.ts'

const roundsMax = 6
const pollMs = 20
const hastyApprovalMs = 700

export interface TalkOptions {
  readonly api: Api
  readonly dataDir: string
  readonly notes: Notes
  readonly random: Random
  /** Begin nothing new; bring to its end what is begun. */
  readonly stopping: () => boolean
}

/** A client at work: one session after the other, each created, used, followed, and sometimes deleted. */
export async function talk (name: string, options: TalkOptions): Promise<void> {
  for (let index = 1; !options.stopping(); index++) await oneSession(`${name}-${index}`, options)
}

async function oneSession (name: string, options: TalkOptions): Promise<void> {
  const { api, notes, random } = options
  const limits = random.chance(0.3) ? { approvalTimeoutMs: hastyApprovalMs } : {}
  const created = await api.ask<Session>('POST', '/sessions', { title: name, limits }, { 'idempotency-key': name })
  if (created.status !== 201) notes.faults.push(`POST /sessions: ${created.status} ${created.text}`)
  const session: SessionNotes = { id: created.json.id, deleted: false, messages: [], decisions: [], cancels: new Set(), streams: [] }
  notes.sessions.push(session)
  const leave = new AbortController()
  const following = follow(api, session, random.fork(), leave.signal)
  try {
    for (let round = 1; round <= roundsMax && !options.stopping(); round++) {
      const runs = await post(`${name}-${round}`, name, session, options)
      // In the middle of it all.
      if (random.chance(0.02)) return await remove(session, options)
      await seeThrough(runs, session, options)
    }
    if (random.chance(0.15)) await remove(session, options)
  } finally {
    // What is told last is worth seeing.
    await sleep(pollMs)
    leave.abort()
    await following
  }
}

/** One message, or several in a row: then all but the first are queued, or interrupt. */
async function post (name: string, talk: string, session: SessionNotes, { api, dataDir, notes, random }: TalkOptions): Promise<string[]> {
  const tree = await readWorkspace(path.join(dataDir, 'workspaces', session.id))
  const count = random.pick([1, 1, 1, 2, 3])
  const runs: string[] = []
  for (let index = 1; index <= count; index++) {
    const plan = makePlan(random, talk, `${name}-${index}`, tree)
    const onBusy = index === 1 ? 'reject' : random.chance(0.2) ? 'interrupt' : 'queue'
    const answer = await api.ask<Run>('POST', `/sessions/${session.id}/messages`, { content: planText(plan), onBusy }, {
      'idempotency-key': plan.token, prefer: 'respond-async'
    })
    if (answer.status !== 202) {
      notes.faults.push(`POST a message: ${answer.status} ${answer.text}`)
      return runs
    }
    session.messages.push({ plan, interrupts: onBusy === 'interrupt', runId: answer.json.id })
    runs.push(answer.json.id)
  }
  return runs
}

/** Answers, now and then cancels, until all runs have settled. */
async function seeThrough (runs: readonly string[], session: SessionNotes, { api, notes, random }: TalkOptions): Promise<void> {
  const answering: Answering = { api, notes, session, random, choices: new Map() }
  for (const left = new Set(runs); left.size > 0; await sleep(pollMs)) {
    for (const runId of [...left]) {
      const { status, json: run, text } = await api.ask<Run>('GET', `/sessions/${session.id}/runs/${runId}`)
      if (status !== 200) {
        notes.faults.push(`GET the run ${runId}: ${status} ${text}`)
        return
      }
      if (['completed', 'failed', 'cancelled'].includes(run.status)) {
        left.delete(runId)
        continue
      }
      if (random.chance(0.01)) await cancel(runId, session, api)
      else for (const approval of run.approvals) await answerApproval(approval, answering)
    }
  }
}

async function cancel (runId: string, session: SessionNotes, api: Api): Promise<void> {
  session.cancels.add(runId)
  await api.ask('POST', `/sessions/${session.id}/runs/${runId}/cancel`, {})
}

async function remove (session: SessionNotes, { api, notes }: TalkOptions): Promise<void> {
  const { status, text } = await api.ask('DELETE', `/sessions/${session.id}`)
  // 404: it was done, and the answer to the first try was lost.
  if (status !== 204 && status !== 404) notes.faults.push(`DELETE the session: ${status} ${text}`)
  session.deleted = true
}
