import { fileURLToPath } from 'node:url'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { checkLog } from '../../src/agent/check-log.ts'
import type { SessionEvent } from '../../src/protocol/events.ts'
import type { Approval, CreateMessage, Run, Session } from '../../src/protocol/resources.ts'
import { eventually } from '../support/agent.ts'
import { planText, startPlanModel, type PlanModel, type PlannedToolCall } from '../support/plan-model.ts'
import { startServer, type ServerOptions, type TestServer } from '../support/server.ts'

export const crashMain = fileURLToPath(new URL('../support/crash-main.js', import.meta.url))

export interface Restart {
  readonly server: TestServer
  readonly model: PlanModel
  readonly sessionId: string
  /** In the session's workspace. */
  readonly file: (name: string) => string
  /** Posts a message that asks for these steps; does not wait for its run. */
  post (steps: ReadonlyArray<readonly PlannedToolCall[]>, options?: Partial<CreateMessage>): Promise<Run>
  run (runId: string): Promise<Run>
  /** Waits until the run has settled. */
  settled (run: Run): Promise<Run>
  /** Waits until so many of its calls ask. */
  asked (run: Run, count?: number): Promise<Approval[]>
  decide (callId: string, decision: 'approve' | 'deny'): Promise<number>
  /** Waits until the process has been killed by its own hand. */
  crashed (): Promise<void>
  /** The whole log, checked against the law. */
  events (): Promise<SessionEvent[]>
  /** What is left in staging. */
  staged (): Promise<string[]>
}

let tokens = 0

export interface SetUpOptions extends ServerOptions { readonly paceMs?: number, readonly session?: object }

/** A server that can be killed at a point (`CRASH_AT` in `env`), a model that does what a message says, and a session. */
export async function setUp (t: Test, options: SetUpOptions = {}): Promise<Restart> {
  const model = await startPlanModel(options.paceMs ?? 0)
  t.teardown(async () => {
    await model.close()
    if (model.faults.length > 0) throw new Error(`the model was sent what no provider would take:\n${model.faults.join('\n')}`)
  })
  const server = await startServer(t, { entry: crashMain, model: model.baseUrl, ...options, env: { LOG_LEVEL: 'error', ...options.env } })
  return await openSession(t, server, model, options.session)
}

/** A further session on a server. */
export async function openSession (t: Test, server: TestServer, model: PlanModel, settings: object = {}): Promise<Restart> {
  const created = await server.post<Session>('/sessions', settings)
  const sessionId = created.json.id

  async function run (runId: string): Promise<Run> {
    return (await server.get<Run>(`/sessions/${sessionId}/runs/${runId}`)).json
  }

  async function pending (run: Run): Promise<Approval[]> {
    const page = await server.get<{ items: Approval[] }>(`/approvals?sessionId=${run.sessionId}&status=pending`)
    return page.json.items.filter(({ runId }) => runId === run.id).reverse()
  }

  return {
    server,
    model,
    sessionId,
    file: (name) => join(server.dataDir, 'workspaces', sessionId, name),
    post: async (steps, options = {}) => {
      const content = planText({ talk: sessionId, token: `t${++tokens}`, steps })
      return (await server.post<Run>(`/sessions/${sessionId}/messages`, { content, ...options }, { headers: { prefer: 'respond-async' } })).json
    },
    run,
    settled: async ({ id }) => {
      let found = await run(id)
      await eventually(async () => {
        found = await run(id)
        return ['completed', 'failed', 'cancelled'].includes(found.status)
      }, 10_000)
      return found
    },
    asked: async (run, count = 1) => {
      let found: Approval[] = []
      await eventually(async () => {
        found = await pending(run)
        return found.length === count
      }, 10_000)
      return found
    },
    decide: async (callId, decision) => (await server.post(`/approvals/${callId}`, { decision })).status,
    crashed: async () => { t.equal((await server.exit()).signal, 'SIGKILL', 'it was killed at the point') },
    events: async () => {
      const all: SessionEvent[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: { items: SessionEvent[], nextCursor: string | null } = (await server.get<{ items: SessionEvent[], nextCursor: string | null }>(
          `/sessions/${sessionId}/events?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`)).json
        all.push(...page.items)
        cursor = page.nextCursor
      }
      t.same(checkLog(all), [], 'the law of the log holds')
      return all
    },
    staged: async () => await readdir(join(server.dataDir, 'staging', sessionId)).catch(() => [])
  }
}

export const write = (path: string, content: string): PlannedToolCall => ({ tool: 'write_file', arguments: { path, content } })
export const edit = (path: string, oldText: string, newText: string): PlannedToolCall => ({ tool: 'edit_file', arguments: { path, edits: [{ oldText, newText }] } })
export const move = (from: string, to: string): PlannedToolCall => ({ tool: 'move_file', arguments: { from, to } })
export const remove = (path: string): PlannedToolCall => ({ tool: 'delete_file', arguments: { path, recursive: true } })

export function types (events: readonly SessionEvent[]): string[] { return events.map(({ type }) => type) }
