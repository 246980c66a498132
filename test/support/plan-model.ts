import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { renderChunks } from './model-server/render-reply.ts'
import type { ChatMessage, ChatRequest } from './model-server/reply.ts'

export interface PlannedToolCall { readonly tool: string, readonly arguments: Readonly<Record<string, unknown>> }

/** What a message asks of this model: one step after the other, then `done <token>`. */
export interface MessagePlan {
  /** The conversation that the message belongs to. */
  readonly talk: string
  /** Unique to the message. */
  readonly token: string
  readonly steps: ReadonlyArray<readonly PlannedToolCall[]>
}

export interface PlanModel {
  readonly baseUrl: string
  /** What was wrong with requests: transcripts that no provider would take, or that are no continuation of the one before. */
  readonly faults: readonly string[]
  readonly requests: () => number
  close (): Promise<void>
}

/**
 * A model without memory, over HTTP: the message says which calls it makes, the transcript how far it has come. So it
 * answers the same after any restart, and whoever wrote the message knows what must come of it.
 * @param paceMs between two deltas
 */
export async function startPlanModel (paceMs = 0): Promise<PlanModel> {
  const faults: string[] = []
  const talks = new Map<string, string[]>()
  let requests = 0
  const server = createServer((request, response) => {
    void (async () => {
      const { messages } = await bodyOf(request)
      requests++
      const { plan, step } = positionOf(messages)
      faults.push(...transcriptFaults(messages), ...continuationFaults(talks, plan.talk, messages))
      const calls = plan.steps[step]
      const { deltas, end } = renderChunks(calls === undefined
        ? { stream: ['done ', plan.token] }
        : { stream: ['step ', String(step)], tool_calls: calls.map((call) => ({ name: call.tool, arguments: call.arguments })) }, step)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const chunk of [...deltas, ...end]) {
        if (paceMs > 0) await sleep(paceMs)
        response.write(`data: ${JSON.stringify(chunk)}\n\n`)
      }
      response.end('data: [DONE]\n\n')
    })().catch((error: unknown) => {
      // A killed server takes its request along; anything else is a fault of this model.
      if (!request.destroyed) faults.push(`the model failed: ${String(error)}`)
      response.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, // it listens on a port
    faults,
    requests: () => requests,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }
  }
}

/** The text of a message that asks for this. */
export function planText (plan: MessagePlan): string { return JSON.stringify(plan) }

/** Null: a message that no client of this model wrote. */
export function readPlan (text: string): MessagePlan | null {
  try {
    return JSON.parse(text.split('\n', 1)[0] ?? '') as MessagePlan // written by `planText`
  } catch {
    return null
  }
}

async function bodyOf (request: IncomingMessage): Promise<ChatRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest // only the server asks
}

function positionOf (messages: readonly ChatMessage[]): { plan: MessagePlan, step: number } {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const plan = readPlan(messages[at]?.content ?? '')
  if (plan === null) throw new Error('the message holds no plan')
  return { plan, step: messages.slice(at).filter((message) => message.tool_calls !== undefined).length }
}

/** Every call of a message is answered, once, before anything else follows; the roles take turns. */
function transcriptFaults (messages: readonly ChatMessage[]): string[] {
  const faults: string[] = []
  const open = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const before = messages[index - 1]?.role
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id ?? '')) faults.push(`message ${index}: a result for no open call`)
      continue
    }
    if (open.size > 0) faults.push(`message ${index}: ${open.size} calls before it have no result`)
    open.clear()
    if (message.role === before) faults.push(`message ${index}: two of ${message.role} in a row`)
    if ((message.role === 'system') !== (index === 0)) faults.push(`message ${index}: the system prompt stands first, once`)
    for (const { id } of message.tool_calls ?? []) open.add(id)
  }
  if (open.size > 0) faults.push(`${open.size} calls have no result`)
  return faults
}

/**
 * Of two requests of a talk one begins with the other, byte for byte. Not always the later with the earlier: one that was
 * cut off with its run, or its server, may arrive after the next, which came by another connection.
 */
function continuationFaults (talks: Map<string, string[]>, talk: string, messages: readonly ChatMessage[]): string[] {
  const now = messages.map((message) => JSON.stringify(message))
  const before = talks.get(talk) ?? []
  if (now.length > before.length) talks.set(talk, now)
  const differs = before.slice(0, now.length).findIndex((text, index) => text !== now[index])
  return differs === -1 ? [] : [`talk ${talk}: message ${differs} is not what it was: ${before[differs] ?? ''} became ${now[differs] ?? ''}`]
}
