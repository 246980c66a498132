import { renderChunks } from './render-reply.ts'
import type { Reply } from './reply.ts'

/** A streamed answer: its deltas, each a whole frame, and what ends it. */
export interface Frames { readonly deltas: readonly string[], readonly end: string }

/** The reply in the dialect of the path that was asked. */
export function renderFrames (path: string, reply: Reply, round: number): Frames {
  if (path.endsWith('/messages')) return anthropicFrames(reply, round)
  if (path.endsWith('/responses')) return responsesFrames(reply, round)
  const { deltas, end } = renderChunks(reply, round)
  const frame = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`
  return { deltas: deltas.map(frame), end: end.map(frame).join('') + 'data: [DONE]\n\n' }
}

function named (event: { type: string, [key: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

function anthropicFrames (reply: Reply, round: number): Frames {
  const usage = { input_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, ...reply.usage }
  const deltas: string[] = []
  let before = named({ type: 'message_start', message: { id: 'msg_script', type: 'message', role: 'assistant', content: [], usage: { ...usage, output_tokens: 1 } } }) + named({ type: 'ping' })
  let index = 0
  const block = (start: object, ...pieces: object[]): void => {
    before += named({ type: 'content_block_start', index, content_block: start })
    for (const delta of pieces) {
      deltas.push(before + named({ type: 'content_block_delta', index, delta }))
      before = ''
    }
    before += named({ type: 'content_block_stop', index })
    index++
  }
  if (reply.reasoning !== undefined) {
    block({ type: 'thinking', thinking: '', signature: '' }, { type: 'thinking_delta', thinking: reply.reasoning }, { type: 'signature_delta', signature: reply.signature ?? `sig-${round}` })
  }
  const texts = [...reply.text === undefined ? [] : [reply.text], ...reply.stream ?? []]
  if (texts.length > 0) block({ type: 'text', text: '' }, ...texts.map((text) => ({ type: 'text_delta', text })))
  for (const call of callsOf(reply, 'toolu', round)) {
    block({ type: 'tool_use', id: call.id, name: call.name, input: {} }, { type: 'input_json_delta', partial_json: '' }, { type: 'input_json_delta', partial_json: call.arguments })
  }
  const stop = reply.finish_reason ?? ((reply.tool_calls?.length ?? 0) > 0 ? 'tool_use' : 'end_turn')
  return { deltas, end: before + named({ type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } }) + named({ type: 'message_stop' }) }
}

function responsesFrames (reply: Reply, round: number): Frames {
  const deltas: string[] = []
  const output: object[] = []
  let sequence = 0
  const event = (type: string, fields: object): string => named({ type, sequence_number: sequence++, ...fields })
  let before = event('response.created', { response: { id: 'resp_script', object: 'response', status: 'in_progress', output: [], error: null } })
  const item = (added: object, done: object, ...pieces: Array<[string, object]>): void => {
    const at = { output_index: output.length }
    before += event('response.output_item.added', { ...at, item: added })
    for (const [type, fields] of pieces) {
      deltas.push(before + event(type, { ...at, ...fields }))
      before = ''
    }
    before += event('response.output_item.done', { ...at, item: done })
    output.push(done)
  }
  if (reply.reasoning !== undefined) {
    const id = `rs_${round}`
    const done = { type: 'reasoning', id, summary: [{ type: 'summary_text', text: reply.reasoning }], encrypted_content: reply.signature ?? `enc-${round}` }
    item({ type: 'reasoning', id, summary: [] }, done, ['response.reasoning_summary_text.delta', { item_id: id, delta: reply.reasoning }])
  }
  const texts = [...reply.text === undefined ? [] : [reply.text], ...reply.stream ?? []]
  if (texts.length > 0) {
    const id = `msg_${round}`
    const done = { type: 'message', id, role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: texts.join(''), annotations: [] }] }
    item({ type: 'message', id, role: 'assistant', content: [] }, done, ...texts.map((delta): [string, object] => ['response.output_text.delta', { item_id: id, content_index: 0, delta }]))
  }
  for (const [position, call] of callsOf(reply, 'call', round).entries()) {
    const id = `fc_${round}_${position}`
    const base = { type: 'function_call', id, call_id: call.id, name: call.name }
    item({ ...base, arguments: '' }, { ...base, arguments: call.arguments, status: 'completed' }, ['response.function_call_arguments.delta', { item_id: id, delta: call.arguments }])
  }
  const usage = { input_tokens: 10, output_tokens: 5, ...reply.usage }
  const incomplete = reply.finish_reason === undefined ? {} : { incomplete_details: { reason: reply.finish_reason } }
  const status = reply.finish_reason === undefined ? 'completed' : 'incomplete'
  return { deltas, end: before + event(`response.${status}`, { response: { id: 'resp_script', object: 'response', status, error: null, output, usage, ...incomplete } }) }
}

function callsOf (reply: Reply, prefix: string, round: number): Array<{ id: string, name: string, arguments: string }> {
  return (reply.tool_calls ?? []).map(({ id = `${prefix}_${round}_{i}`, name, arguments: args }, index) => ({
    id: id.replaceAll('{n}', String(round)).replaceAll('{i}', String(index)), name, arguments: typeof args === 'string' ? args : JSON.stringify(args)
  }))
}
