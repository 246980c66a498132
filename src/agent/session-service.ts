import { AgentError } from '../errors.ts'
import type { Policy, RunLimits, Metadata } from '../protocol/common.ts'
import type { SessionEvent } from '../protocol/events.ts'
import type { CreateSession, Session, SessionStatus, TranscriptItem, UpdateSession } from '../protocol/resources.ts'
import { replayPageBytes } from '../limits.ts'
import type { IdempotencyRow, Page } from '../store/event-log.ts'
import { byOf, requireScope, visible } from './access.ts'
import type { AgentContext } from './agent-context.ts'
import { teamOf, type Caller } from './caller.ts'
import { decideCancel } from './decide-run.ts'
import { decideCreate, decideDelete, decideUpdate, sessionGone, type SessionChanges, type SessionSettings } from './decide-session.ts'
import { newId } from './ids.ts'
import { requireLogRoom } from './log-room.ts'
import type { LiveSession } from './live-session.ts'
import { isLooser } from './policy/decide-policy.ts'
import { toSession } from './project.ts'
import type { Purger } from './purger.ts'
import { resolveLimits, type LimitCeilings } from './resolve-limits.ts'
import type { Runner } from './runner.ts'
import type { IdempotencyKey, PageQuery } from './service.ts'
import { fromStored } from './sessions.ts'
import { Transcript, transcriptEvents } from './transcript.ts'
import { until } from './until.ts'

export interface SessionStandards {
  readonly policy: Policy
  readonly limits: RunLimits
  readonly ceilings: LimitCeilings
}

/** Sessions: made, listed, read, changed, deleted. */
export class SessionService {
  readonly #context: AgentContext
  readonly #standards: SessionStandards
  readonly #runner: Runner
  readonly #purger: Purger

  constructor (context: AgentContext, standards: SessionStandards, runner: Runner, purger: Purger) {
    this.#context = context
    this.#standards = standards
    this.#runner = runner
    this.#purger = purger
  }

