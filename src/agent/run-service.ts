import { AgentError } from '../errors.ts'
import { messageLengthMax } from '../limits.ts'
import type { ContentPart } from '../protocol/common.ts'
import type { RunStatus } from '../protocol/events.ts'
import type { CreateMessage, Run } from '../protocol/resources.ts'
import type { IdempotencyRow, Page, RunRow } from '../store/event-log.ts'
import { byOf, requireScope, visible } from './access.ts'
import type { AgentContext } from './agent-context.ts'
import { teamOf, type Caller } from './caller.ts'
import { decideCancel, decideMessage } from './decide-run.ts'
import { newId } from './ids.ts'
import { requireLogRoom } from './log-room.ts'
import { presentAccepted, presentRun } from './present.ts'
import { resolveLimits, type LimitCeilings } from './resolve-limits.ts'
import type { Runner } from './runner.ts'
import type { IdempotencyKey, PageQuery, RunRange } from './service.ts'
import { keyReused } from './session-service.ts'
import { promptAhead, withPrompt } from './set-prompt.ts'
import { isPaused, type SessionState } from './state.ts'
import { until } from './until.ts'

/** Messages and their runs: accepted, read, awaited, cancelled. */
export class RunService {
  readonly #context: AgentContext
  readonly #ceilings: LimitCeilings
  readonly #runner: Runner
  readonly #stop = new AbortController()

  constructor (context: AgentContext, ceilings: LimitCeilings, runner: Runner) {
    this.#context = context
    this.#ceilings = ceilings
    this.#runner = runner
  }

