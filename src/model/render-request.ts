import type { JsonObject } from '../protocol/common.ts'
import { CallIds } from './call-ids.ts'
import { isObject, wellFormed } from './json.ts'
import type { Echo, ModelMessage, ModelRequest } from './model.ts'
import type { ProviderTraits } from './providers.ts'

/** Whom a request is for. */
export interface Target {
  readonly provider: string
  /** As the provider calls it. */
  readonly model: string
  readonly traits: ProviderTraits
  /** Further members of the request, before tools and messages. */
  readonly params: JsonObject
}

/**
 * The body of a streaming chat-completions request. Model, parameters and tools come first and the messages
 * last, each rendered by itself: a longer conversation only appends, up to the closing `]}`.
 */
export function renderRequest ({ messages, tools }: ModelRequest, target: Target, head: string = renderHead(tools, target)): string {
  const ids = new CallIds(target.traits.callIds)
  const rendered = messages.map((message) => renderMessage(message, target, ids)).filter((message) => message !== null)
  return `${head},"messages":[${rendered.map((message) => JSON.stringify(message)).join(',')}]}`
}

/** All that stands before the messages. */
export function renderHead (tools: ModelRequest['tools'], target: Target): string {
  const { traits } = target
  const head: JsonObject = {
    model: target.model,
    stream: true,
    ...(traits.streamOptions ? { stream_options: { include_usage: true } } : {}),
    ...(tools.length > 0 ? target.params : withoutToolParams(target.params)),
    // An empty list is refused by many.
    ...(tools.length > 0
      ? { tools: tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } })) }
      : {})
  }
  return JSON.stringify(head).slice(0, -1)
}

function withoutToolParams ({ parallel_tool_calls: _, ...params }: JsonObject): JsonObject {
  return params
}

function renderMessage (message: ModelMessage, target: Target, ids: CallIds): JsonObject | null {
  switch (message.role) {
    case 'system': return { role: 'system', content: wellFormed(message.content) }
    case 'user': return { role: 'user', content: wellFormed(message.content) }
    case 'assistant': return renderAssistant(message, target, ids)
    case 'tool': return { role: 'tool', tool_call_id: ids.of(message.callId), content: wellFormed(message.content) }
    default: return message satisfies never
  }
}

function renderAssistant (message: Extract<ModelMessage, { role: 'assistant' }>, target: Target, ids: CallIds): JsonObject | null {
  const { traits } = target
  const { calls } = message
  // Strict servers refuse the whole conversation for a message with neither.
  if (message.text === '' && calls.length === 0) return null
  const own = message.echo?.provider === target.provider ? message.echo : null
  const sameModel = own !== null && own.data['model'] === target.model
  const details = sameModel && traits.reasoningDetails ? own.data['reasoningDetails'] : undefined
  return {
    role: 'assistant',
    content: message.text === '' ? null : wellFormed(message.text),
    ...renderReasoning(message.reasoning, calls.length > 0, sameModel, traits),
    ...(Array.isArray(details) && details.length > 0 ? { reasoning_details: details } : {}),
    ...(calls.length > 0
      ? {
          tool_calls: calls.map((call, position) => ({
            id: ids.assign(call.callId, own?.callIds[position]),
            type: 'function',
            function: { name: renderName(call.tool), arguments: JSON.stringify(call.arguments) },
            ...renderExtra(position, sameModel ? own : null, traits)
          }))
        }
      : {})
  }
}

function renderReasoning (reasoning: string, hasCalls: boolean, sameModel: boolean, { reasoningEcho }: ProviderTraits): JsonObject {
  if (!hasCalls) return {}
  switch (reasoningEcho) {
    // Refused when the key is missing, also for turns that another model made.
    case 'reasoning_content': return { reasoning_content: sameModel ? wellFormed(reasoning) : '' }
    case 'reasoning': return sameModel && reasoning !== '' ? { reasoning: wellFormed(reasoning) } : {}
    case 'off': return {}
    default: return reasoningEcho satisfies never
  }
}

function renderExtra (position: number, own: Echo | null, { thoughtSignatures }: ProviderTraits): JsonObject {
  const extras = own?.data['callExtras']
  const extra: unknown = Array.isArray(extras) ? extras[position] : undefined
  if (isObject(extra)) return { extra_content: extra }
  if (!thoughtSignatures || position > 0 || own !== null) return {}
  return { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } }
}

/** A name that a model made up goes back in a form that providers take. */
export function renderName (tool: string): string {
  const name = tool.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64)
  return name === '' ? 'unknown' : name
}
