import type { Reply } from './reply.ts'

/** The deltas of a reply and its end, as chat-completions chunks. */
export function renderChunks (reply: Reply, round: number): { deltas: object[], end: object[] } {
  const deltas: object[] = []
  if (reply.reasoning !== undefined) deltas.push({ reasoning_content: reply.reasoning })
  for (const text of texts(reply)) deltas.push({ content: text })
  for (const call of renderCalls(reply, round)) deltas.push({ tool_calls: [call] })
  const end: object[] = [chunk({}, finishReason(reply))]
  end.push({ id: 'chatcmpl-script', object: 'chat.completion.chunk', choices: [], usage: usage(reply) })
  return { deltas: deltas.map((delta) => chunk(delta, null)), end }
}

/** The same reply for a request that does not stream. */
export function renderWhole (reply: Reply, round: number): object {
  const calls = renderCalls(reply, round)
  const message = {
    role: 'assistant',
    content: [...texts(reply)].join('') || null,
    ...(reply.reasoning === undefined ? {} : { reasoning_content: reply.reasoning }),
    ...(calls.length > 0 ? { tool_calls: calls } : {})
  }
  return { id: 'chatcmpl-script', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finishReason(reply) }], usage: usage(reply) }
}

function * texts (reply: Reply): Generator<string> {
  if (reply.text !== undefined) yield reply.text
  yield * reply.stream ?? []
  if (reply.stream_gen !== undefined) {
    const { text, times, deltas } = reply.stream_gen
    for (let i = 0; i < deltas; i++) yield text.repeat(times)
  }
}

function renderCalls (reply: Reply, round: number): object[] {
  return (reply.tool_calls ?? []).map(({ id = `call_${round}_{i}`, name, arguments: args }, index) => ({
    index,
    id: id.replaceAll('{n}', String(round)).replaceAll('{i}', String(index)),
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }
  }))
}

function chunk (delta: object, finishReason: string | null): object {
  return { id: 'chatcmpl-script', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finishReason }] }
}

function finishReason (reply: Reply): string {
  return reply.finish_reason ?? ((reply.tool_calls?.length ?? 0) > 0 ? 'tool_calls' : 'stop')
}

function usage (reply: Reply): object {
  return reply.usage ?? { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
}