  async create (input: CreateSession, caller: Caller, idempotency: IdempotencyKey | null): Promise<{ session: Session, created: boolean }> {
    requireScope(caller, 'run')
    const settings = this.#settings(input, caller)
    const team = teamOf(caller.name)
    const known = settings.externalId === null ? null : await this.#context.sessions.log.findExternal(team, settings.externalId)
    if (known !== null) return { session: toSession(await this.#context.sessions.stateOf(known)), created: false }

    const sessionId = newId('ses')
    // The directory first: a session without one could not run, a directory without a session is only empty.
    await this.#context.workspaces.create(sessionId)
    const row: IdempotencyRow | null = idempotency === null
      ? null
      : { scope: `${caller.keyId ?? ''} POST /sessions`, ...idempotency, sessionId, runId: null, createdAt: this.#context.sessions.now() }
    return await this.#context.sessions.with(sessionId, async (live) => {
      const result = await this.#context.sessions.commit(live, (state) => decideCreate(state, settings, byOf(caller)), row)
      if (result.status === 'committed' || result.status === 'unchanged') return { session: toSession(visible(live.state, caller)), created: true }
      this.#purger.discardWorkspace(sessionId)
      if (result.status === 'external_id_taken') return { session: await this.#get(result.sessionId, caller), created: false }
      if (result.row.fingerprint !== idempotency?.fingerprint) throw keyReused()
      return { session: await this.#get(result.row.sessionId, caller), created: true }
    })
  }

  async list (query: PageQuery & { status: SessionStatus | null, metadata: Metadata }, caller: Caller): Promise<Page<Session>> {
    requireScope(caller, 'read')
    const page = await this.#context.sessions.log.listSessions({ ...query, team: teamOf(caller.name) })
    return {
      items: await Promise.all(page.items.map(async (head) => toSession(await this.#context.sessions.stateOf(head)))),
      nextCursor: page.nextCursor
    }
  }

  async get (sessionId: string, caller: Caller): Promise<Session> {
    requireScope(caller, 'read')
    return await this.#get(sessionId, caller)
  }

  /** Whoever may make a session may see the one that is there already. */
  async #get (sessionId: string, caller: Caller): Promise<Session> {
    return toSession(visible(await this.#context.sessions.read(sessionId), caller))
  }

  async update (sessionId: string, patch: UpdateSession, caller: Caller): Promise<Session> {
    requireScope(caller, 'run')
    return await this.#context.sessions.with(sessionId, async (live) => {
      visible(live.state, caller)
      requireLogRoom(this.#context, live)
      await this.#context.sessions.commit(live, (state) => decideUpdate(state, (state) => this.#changes(patch, state, caller), byOf(caller)))
      return toSession(visible(live.state, caller))
    })
  }

  /** Cancels what runs, awaits its bounded end, ends the session; its files and events go in steps that a restart continues. */
  async delete (sessionId: string, caller: Caller): Promise<void> {
    requireScope(caller, 'run')
    await this.#context.sessions.with(sessionId, async (live) => {
      visible(live.state, caller)
      await this.#quiet(live, caller)
      await this.#context.sessions.commit(live, (state, now) => decideDelete(state, byOf(caller), now))
    })
    this.#purger.purge(sessionId)
  }

  async messages (sessionId: string, query: PageQuery, caller: Caller): Promise<Page<TranscriptItem>> {
    requireScope(caller, 'read')
    visible(await this.#context.sessions.read(sessionId), caller)
    const transcript = new Transcript()
    for await (const event of this.#context.sessions.events(sessionId, seqOf(query.cursor), transcriptEvents)) {
      if (transcript.items.length > query.limit && transcript.openCalls === 0) break
      transcript.absorb(event)
    }
    const items = transcript.items.slice(0, query.limit)
    return { items, nextCursor: transcript.items.length > items.length ? String(transcript.seqs[items.length - 1]) : null }
  }

  async events (sessionId: string, after: number, limit: number, caller: Caller): Promise<{ items: SessionEvent[], nextCursor: string | null }> {
    requireScope(caller, 'read')
    const state = visible(await this.#context.sessions.read(sessionId), caller)
    const stored = await this.#context.sessions.log.readEvents(sessionId, { after, limit, maxBytes: replayPageBytes })
    const last = stored.at(-1)
    return { items: stored.map(fromStored), nextCursor: last !== undefined && last.seq < state.seq ? String(last.seq) : null }
  }

  /** Nothing runs and nothing is queued any more, as far as it can be had in time. */
  async #quiet (live: LiveSession, caller: Caller): Promise<void> {
    const by = byOf(caller)
    await this.#context.sessions.commit(live, (state, _now) => {
      if (state === null || state.ended) throw sessionGone()
      const runs = [...state.queue, ...(state.run === null ? [] : [state.run])]
      return runs.flatMap((run) => decideCancel(state, run.runId, by, 'The session was deleted.'))
    })
    this.#runner.interrupt(live.id)
    await until(live, (state) => state.ended || state.run === null)
  }

  #settings (input: CreateSession, caller: Caller): SessionSettings {
    const model = input.model ?? this.#context.models.defaultName
    this.#checkModel(model)
    return {
      externalId: input.externalId ?? null,
      title: input.title ?? null,
      model,
      instructions: input.instructions ?? null,
      policy: this.#policy(this.#standards.policy, input.policy, caller),
      limits: resolveLimits(this.#standards.limits, input.limits, this.#standards.ceilings),
      metadata: input.metadata ?? {}
    }
  }

  #changes (patch: UpdateSession, state: { policy: Policy, limits: RunLimits, metadata: Metadata }, caller: Caller): SessionChanges {
    if (patch.model !== undefined) this.#checkModel(patch.model)
    return {
      ...(patch.title === undefined ? {} : { title: patch.title }),
      ...(patch.model === undefined ? {} : { model: patch.model }),
      ...(patch.policy === undefined ? {} : { policy: this.#policy(state.policy, patch.policy, caller) }),
      ...(patch.limits === undefined ? {} : { limits: resolveLimits(state.limits, patch.limits, this.#standards.ceilings) }),
      ...(patch.metadata === undefined ? {} : { metadata: mergeMetadata(state.metadata, patch.metadata) })
    }
  }

  #checkModel (name: string): void {
    if (this.#context.models.get(name) === undefined) {
      throw new AgentError('unknown_model', `This server offers no model ${name}.`, { suggestion: 'GET /models lists them.', errors: [{ pointer: '/model', detail: 'Not offered here.' }] })
    }
  }

  #policy (standard: Policy, wanted: Partial<Policy> | undefined, caller: Caller): Policy {
    const policy = { ...standard, ...wanted }
    if (wanted !== undefined && isLooser(this.#standards.policy, policy)) requireScope(caller, 'approve')
    return policy
  }
}

export function keyReused (): AgentError {
  return new AgentError('idempotency_key_reused', 'The Idempotency-Key was used for another request.', { suggestion: 'Use a new key for a new request.' })
}

function mergeMetadata (metadata: Metadata, patch: UpdateSession['metadata']): Metadata {
  const merged: Metadata = patch === null ? {} : { ...metadata }
  for (const [key, value] of Object.entries(patch ?? {})) {
    if (value === null) delete merged[key]
    else merged[key] = value
  }
  return merged
}

function seqOf (cursor: string | null): number {
  const seq = Number(cursor ?? 0)
  if (!Number.isSafeInteger(seq) || seq < 0) throw new AgentError('invalid_request', 'The cursor is not one of ours.')
  return seq
}
