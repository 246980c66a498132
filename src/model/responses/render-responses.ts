import type { JsonObject } from '../../protocol/common.ts'
import { CallIds } from '../call-ids.ts'
import { isObject, nonEmptyString, wellFormed } from '../json.ts'
import type { ModelMessage, ModelRequest } from '../model.ts'
import { renderName } from '../render-request.ts'

/** Whom a request is for. */
export interface ResponsesTarget {
  readonly provider: string
  /** As the provider calls it. */
  readonly model: string
  /** Further members of the request, before tools and input. */
  readonly params: JsonObject
}

/**
 * The body of a streaming request. Nothing is kept at the provider: the whole conversation goes along, with the
 * reasoning that it had encrypted for us. The input comes last, each item by itself: a longer conversation only appends.
 */
export function renderResponses ({ messages, tools }: ModelRequest, target: ResponsesTarget): string {
  const instructions = messages.flatMap((message) => message.role === 'system' ? [wellFormed(message.content)] : []).join('\n\n')
  const head: JsonObject = {
    model: target.model,
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    ...target.params,
    ...(tools.length > 0
      ? { tools: tools.map(({ name, description, parameters }) => ({ type: 'function', name, description, parameters, strict: false })) }
      : {}),
    ...(instructions === '' ? {} : { instructions })
  }
  const ids = new CallIds('any')
  const input = messages.flatMap((message) => renderMessage(message, target, ids))
  return `${JSON.stringify(head).slice(0, -1)},"input":[${input.map((item) => JSON.stringify(item)).join(',')}]}`
}

function renderMessage (message: ModelMessage, target: ResponsesTarget, ids: CallIds): JsonObject[] {
  switch (message.role) {
    case 'system': return []
    case 'user': return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: wellFormed(message.content) }] }]
    case 'assistant': return renderAssistant(message, target, ids)
    case 'tool': return [{ type: 'function_call_output', call_id: ids.of(message.callId), output: wellFormed(message.content) }]
    default: return message satisfies never
  }
}

function renderAssistant (message: Extract<ModelMessage, { role: 'assistant' }>, target: ResponsesTarget, ids: CallIds): JsonObject[] {
  const own = message.echo?.provider === target.provider ? message.echo : null
  const calls = message.calls.map((call, position) => ({
    call_id: ids.assign(call.callId, own?.callIds[position]), name: renderName(call.tool), arguments: JSON.stringify(call.arguments)
  }))
  // Encrypted reasoning, and the ids that tie it to what followed, are good for the model that made them only.
  const output = own?.data['model'] === target.model && Array.isArray(own.data['output']) ? own.data['output'].filter(isObject) : null
  const items: JsonObject[] = output ?? [{ text: message.text.length }, ...calls.map((_call, call): JsonObject => ({ call }))]
  let offset = 0
  return items.flatMap((item): JsonObject[] => {
    const id = nonEmptyString(item['id'])
    if (typeof item['call'] === 'number') {
      const call = calls[item['call']]
      return call === undefined ? [] : [{ type: 'function_call', ...(id === undefined ? {} : { id }), ...call }]
    }
    if (typeof item['text'] !== 'number') return [item]
    const text = message.text.slice(offset, offset += item['text'])
    if (text === '') return []
    const content = [{ type: 'output_text', text: wellFormed(text), annotations: [] }]
    return [{ type: 'message', role: 'assistant', ...(id === undefined ? {} : { id, status: 'completed' }), content }]
  })
}
