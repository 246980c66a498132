import type { Static, TObject } from '@sinclair/typebox'
import type { JsonObject } from '../protocol/common.ts'
import type { SeenFile } from '../protocol/events.ts'
import type { Effect, Preview } from '../protocol/plan.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** What a tool call may use. Nothing of HTTP, sessions or the log. */
export interface ToolContext {
  readonly workspace: Workspace
  readonly callId: string
  readonly signal: AbortSignal
  /** The SHA-256 of a file as the model knows it: null, it knows that it is not there; undefined, it knows nothing. */
  seen (path: string): string | null | undefined
  /**
   * Asks the run's model beside the conversation, which never carries request or answer; costs count in the run.
   * Left out: it cannot be asked here.
   * @throws ToolFailure denied_by_policy, too_large, internal; `signal.reason` when aborted
   */
  complete? (request: CompletionRequest): Promise<string>
}

/** A question of a tool to the model. Without tools of its own. */
export interface CompletionRequest {
  readonly system: string
  readonly user: string
  /** Paths whose content it shows: only what policy lets the model read goes out. */
  readonly paths: readonly string[]
}

export interface PrepareContext extends ToolContext {
  /** What the last plan of this call resolved to, as it was stored; null: nothing. Whether it still holds, the tool finds out. */
  resolved? (): Promise<JsonObject | null>
  /**
   * Content of a file as the earlier calls of this step will leave it: null, they delete it; undefined, they
   * do not touch it and the workspace holds.
   */
  planned (path: string): Uint8Array | null | undefined
}

export interface ExecuteContext extends ToolContext {
  /** Whether policy lets the model see the content of a file that the arguments do not name. Left out: of every one. */
  mayShow? (path: string): boolean
  /** Output as it appears, for people who watch. */
  onOutput (text: string): void
}

/** What a call would do, worked out without doing it. */
export interface Plan {
  readonly tool: string
  /** Valid for the tool's schema, after harmless coercions. */
  readonly arguments: JsonObject
  /** What it touches, relative to the workspace and normalised: what policy looks at. */
  readonly paths: readonly string[]
  readonly command: string | null
  readonly effects: readonly Effect[]
  /** Whole; events carry a shortened one. */
  readonly preview: Preview
  /** What the plan rests on beyond its arguments, where a tool had to ask the model: stored, and not asked for twice. */
  readonly resolved?: JsonObject
  /** SHA-256 over tool, arguments, effects and what it resolved to. */
  readonly digest: string
  /** Content that the call would write, by path: what later calls of the step are planned on. */
  readonly contents: ReadonlyMap<string, Uint8Array>
}

export interface ToolResult {
  /** The exact string that the model is told. */
  readonly content: string
  readonly diff: string | null
  readonly verified: boolean | null
  readonly truncated: boolean
  readonly seen: readonly SeenFile[]
}

/** What a crash left of a call that had started. */
export type Recognised =
  | { readonly status: 'done', readonly result: ToolResult }
  | { readonly status: 'not_started' }
  | { readonly status: 'unknown' }

/** What a tool's file defines. Everything that goes wrong is thrown as `ToolFailure`. */
export interface ToolDefinition<P extends TObject> {
  readonly name: string
  readonly description: string
  readonly parameters: P
  readonly dangerous: boolean
  /** `prepare` takes in what `context.planned` says; without it a call waits for the earlier ones of its paths to end. */
  readonly seesPlanned?: boolean
  /** Reads only. */
  prepare (args: Static<P>, context: PrepareContext): Promise<PlanDraft>
  /** Acts, only if every `before` still holds, and verifies. */
  execute (args: Static<P>, plan: Plan, context: ExecuteContext): Promise<ToolResult>
  /** After a crash: whether the effects are there, and finishes what stands half done. Left out: by the effects alone. */
  recognise? (args: Static<P>, effects: readonly Effect[], context: ExecuteContext): Promise<Recognised>
}

export type PlanDraft = Partial<Pick<Plan, 'effects' | 'command' | 'contents' | 'resolved'>> & Pick<Plan, 'paths'> & { readonly preview?: Partial<Preview> & Pick<Preview, 'summary'> }

/** A tool as the agent uses it, its parameter type forgotten. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly parameters: TObject
  readonly dangerous: boolean
  readonly seesPlanned: boolean
  /** @throws ToolFailure `invalid_arguments` and whatever the tool finds */
  prepare (args: JsonObject, context: PrepareContext): Promise<Plan>
  /** @throws ToolFailure */
  execute (plan: Plan, context: ExecuteContext): Promise<ToolResult>
  /** `args` are the plan's; `effects` those of its `tool_call_start`. */
  recognise (args: JsonObject, effects: readonly Effect[], context: ExecuteContext): Promise<Recognised>
}
