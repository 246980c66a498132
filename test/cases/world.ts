import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkLog } from '../../src/agent/check-log.ts'
import type { EventOf, SessionEvent, SessionEventType } from '../../src/protocol/events.ts'
import type { Approval, Run, Session } from '../../src/protocol/resources.ts'
import type { EventStream, StreamItem } from '../support/event-stream.ts'
import { eventually } from '../support/eventually.ts'
import type { ChatMessage, ModelServer, RecordedRequest } from '../support/model-server/model-server.ts'
import type { Answer } from '../support/request.ts'
import type { TestServer } from '../support/server.ts'
import type { ScenarioCase } from './load-cases.ts'

/** What somebody looked at in the middle of a case. */
export interface Look { readonly pending: readonly Approval[], readonly requests: number, readonly files: (name: string) => boolean }

/** A server, a model and one session, as the steps of a case leave them, and questions about it. */
export class World {
  readonly server: TestServer
  readonly model: ModelServer
  readonly scenario: ScenarioCase
  readonly streams = new Map<string, EventStream>()
  readonly answers = new Map<string, Answer>()
  readonly looks = new Map<string, Look>()
  readonly runIds: string[] = []
  sessionId = ''

  constructor (server: TestServer, model: ModelServer, scenario: ScenarioCase) {
    this.server = server
    this.model = model
    this.scenario = scenario
  }

  stream (name = 'e1'): EventStream { return named(this.streams, name) }
  answer (name: string): Answer { return named(this.answers, name) }
  look (name: string): Look { return named(this.looks, name) }

  file (name: string): string { return join(this.server.dataDir, 'workspaces', this.sessionId, name) }
  hasFile (name: string): boolean { return existsSync(this.file(name)) }
  async content (name: string): Promise<string> { return await readFile(this.file(name), 'utf8') }

  /** The whole log, checked against its law. */
  async log (): Promise<SessionEvent[]> {
    const events: SessionEvent[] = []
    for (let after = '0'; ;) {
      const page = (await this.server.get<{ items: SessionEvent[], nextCursor: string | null }>(`/sessions/${this.sessionId}/events?limit=200&after=${after}`)).json
      events.push(...page.items)
      if (page.nextCursor === null) break
      after = page.nextCursor
    }
    const faults = checkLog(events)
    if (faults.length > 0) throw new Error(`the law of the log does not hold:\n${faults.join('\n')}`)
    return events
  }

  async logged<T extends SessionEventType> (type: T): Promise<Array<EventOf<T>>> {
    return (await this.log()).filter((event): event is EventOf<T> => event.type === type)
  }

  async session (): Promise<Session> { return (await this.server.get<Session>(`/sessions/${this.sessionId}`)).json }

  async run (index = this.runIds.length - 1): Promise<Run> {
    return (await this.server.get<Run>(`/sessions/${this.sessionId}/runs/${this.runIds[index]}`)).json
  }

  async settled (index?: number): Promise<Run> {
    let run = await this.run(index)
    await eventually(async () => ['completed', 'failed', 'cancelled'].includes((run = await this.run(index)).status), 20_000)
    return run
  }

  async requests (): Promise<readonly RecordedRequest[]> { return await this.model.requests() }

  async messages (index: number): Promise<readonly ChatMessage[]> { return (await this.requests())[index]?.body?.messages ?? [] }

  /** What the model was told of its calls in its request number `index`. */
  async toolMessages (index: number): Promise<ChatMessage[]> { return (await this.messages(index)).filter(({ role }) => role === 'tool') }

  /** Our id of the call that the case names: ids of models are theirs alone, the order of the calls is the same. */
  async callId (name: string): Promise<string | undefined> {
    const names = this.scenario.input.model.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id))
    const made = (await this.logged('assistant_message')).flatMap(({ calls }) => calls.map(({ callId }) => callId))
    return made[names.indexOf(name)]
  }

  /** The approval of a call that the case names, as soon as it was asked for. */
  async approval (name: string): Promise<Approval> {
    let answer: Answer<Approval> | null = null
    await eventually(async () => {
      const callId = await this.callId(name)
      if (callId === undefined) return false
      answer = await this.server.get<Approval>(`/approvals/${callId}`)
      return answer.status === 200
    }, 10_000)
    return (answer as unknown as Answer<Approval>).json // assigned by the function above, or it has thrown
  }

  async pending (): Promise<Approval[]> {
    return (await this.server.get<{ items: Approval[] }>(`/approvals?status=pending&sessionId=${this.sessionId}`)).json.items
  }
}

/** The text of a stream as a client shows it in the end: what is whole replaces its previews. */
export function textOf (items: readonly StreamItem[]): string {
  const texts = new Map<string, string>()
  for (const { event, data } of items) {
    if (event === 'snapshot' && data.message !== undefined) texts.set(data.message.messageId, data.message.text)
    if (event === 'text_delta') texts.set(data.messageId, (texts.get(data.messageId) ?? '').slice(0, data.offset) + data.text)
    if (event === 'retry') texts.delete(data.messageId)
    if (event === 'assistant_message') texts.set(data.messageId, data.text)
  }
  return [...texts.values()].join('')
}

export function idsOf (stream: EventStream): number[] {
  return stream.items.flatMap(({ id }) => id === undefined ? [] : [Number(id)])
}

function named<T> (map: ReadonlyMap<string, T>, name: string): T {
  const value = map.get(name)
  if (value === undefined) throw new Error(`no step of the case was named ${name}`)
  return value
}
