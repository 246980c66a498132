import { AnswerReader, type WireAnswer } from './answer-reader.ts'
import type { Dialect } from './dialect.ts'
import type { Echo, ModelRequest } from './model.ts'
import { renderHead, renderRequest, type Target } from './render-request.ts'

/** OpenAI's chat completions, as everybody's servers speak them. */
export function chatCompletions (target: Target, headers: Readonly<Record<string, string>>): Dialect<WireAnswer> {
  // Tools stay the same from step to step, and are the larger part of a short conversation.
  const heads = new WeakMap<ModelRequest['tools'], string>()
  return {
    path: '/chat/completions',
    headers,
    keyHeader: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
    render: (request) => {
      const head = heads.get(request.tools) ?? renderHead(request.tools, target)
      heads.set(request.tools, head)
      return renderRequest(request, target, head)
    },
    reader: (tools) => new AnswerReader(tools),
    answer: ({ text, reasoning, calls, callIds, extras, reasoningDetails, finishReason, usage }) => {
      const { provider, model, traits } = target
      const details = traits.reasoningDetails && reasoningDetails.length > 0 ? { reasoningDetails } : {}
      const callExtras = extras.some((extra) => extra !== null) ? { callExtras: extras } : {}
      const echo: Echo | null = calls.length === 0 && reasoningDetails.length === 0
        ? null
        : { provider, callIds, data: { model, ...details, ...callExtras } }
      return { text, reasoning, calls, finishReason, usage, echo }
    }
  }
}
