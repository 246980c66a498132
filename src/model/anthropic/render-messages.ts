import type { JsonObject } from '../../protocol/common.ts'
import { CallIds } from '../call-ids.ts'
import { isObject, wellFormed } from '../json.ts'
import type { ModelMessage, ModelRequest } from '../model.ts'
import { renderName } from '../render-request.ts'

/** Whom a request is for. */
export interface MessagesTarget {
  readonly provider: string
  /** As the provider calls it. */
  readonly model: string
  readonly maxTokens: number
  /** Further members of the request, before tools and messages. */
  readonly params: JsonObject
}

interface Turn { readonly role: 'user' | 'assistant', readonly content: JsonObject[] }

const cached = { cache_control: { type: 'ephemeral' } }

/**
 * The body of a streaming request. What the provider may cache ends at four places: the tools, the system prompt,
 * the end of the last user turn, and that of the one before, where the request before this one ended: so its prefix is
 * found also when one turn has more blocks than the provider looks back.
 * @param said what the provider had said when it paused
 */
export function renderMessages ({ messages, tools }: ModelRequest, target: MessagesTarget, said: readonly JsonObject[] = []): string {
  const ids = new CallIds('any')
  const system = messages.flatMap((message) => message.role === 'system' && message.content !== '' ? [wellFormed(message.content)] : [])
  const turns: Turn[] = []
  for (const message of messages) add(turns, renderMessage(message, target, ids))
  for (const turn of turns.filter(({ role }) => role === 'user').slice(-2)) mark(turn.content)
  if (said.length > 0) add(turns, { role: 'assistant', content: [...said] })
  const declared = tools.map(({ name, description, parameters }): JsonObject => ({ name, description, input_schema: parameters }))
  mark(declared)
  const blocks = system.map((text): JsonObject => ({ type: 'text', text }))
  mark(blocks)
  const head: JsonObject = {
    model: target.model,
    max_tokens: target.maxTokens,
    stream: true,
    ...(thinkingFits(messages, target) ? target.params : withoutThinking(target.params)),
    ...(declared.length > 0 ? { tools: declared } : {}),
    ...(blocks.length > 0 ? { system: blocks } : {})
  }
  return `${JSON.stringify(head).slice(0, -1)},"messages":[${turns.map((turn) => JSON.stringify(turn)).join(',')}]}`
}

function mark (blocks: JsonObject[]): void {
  const last = blocks.at(-1)
  if (last !== undefined) blocks[blocks.length - 1] = { ...last, ...cached }
}

/** All results of a step, and what the user says next, are one turn. */
function add (turns: Turn[], turn: Turn | null): void {
  if (turn === null || turn.content.length === 0) return
  const last = turns.at(-1)
  if (last?.role === turn.role) last.content.push(...turn.content)
  else turns.push(turn)
}

function renderMessage (message: ModelMessage, target: MessagesTarget, ids: CallIds): Turn | null {
  switch (message.role) {
    case 'system': return null
    // Text of nothing but white space is refused.
    case 'user': return { role: 'user', content: message.content.trim() === '' ? [] : [{ type: 'text', text: wellFormed(message.content) }] }
    case 'assistant': return { role: 'assistant', content: renderAssistant(message, target, ids) }
    case 'tool': return {
      role: 'user',
      content: [{
        type: 'tool_result',
        tool_use_id: ids.of(message.callId),
        ...(message.content === '' ? {} : { content: wellFormed(message.content) }),
        ...(message.ok ? {} : { is_error: true })
      }]
    }
    default: return message satisfies never
  }
}

type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>

function renderAssistant (message: AssistantMessage, target: MessagesTarget, ids: CallIds): JsonObject[] {
  const own = message.echo?.provider === target.provider ? message.echo : null
  const calls = message.calls.map((call, position): JsonObject => ({
    type: 'tool_use', id: ids.assign(call.callId, own?.callIds[position]), name: renderName(call.tool), input: call.arguments
  }))
  const blocks: JsonObject[] = layoutOf(message, target) ?? [{ text: message.text.length }, ...calls.map((_call, call) => ({ call }))]
  let offset = 0
  return blocks.flatMap((block): JsonObject[] => {
    if (typeof block['call'] === 'number') return calls.slice(block['call'], block['call'] + 1)
    if (typeof block['text'] !== 'number') return [block]
    const text = message.text.slice(offset, offset += block['text'])
    return text.trim() === '' ? [] : [{ type: 'text', text: wellFormed(text) }]
  })
}

/** Where the blocks of an answer stood that has more of them than text and calls; a block of another kind as it came. */
export function layoutFor (content: readonly JsonObject[]): JsonObject[] | null {
  // Thinking without a signature is refused; gateways leave it out.
  const kept = content.filter((block) => block['type'] !== 'thinking' || block['signature'] !== '')
  if (kept.every(({ type }) => type === 'text' || type === 'tool_use')) return null
  let call = 0
  return kept.map((block) => {
    if (block['type'] === 'tool_use') return { call: call++ }
    return block['type'] === 'text' ? { text: String(block['text']).length } : block
  })
}

/** Signatures are good for the model that made them only. */
function layoutOf (message: AssistantMessage, target: MessagesTarget): JsonObject[] | null {
  const { echo } = message
  if (echo?.provider !== target.provider || echo.data['model'] !== target.model) return null
  const layout = echo.data['layout']
  return Array.isArray(layout) ? layout.filter(isObject) : null
}

/** With a thinking budget every call of the current turn needs the thinking before it: calls of another model have none. */
function thinkingFits (messages: readonly ModelMessage[], target: MessagesTarget): boolean {
  const { thinking } = target.params
  if (!isObject(thinking) || thinking['type'] !== 'enabled') return true
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
  return turn.every((message) => message.role !== 'assistant' || message.calls.length === 0 || layoutOf(message, target) !== null)
}

function withoutThinking ({ thinking: _, ...params }: JsonObject): JsonObject {
  return params
}
