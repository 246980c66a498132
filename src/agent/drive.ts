import type { JsonObject } from '../protocol/common.ts'
import type { EventOf, SessionEvent } from '../protocol/events.ts'
import { replayPageBytes, replayPageEvents } from '../limits.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { ExecuteContext, PrepareContext } from '../tools/tool.ts'
import type { AgentContext } from './agent-context.ts'
import { complete } from './complete.ts'
import { Conversation, conversationEvents, type AssistantPrivate } from './conversation.ts'
import type { PlanPrivate } from './decide-calls.ts'
import type { Committed } from './committed.ts'
import type { LiveSession } from './live-session.ts'
import { Planning } from './planning.ts'
import { fromStored, privateOf, type CommitResult } from './sessions.ts'
import { seenFile, type ActiveRun, type CallState, type EventDraft, type SessionState } from './state.ts'

/** Why what runs is stopped. */
export type StopReason = 'cancel' | 'timeout' | 'shutdown'

/** The arguments of a call, and what is wrong with them if the model sent none that can be used. */
export interface CallArguments { readonly arguments: JsonObject, readonly invalid: { readonly reason: string, readonly text: string } | null }

/**
 * One session at work, from waking until there is nothing to do: what the runner holds in memory meanwhile.
 * A session that waits for a decision has none.
 */
export class Drive {
  readonly context: AgentContext
  readonly live: LiveSession
  readonly asksModel: boolean
  /** Dangerous calls that have been planned in this drive and were not asked about: policy lets them. */
  readonly surveyed = new Set<string>()
  readonly planning = new Planning()
  /** The run that the current effect is for: what it leads to is void when that run is over. */
  #runId: string | null = null
  readonly #conversation = new Conversation()
  /** The last one that was committed in this drive. */
  #message: EventOf<'assistant_message'> | null = null
  readonly #stop = new AbortController()
  /** Of calls that have begun: a shutdown leaves them time. */
  readonly #stopCalls = new AbortController()
  readonly #stopTaking: () => void
  #workspace: Promise<Workspace> | null = null

  /** @param asksModel whether a plan may ask the model; without, one that would have to is a failure */
  constructor (context: AgentContext, live: LiveSession, { asksModel }: { readonly asksModel: boolean } = { asksModel: true }) {
    this.context = context
    this.live = live
    this.asksModel = asksModel
    this.#stopTaking = live.onEvent((committed) => { this.#take(committed) })
  }

  get signal (): AbortSignal { return this.#stop.signal }

  /** Models and plans stop at once, and so do calls that have begun, but for a shutdown: see `stopCalls`. */
  stop (reason: StopReason): void {
    this.#stop.abort(reason)
    if (reason !== 'shutdown') this.#stopCalls.abort(reason)
  }

  /** The time that a shutdown leaves to calls is over. */
  stopCalls (): void { this.#stopCalls.abort('shutdown') }

  get callSignal (): AbortSignal { return this.#stopCalls.signal }

  get state (): SessionState {
    if (this.live.state === null) throw new Error('a drive needs a session')
    return this.live.state
  }

  get run (): ActiveRun | null { return this.state.run }

  /** What follows is for the run that is active now. */
  begin (): void { this.#runId = this.run?.runId ?? null }

  /** Commits a decision on the run as it is then; none when the run is over. */
  async commit (decide: (state: SessionState, run: ActiveRun, now: string) => readonly EventDraft[]): Promise<CommitResult> {
    return await this.context.sessions.commit(this.live, (state, now) => state?.run && state.run.runId === this.#runId ? decide(state, state.run, now) : [])
  }

  /** The conversation up to now. It is read from the log once; from then on it takes in what is committed. */
  async conversation (): Promise<Conversation> {
    while (this.#conversation.seq < this.state.seq) {
      const published = this.state.seq
      // What is first in every log is said to nobody.
      const recent = this.live.recent(Math.max(this.#conversation.seq, 1))
      if (recent !== null) {
        for (const { event, private: hidden } of recent) this.#conversation.absorb(event, hidden as AssistantPrivate | null) // written by `callModel`
        continue
      }
      const page = await this.context.sessions.log.readEvents(this.live.id, {
        after: this.#conversation.seq, limit: replayPageEvents, maxBytes: replayPageBytes, types: conversationEvents
      })
      for (const stored of page) this.#conversation.absorb(fromStored(stored), privateOf(stored) as AssistantPrivate | null) // written by `callModel`
      // Nothing of the conversation up to there.
      if (page.length === 0) this.#conversation.seq = Math.max(this.#conversation.seq, published)
    }
    return this.#conversation
  }

  #take ({ event, private: hidden }: Committed): void {
    if (event.type === 'assistant_message') this.#message = event
    this.planning.take(event, hidden)
    // Until the log has been read up to here, it is read from there.
    if (event.seq === this.#conversation.seq + 1) this.#conversation.absorb(event, hidden as AssistantPrivate | null) // written by `callModel`
  }

  async arguments (call: CallState): Promise<CallArguments> {
    const event = this.#message?.seq === call.argumentsSeq ? this.#message : await this.#read(call.argumentsSeq)
    if (event?.type === 'approval_required' && event.editedArguments) return { arguments: event.editedArguments.arguments, invalid: null }
    const made = event?.type === 'assistant_message' ? event.calls.find(({ callId }) => callId === call.callId) : undefined
    if (made === undefined) throw new Error(`no arguments of call ${call.callId} at seq ${call.argumentsSeq}`)
    return { arguments: made.arguments, invalid: made.invalidArguments ?? null }
  }

  async #read (seq: number): Promise<SessionEvent | null> {
    const stored = await this.context.sessions.log.readEvent(this.live.id, seq)
    return stored === null ? null : fromStored(stored)
  }

  async workspace (): Promise<Workspace> {
    this.#workspace ??= this.context.workspaces.open(this.live.id)
    return await this.#workspace
  }

  async prepareContext (call: CallState, planned: ReadonlyMap<string, Uint8Array | null>): Promise<PrepareContext> {
    return {
      workspace: await this.workspace(),
      callId: call.callId,
      signal: this.signal,
      // Whoever is asked sees what the call would replace: what the model knew does not count from then on.
      seen: (path) => call.askedSeq === undefined ? seenFile(this.state, path) : undefined,
      planned: (path) => planned.get(path),
      resolved: async () => this.planning.resolved(call.callId) ?? await this.#storedResolution(call),
      ...(this.asksModel ? { complete: async (request) => await complete(this, call, request) } : {})
    }
  }

  /** What the plan that stands in the log resolved to. */
  async #storedResolution (call: CallState): Promise<JsonObject | null> {
    const seq = call.status === 'started' ? call.startSeq : call.askedSeq
    const stored = seq === undefined ? null : await this.context.sessions.log.readEvent(this.live.id, seq)
    return stored === null ? null : (privateOf(stored) as PlanPrivate | null)?.resolved ?? null // written by `decidePlanned`
  }

  async executeContext (runId: string, callId: string): Promise<ExecuteContext> {
    return {
      workspace: await this.workspace(),
      callId,
      signal: this.callSignal,
      seen: (path) => seenFile(this.state, path),
      onOutput: (text) => { this.live.tell(this.live.preview.output(runId, callId, text)) }
    }
  }

  async close (): Promise<void> {
    this.#stopTaking()
    const workspace = await this.#workspace?.catch(() => null)
    await workspace?.close()
  }
}
