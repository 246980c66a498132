import type { JsonObject } from '../../protocol/common.ts'
import type { ToolDeclaration } from '../../protocol/events.ts'
import { isObject, parseJson } from '../json.ts'
import type { ConversationCall, ModelMessage, ModelRequest } from '../model.ts'

/** A chat-completions request, as far as the demo model needs it. */
export interface WireRequest {
  readonly model: string
  readonly stream: boolean
  readonly includeUsage: boolean
  readonly request: ModelRequest
}

/** Reads the body of a request. A string says what is wrong with it. */
export function readRequest (body: unknown): WireRequest | string {
  if (!isObject(body)) return 'The body must be a JSON object.'
  const { model, messages, tools = [] } = body
  if (typeof model !== 'string') return '`model` must be a string.'
  if (!Array.isArray(messages) || messages.length === 0) return '`messages` must be a list with at least one message.'
  if (!Array.isArray(tools)) return '`tools` must be a list.'
  const read: ModelMessage[] = []
  for (const [position, message] of messages.entries()) {
    const known = readMessage(message)
    if (typeof known === 'string') return `messages[${position}]: ${known}`
    read.push(known)
  }
  const options = body['stream_options']
  return {
    model,
    stream: body['stream'] === true,
    includeUsage: isObject(options) && options['include_usage'] === true,
    request: { messages: read, tools: tools.flatMap(readTool) }
  }
}

function readMessage (message: unknown): ModelMessage | string {
  if (!isObject(message)) return 'must be an object.'
  const content = readContent(message['content'])
  if (content === null) return '`content` must be a string or a list of text parts.'
  switch (message['role']) {
    case 'system': case 'developer': return { role: 'system', content }
    case 'user': return { role: 'user', content }
    case 'assistant': return { role: 'assistant', text: content, reasoning: '', calls: readCalls(message['tool_calls']), echo: null }
    case 'tool': {
      const callId = message['tool_call_id']
      if (typeof callId !== 'string') return '`tool_call_id` must be a string.'
      return { role: 'tool', callId, content, ok: !looksLikeError(content) }
    }
    default: return '`role` must be one of system, developer, user, assistant, tool.'
  }
}

function readContent (content: unknown): string | null {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return null
  return content.map((part: unknown) => isObject(part) && typeof part['text'] === 'string' ? part['text'] : '').join('')
}

function readCalls (calls: unknown): ConversationCall[] {
  if (!Array.isArray(calls)) return []
  return calls.flatMap((call: unknown) => {
    const fn = isObject(call) ? call['function'] : null
    if (!isObject(call) || !isObject(fn)) return []
    const args = typeof fn['arguments'] === 'string' ? parseJson(fn['arguments']) : null
    return [{ callId: String(call['id']), tool: String(fn['name']), arguments: isObject(args) ? args : {} }]
  })
}

/** The wire has no mark for a failed call; a JSON object with `error` and `code` is what ours look like. */
function looksLikeError (content: string): boolean {
  if (!content.startsWith('{')) return false
  const value = parseJson(content)
  return isObject(value) && typeof value['error'] === 'string' && typeof value['code'] === 'string'
}

function readTool (tool: unknown): ToolDeclaration[] {
  const fn = isObject(tool) ? tool['function'] : null
  if (!isObject(fn) || typeof fn['name'] !== 'string') return []
  const parameters: JsonObject = isObject(fn['parameters']) ? fn['parameters'] : {}
  return [{ name: fn['name'], description: String(fn['description'] ?? ''), parameters }]
}
