import type { JsonObject } from '../../protocol/common.ts'
import type { Dialect } from '../dialect.ts'
import { MessagesReader, type MessagesAnswer } from './messages-reader.ts'
import { layoutFor, renderMessages, type MessagesTarget } from './render-messages.ts'

/** Anthropic's Messages API. */
export function anthropicMessages (target: MessagesTarget, headers: Readonly<Record<string, string>>): Dialect<MessagesAnswer> {
  return {
    path: '/messages',
    headers: { 'anthropic-version': '2023-06-01', ...headers },
    keyHeader: (apiKey) => ({ 'x-api-key': apiKey }),
    render: (request) => renderMessages(request, target),
    reader: (tools) => new MessagesReader(tools),
    answer: ({ text, reasoning, calls, callIds, content, finishReason, usage }) => {
      const layout = layoutFor(content)
      const data: JsonObject = { model: target.model, ...(layout === null ? {} : { layout }) }
      return {
        text, reasoning, calls, finishReason, usage, echo: layout === null && calls.length === 0 ? null : { provider: target.provider, callIds, data }
      }
    },
    goOn: (request, wire) => wire.paused
      ? { body: renderMessages(request, target, wire.content), reader: new MessagesReader(wire.tools, wire) }
      : null
  }
}