  /** Refuses new runs, and lets those go who wait for one. */
  stop (): void { this.#stop.abort() }

  async post (sessionId: string, input: CreateMessage, caller: Caller, idempotency: IdempotencyKey | null): Promise<{ run: Run, range: RunRange }> {
    requireScope(caller, 'run')
    if (this.#stop.signal.aborted) throw new AgentError('shutting_down', 'The server is shutting down.', { retryAfterS: 5 })
    const content = toParts(input.content)
    const { sessions } = this.#context
    return await sessions.with(sessionId, async (live) => {
      visible(live.state, caller)
      await sessions.catchUp(live)
      const scope = `${caller.keyId ?? ''} POST /sessions/${sessionId}/messages`
      // Before admission and the busy rule: what was accepted once is not refused when it is asked again.
      const known = idempotency === null ? null : await sessions.log.findIdempotent(scope, idempotency.key, sessions.now())
      if (known !== null) return await this.#known(known, idempotency, caller)
      if (this.#runner.full && live.state?.run === null) {
        throw new AgentError('too_many_runs', 'As many runs are active as this server takes.', { retryAfterS: 5 })
      }
      requireLogRoom(this.#context, live)
      const runId = newId('run')
      const messageId = newId('msg')
      const row: IdempotencyRow | null = idempotency === null ? null : { scope, ...idempotency, sessionId, runId, createdAt: sessions.now() }
      const state = visible(live.state, caller)
      const prompt = await promptAhead(this.#context, state, this.#model(input, state))
      const result = await sessions.commit(live, (state, now) => withPrompt(state, decideMessage(state, {
        runId,
        messageId,
        content,
        model: this.#model(input, visible(state, caller)),
        limits: resolveLimits(visible(state, caller).limits, input.limits, this.#ceilings),
        onBusy: input.onBusy ?? 'reject',
        onApproval: input.onApproval ?? 'wait',
        cancelOnDisconnect: input.cancelOnDisconnect ?? false,
        by: byOf(caller)
      }), prompt, now), row)
      if (result.status === 'idempotency_key_known') return await this.#known(result.row, idempotency, caller)
      this.#context.checkpoint('accepted')
      const accepted = result.status === 'committed' ? result.runs.find((row) => row.runId === runId) : undefined
      return accepted === undefined ? await this.#get(sessionId, runId, caller) : presentAccepted(accepted)
    })
  }

  async list (sessionId: string, query: PageQuery & { status: RunStatus | null }, caller: Caller): Promise<Page<Run>> {
    requireScope(caller, 'read')
    const { sessions } = this.#context
    visible(await sessions.read(sessionId), caller)
    const page = await sessions.log.listRuns({ ...query, sessionId })
    return {
      items: await Promise.all(page.items.map(async (row) => (await presentRun(sessions.log, row, teamOf(caller.name))).run)),
      nextCursor: page.nextCursor
    }
  }

  async get (sessionId: string, runId: string, caller: Caller): Promise<{ run: Run, range: RunRange }> {
    requireScope(caller, 'read')
    return await this.#get(sessionId, runId, caller)
  }

  /** Whoever may start or cancel a run may see what came of it. */
  async #get (sessionId: string, runId: string, caller: Caller): Promise<{ run: Run, range: RunRange }> {
    return await presentRun(this.#context.sessions.log, await this.#row(sessionId, runId, caller), teamOf(caller.name))
  }

  async wait (sessionId: string, runId: string, how: 'end' | 'pause', caller: Caller, signal: AbortSignal): Promise<Run> {
    await this.#row(sessionId, runId, caller)
    return await this.#context.sessions.with(sessionId, async (live) => {
      const unfollow = live.follow()
      try {
        await until(live, (state) => state.ended || isSettled(state, runId) || (how === 'pause' && state.run?.runId === runId && isPaused(state.run)), AbortSignal.any([signal, this.#stop.signal]))
      } finally {
        unfollow()
      }
      return (await this.#get(sessionId, runId, caller)).run
    })
  }

  async cancel (sessionId: string, runId: string | null, reason: string | null, caller: Caller): Promise<Run> {
    requireScope(caller, 'run')
    return await this.#context.sessions.with(sessionId, async (live) => {
      await this.#context.sessions.catchUp(live)
      const state = visible(live.state, caller)
      const target = runId ?? state.run?.runId ?? state.queue[0]?.runId
      if (target === undefined) throw new AgentError('no_active_run', 'No run is active in this session.')
      await this.#row(sessionId, target, caller)
      await this.#context.sessions.commit(live, (state) => decideCancel(state, target, byOf(caller), reason))
      await until(live, (state) => state.ended || isSettled(state, target), this.#stop.signal)
      return (await this.#get(sessionId, target, caller)).run
    })
  }

  async #row (sessionId: string, runId: string, caller: Caller): Promise<RunRow> {
    visible(await this.#context.sessions.read(sessionId), caller)
    const row = await this.#context.sessions.log.readRun(runId)
    if (row?.sessionId !== sessionId) throw new AgentError('run_not_found', 'There is no run with this id in this session.')
    return row
  }

  async #known (row: IdempotencyRow, idempotency: IdempotencyKey | null, caller: Caller): Promise<{ run: Run, range: RunRange }> {
    if (row.fingerprint !== idempotency?.fingerprint || row.runId === null) throw keyReused()
    return await this.#get(row.sessionId, row.runId, caller)
  }

  #model (input: CreateMessage, state: SessionState): string {
    const name = input.model ?? state.model
    if (this.#context.models.get(name) === undefined) {
      throw new AgentError('unknown_model', `This server offers no model ${name}.`, { suggestion: 'GET /models lists them.' })
    }
    return name
  }
}

function isSettled (state: SessionState, runId: string): boolean {
  return state.run?.runId !== runId && !state.queue.some((run) => run.runId === runId)
}

/** @throws AgentError invalid_request for a message without text */
function toParts (content: CreateMessage['content']): ContentPart[] {
  const parts: ContentPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const length = parts.reduce((sum, part) => sum + part.text.length, 0)
  if (length > messageLengthMax) throw new AgentError('payload_too_large', `A message has at most ${messageLengthMax} characters.`)
  if (parts.every((part) => part.text.trim() === '')) {
    throw new AgentError('invalid_request', 'The message has no text.', { errors: [{ pointer: '/content', detail: 'Must not be blank.' }] })
  }
  return parts
}
