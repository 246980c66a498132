import type { JsonObject } from '../../protocol/common.ts'
import type { Dialect } from '../dialect.ts'
import { renderResponses, type ResponsesTarget } from './render-responses.ts'
import { ResponsesReader, type ResponsesAnswer } from './responses-reader.ts'

/** OpenAI's Responses API, without anything kept there. */
export function openaiResponses (target: ResponsesTarget, headers: Readonly<Record<string, string>>): Dialect<ResponsesAnswer> {
  return {
    path: '/responses',
    headers,
    keyHeader: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
    render: (request) => renderResponses(request, target),
    reader: () => new ResponsesReader(),
    answer: ({ text, reasoning, calls, callIds, output, finishReason, usage }) => {
      const data: JsonObject = { model: target.model, output }
      const plain = output.every((item) => item['type'] === undefined)
      return { text, reasoning, calls, finishReason, usage, echo: plain && calls.length === 0 ? null : { provider: target.provider, callIds, data } }
    }
  }
}
