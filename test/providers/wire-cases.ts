import type { RunCode } from '../../src/protocol/error-codes.ts'
import type { RawReply } from '../support/model-server/model-server.ts'

type Event = Readonly<Record<string, unknown>> & { readonly type: string }

/** What a server sends, and what it means. */
export interface WireCase {
  readonly dialect: 'anthropic' | 'responses'
  readonly title: string
  readonly raw: RawReply
  readonly expect: {
    readonly error?: RunCode
    readonly says?: string
    readonly partial?: string
    readonly text?: string
    readonly reasoning?: string
    readonly calls?: ReadonlyArray<readonly [tool: string, args: unknown, id: string]>
    readonly invalid?: string
    readonly finish?: string
    readonly usage?: object
    readonly data?: object
  }
}

/** Frames as these providers send them. */
export function frames (...events: readonly Event[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

const start = (usage: object = { input_tokens: 9, output_tokens: 1 }): Event => ({ type: 'message_start', message: { type: 'message', role: 'assistant', content: [], usage } })
const open = (index: number, block: object): Event => ({ type: 'content_block_start', index, content_block: block })
const piece = (index: number, delta: object): Event => ({ type: 'content_block_delta', index, delta })
const close = (index: number): Event => ({ type: 'content_block_stop', index })
const text = (index: number, ...pieces: string[]): Event[] => [open(index, { type: 'text', text: '' }), ...pieces.map((text) => piece(index, { type: 'text_delta', text })), close(index)]
const call = (index: number, id: string, name: string, ...pieces: string[]): Event[] => [
  open(index, { type: 'tool_use', id, name, input: {} }), ...pieces.map((json) => piece(index, { type: 'input_json_delta', partial_json: json })), close(index)
]
const stop = (reason: string, usage: object = { output_tokens: 7 }): Event[] => [{ type: 'message_delta', delta: { stop_reason: reason }, usage }, { type: 'message_stop' }]

function anthropic (title: string, body: string | RawReply, expect: WireCase['expect']): WireCase {
  return { dialect: 'anthropic', title, raw: typeof body === 'string' ? { chunks: [body] } : body, expect }
}

const refusalBody = (type: string, message: string): string => JSON.stringify({ type: 'error', error: { type, message } })

export const anthropicCases: readonly WireCase[] = [
  anthropic('text in pieces, with a ping between', frames(start(), { type: 'ping' }, open(0, { type: 'text', text: '' }), piece(0, { type: 'text_delta', text: 'Gr' }), { type: 'ping' }, piece(0, { type: 'text_delta', text: 'üße 🙂' }), close(0), ...stop('end_turn')),
    { text: 'Grüße 🙂', calls: [], finish: 'stop', usage: { inputTokens: 9, outputTokens: 7, cachedInputTokens: null } }),
  anthropic('usage: the three counts of input are one, and the last word of the output counts', frames(start({ input_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 1 }), ...text(0, 'x'), ...stop('end_turn', { output_tokens: 40, output_tokens_details: { thinking_tokens: 30 } })),
    { text: 'x', usage: { inputTokens: 125, outputTokens: 40, cachedInputTokens: 100, cacheWriteTokens: 20, reasoningTokens: 30, costUsd: null } }),
  anthropic('usage that grows is not summed', frames(start(), { type: 'message_delta', delta: {}, usage: { output_tokens: 3 } }, ...text(0, 'x'), ...stop('end_turn', { input_tokens: 12, output_tokens: 4 })),
    { text: 'x', usage: { inputTokens: 12, outputTokens: 4 } }),
  anthropic('no usage is null, not 0', frames({ type: 'message_start', message: {} }, ...text(0, 'x'), { type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }),
    { text: 'x', usage: { inputTokens: null, outputTokens: null } }),
  anthropic('two calls beside text, arguments in pieces, an empty first piece', frames(start(), ...text(0, 'I look. '), ...call(1, 'toolu_1', 'read_file', '', '{"pa', 'th":"a"}'), ...call(2, 'toolu_2', 'f', '{"x":1}'), ...stop('tool_use')),
    { text: 'I look. ', calls: [['read_file', { path: 'a' }, 'toolu_1'], ['f', { x: 1 }, 'toolu_2']], finish: 'tool_calls' }),
  anthropic('no arguments at all are an empty object', frames(start(), ...call(0, 'toolu_1', 'f'), ...stop('tool_use')), { text: '', calls: [['f', {}, 'toolu_1']] }),
  anthropic('arguments whole in the start of the block', frames(start(), open(0, { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } }), close(0), ...stop('tool_use')), { text: '', calls: [['f', { x: 1 }, 'a']] }),
  anthropic('blocks that grow side by side', frames(start(), open(0, { type: 'text', text: '' }), open(1, { type: 'tool_use', id: 'a', name: 'f', input: {} }), piece(1, { type: 'input_json_delta', partial_json: '{"x"' }), piece(0, { type: 'text_delta', text: 'now' }), piece(1, { type: 'input_json_delta', partial_json: ':1}' }), close(1), close(0), ...stop('tool_use')),
    { text: 'now', calls: [['f', { x: 1 }, 'a']] }),
  anthropic('a call with the stop reason of plain text', frames(start(), ...call(0, 'a', 'f', '{}'), ...stop('end_turn')), { text: '', calls: [['f', {}, 'a']], finish: 'stop' }),
  anthropic('thinking with its signature, before the call', frames(start(), open(0, { type: 'thinking', thinking: '', signature: '' }), piece(0, { type: 'thinking_delta', thinking: 'need the ' }), piece(0, { type: 'thinking_delta', thinking: 'file' }), piece(0, { type: 'signature_delta', signature: 'EqQ' }), piece(0, { type: 'signature_delta', signature: '9' }), close(0), ...call(1, 'a', 'f', '{}'), ...stop('tool_use')),
    { text: '', reasoning: 'need the file', calls: [['f', {}, 'a']], data: { layout: [{ type: 'thinking', thinking: 'need the file', signature: 'EqQ9' }, { call: 0 }] } }),
  anthropic('thinking that is left out has a signature all the same', frames(start(), open(0, { type: 'thinking', thinking: '', signature: '' }), piece(0, { type: 'signature_delta', signature: 'S' }), close(0), ...text(1, 'hi'), ...stop('end_turn')),
    { text: 'hi', reasoning: '', data: { layout: [{ type: 'thinking', thinking: '', signature: 'S' }, { text: 2 }] } }),
  anthropic('redacted thinking is kept as it came', frames(start(), open(0, { type: 'redacted_thinking', data: 'XYZ' }), close(0), ...text(1, 'hi'), ...stop('end_turn')),
    { text: 'hi', reasoning: '', data: { layout: [{ type: 'redacted_thinking', data: 'XYZ' }, { text: 2 }] } }),
  anthropic('unknown events, blocks and deltas are skipped', frames(start(), { type: 'fancy_new_event', x: 1 }, ...text(0, 'a'), open(1, { type: 'fancy_block' }), piece(1, { type: 'fancy_delta', x: 1 }), close(1), piece(0, { type: 'citations_delta', citation: {} }), piece(7, { type: 'text_delta', text: 'nowhere' }), ...stop('end_turn')),
    { text: 'a', finish: 'stop' }),
  anthropic('cut at the output limit: the half call is marked', frames(start(), ...call(0, 'a', 'write_file', '{"path":"a","content":"half'), ...stop('max_tokens')), { text: '', invalid: 'truncated', finish: 'length' }),
  anthropic('the context window ended the answer', frames(start(), ...text(0, 'so f'), ...stop('model_context_window_exceeded')), { text: 'so f', finish: 'length' }),
  anthropic('arguments that are no JSON are said to be so', frames(start(), ...call(0, 'a', 'f', '{"x": nope}'), ...stop('tool_use')), { text: '', invalid: 'invalid_json' }),
  anthropic('a refusal', frames(start(), ...text(0, 'I cannot'), ...stop('refusal')), { text: 'I cannot', finish: 'content_filter' }),
  anthropic('a refusal without a word', frames(start(), ...stop('refusal')), { text: '', finish: 'content_filter' }),
  anthropic('an answer with nothing', frames(start(), ...stop('end_turn')), { error: 'model_empty' }),
  anthropic('thinking alone is no answer', frames(start(), open(0, { type: 'thinking', thinking: 'hm', signature: 'S' }), ...stop('end_turn')), { error: 'model_empty' }),
  anthropic('overloaded in mid-answer, after HTTP 200', frames(start(), ...text(0, 'half'), { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }), { error: 'model_overloaded', says: 'Overloaded', partial: 'half' }),
  anthropic('an error event of another kind', frames(start(), { type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } }), { error: 'model_rate_limited', says: 'slow down' }),
  anthropic('the stream ends without an end mark', frames(start(), ...text(0, 'half')), { error: 'model_incomplete', partial: 'half' }),
  anthropic('the connection is reset in mid-call', { chunks: [frames(start(), ...text(0, 'Writing.'), open(1, { type: 'tool_use', id: 'a', name: 'f', input: {} }), piece(1, { type: 'input_json_delta', partial_json: '{"x"' }))], end: 'reset' }, { error: 'model_incomplete', partial: 'Writing.' }),
  anthropic('the stop reason is there, message_stop is not', frames(start(), ...text(0, 'all'), { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }), { text: 'all', finish: 'stop' }),
  anthropic('CRLF and data without a space', frames(start(), ...text(0, 'x'), ...stop('end_turn')).replaceAll('\n', '\r\n').replaceAll('data: ', 'data:'), { text: 'x' }),
  anthropic('bytes after message_stop belong to nobody', frames(start(), ...text(0, 'x'), ...stop('end_turn'), ...text(0, 'never')), { text: 'x' }),
  anthropic('a whole message from a gateway that does not stream', { headers: { 'content-type': 'application/json' }, chunks: [JSON.stringify({ type: 'message', role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 'S' }, { type: 'text', text: 'ok' }, { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } }], stop_reason: 'tool_use', usage: { input_tokens: 3, output_tokens: 2 } })] },
    { text: 'ok', reasoning: 'hm', calls: [['f', { x: 1 }, 'a']], usage: { inputTokens: 3, outputTokens: 2 } }),
  anthropic('a JSON error with HTTP 200', { headers: { 'content-type': 'application/json' }, chunks: [refusalBody('not_found_error', 'model: nope')] }, { error: 'model_not_found', says: 'nope' }),
  anthropic('a page', { headers: { 'content-type': 'text/html' }, chunks: ['<html><title>Portal</title></html>'] }, { error: 'model_not_an_api', says: 'Portal' }),
  anthropic('529 overloaded', { status: 529, chunks: [refusalBody('overloaded_error', 'Overloaded')] }, { error: 'model_overloaded' }),
  anthropic('401', { status: 401, chunks: [refusalBody('authentication_error', 'invalid x-api-key')] }, { error: 'model_auth' }),
  anthropic('403', { status: 403, chunks: [refusalBody('permission_error', 'no')] }, { error: 'model_auth' }),
  anthropic('404', { status: 404, chunks: [refusalBody('not_found_error', 'model: claude-nope')] }, { error: 'model_not_found' }),
  anthropic('400', { status: 400, chunks: [refusalBody('invalid_request_error', 'messages.0: bad')] }, { error: 'model_bad_request', says: 'messages.0' }),
  anthropic('a prompt that is too long', { status: 400, chunks: [refusalBody('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum')] }, { error: 'context_overflow' }),
  anthropic('413', { status: 413, chunks: [refusalBody('request_too_large', 'Request exceeds the maximum size')] }, { error: 'context_overflow' }),
  anthropic('credit used up', { status: 400, chunks: [refusalBody('billing_error', 'Your credit balance is too low')] }, { error: 'model_quota' })
]

const made: Event = { type: 'response.created', response: { object: 'response', status: 'in_progress', error: null, output: [] } }
const added = (index: number, item: object): Event => ({ type: 'response.output_item.added', output_index: index, item })
const doneItem = (index: number, item: object): Event => ({ type: 'response.output_item.done', output_index: index, item })
const message = (text: string): object => ({ type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text }] })
const fn = (args: string, id = 'fc_1', callId = 'call_1', name = 'f'): object => ({ type: 'function_call', id, call_id: callId, name, arguments: args })
const said = (index: number, id: string, delta: string): Event => ({ type: 'response.output_text.delta', output_index: index, item_id: id, content_index: 0, delta })
const args = (index: number, id: string, delta: string): Event => ({ type: 'response.function_call_arguments.delta', output_index: index, item_id: id, delta })
const end = (fields: object = {}, status = 'completed'): Event => ({ type: `response.${status}`, response: { object: 'response', status, error: null, output: [], usage: { input_tokens: 8, output_tokens: 3 }, ...fields } })
const thought = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'need it' }], encrypted_content: 'ENC' }

function responses (title: string, body: string | RawReply, expect: WireCase['expect']): WireCase {
  return { dialect: 'responses', title, raw: typeof body === 'string' ? { chunks: [body] } : body, expect }
}

export const responsesCases: readonly WireCase[] = [
  responses('text in pieces', frames(made, added(0, { type: 'message', id: 'msg_1' }), said(0, 'msg_1', 'Gr'), said(0, 'msg_1', 'üße 🙂'), doneItem(0, message('Grüße 🙂')), end()), { text: 'Grüße 🙂', calls: [], finish: 'stop', usage: { inputTokens: 8, outputTokens: 3, cachedInputTokens: null } }),
  responses('usage in all its details', frames(made, added(0, { type: 'message', id: 'm' }), said(0, 'm', 'x'), end({ usage: { input_tokens: 100, input_tokens_details: { cached_tokens: 80, cache_write_tokens: 15 }, output_tokens: 9, output_tokens_details: { reasoning_tokens: 4 } } })),
    { text: 'x', usage: { inputTokens: 100, outputTokens: 9, cachedInputTokens: 80, cacheWriteTokens: 15, reasoningTokens: 4, costUsd: null } }),
  responses('no usage is null', frames(made, added(0, { type: 'message', id: 'm' }), said(0, 'm', 'x'), end({ usage: null })), { text: 'x', usage: { inputTokens: null } }),
  responses('two calls, their pieces mixed', frames(made, added(0, fn('')), added(1, fn('', 'fc_2', 'call_2', 'g')), args(1, 'fc_2', '{"y"'), args(0, 'fc_1', '{"x":1}'), args(1, 'fc_2', ':2}'), doneItem(0, fn('{"x":1}')), doneItem(1, fn('{"y":2}', 'fc_2', 'call_2', 'g')), end()),
    { text: '', calls: [['f', { x: 1 }, 'call_1'], ['g', { y: 2 }, 'call_2']], finish: 'tool_calls' }),
  responses('ids of items that change from event to event', frames(made, added(0, fn('')), { type: 'response.function_call_arguments.delta', item_id: 'other', delta: '{"x":1}' }, doneItem(0, fn('{"x":1}', 'fc_9')), end()), { text: '', calls: [['f', { x: 1 }, 'call_1']] }),
  responses('a call that comes whole, without pieces', frames(made, doneItem(0, fn('{"x":1}')), end()), { text: '', calls: [['f', { x: 1 }, 'call_1']] }),
  responses('the finished item outranks what was streamed', frames(made, added(0, fn('')), args(0, 'fc_1', '{"x":9'), doneItem(0, fn('{"x":1}')), end()), { text: '', calls: [['f', { x: 1 }, 'call_1']] }),
  responses('what was lost of the text is in the finished item', frames(made, added(0, { type: 'message', id: 'msg_1' }), said(0, 'msg_1', 'He'), doneItem(0, message('Hello')), end()), { text: 'Hello' }),
  responses('events of items left out: the output is in the end', frames(made, end({ output: [thought, message('ok'), fn('{"x":1}')] })), { text: 'ok', reasoning: 'need it', calls: [['f', { x: 1 }, 'call_1']] }),
  responses('reasoning comes back before its call', frames(made, added(0, { type: 'reasoning', id: 'rs_1', summary: [] }), { type: 'response.reasoning_summary_part.added', output_index: 0, item_id: 'rs_1' }, { type: 'response.reasoning_summary_text.delta', output_index: 0, item_id: 'rs_1', delta: 'need it' }, doneItem(0, thought), added(1, fn('')), args(1, 'fc_1', '{}'), doneItem(1, fn('{}')), end()),
    { text: '', reasoning: 'need it', calls: [['f', {}, 'call_1']], data: { output: [thought, { call: 0, id: 'fc_1' }] } }),
  responses('reasoning that is not encrypted is not sent back', frames(made, doneItem(0, { type: 'reasoning', id: 'rs_1', summary: [] }), doneItem(1, fn('{}')), end()), { text: '', calls: [['f', {}, 'call_1']], data: { output: [{ call: 0, id: 'fc_1' }] } }),
  responses('parts of a summary are paragraphs', frames(made, added(0, { type: 'reasoning', id: 'r' }), { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'one' }, { type: 'response.reasoning_summary_part.added', output_index: 0 }, { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'two' }, added(1, { type: 'message', id: 'm' }), said(1, 'm', 'x'), end()), { text: 'x', reasoning: 'one\n\ntwo' }),
  responses('unknown events and items are skipped', frames(made, { type: 'response.fancy', x: 1 }, added(0, { type: 'web_search_call', id: 'ws' }), doneItem(0, { type: 'web_search_call', id: 'ws' }), added(1, { type: 'message', id: 'm' }), said(1, 'm', 'x'), end()), { text: 'x' }),
  responses('text without an item', frames(made, { type: 'response.output_text.delta', item_id: 'm', delta: 'x' }, end()), { text: 'x' }),
  responses('a refusal', frames(made, added(0, { type: 'message', id: 'm' }), { type: 'response.refusal.delta', output_index: 0, delta: 'No.' }, doneItem(0, { type: 'message', id: 'm', content: [{ type: 'refusal', refusal: 'No.' }] }), end()), { text: 'No.', finish: 'content_filter' }),
  responses('incomplete at the output limit', frames(made, added(0, fn('')), args(0, 'fc_1', '{"x":"ha'), end({ incomplete_details: { reason: 'max_output_tokens' } }, 'incomplete')), { text: '', invalid: 'truncated', finish: 'length' }),
  responses('incomplete by a filter', frames(made, added(0, { type: 'message', id: 'm' }), said(0, 'm', 'so'), end({ incomplete_details: { reason: 'content_filter' } }, 'incomplete')), { text: 'so', finish: 'content_filter' }),
  responses('failed', frames(made, added(0, { type: 'message', id: 'm' }), said(0, 'm', 'half'), end({ error: { code: 'server_error', message: 'it broke' } }, 'failed')), { error: 'model_overloaded', says: 'it broke', partial: 'half' }),
  responses('failed for a limit of rate', frames(made, end({ error: { code: 'rate_limit_exceeded', message: 'slow' } }, 'failed')), { error: 'model_rate_limited' }),
  responses('an error event', frames(made, { type: 'error', code: 'insufficient_quota', message: 'no money', param: null }), { error: 'model_quota', says: 'no money' }),
  responses('an overflow in the stream', frames(made, { type: 'error', code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' }), { error: 'context_overflow' }),
  responses('nothing', frames(made, end()), { error: 'model_empty' }),
  responses('no end', frames(made, added(0, { type: 'message', id: 'm' }), said(0, 'm', 'half')), { error: 'model_incomplete', partial: 'half' }),
  responses('cut off by [DONE] of a proxy', frames(made, added(0, { type: 'message', id: 'm' }), said(0, 'm', 'half')) + 'data: [DONE]\n\n', { error: 'model_incomplete', partial: 'half' }),
  responses('a reset in mid-call', { chunks: [frames(made, added(0, fn('')), args(0, 'fc_1', '{"x"'))], end: 'reset' }, { error: 'model_incomplete' }),
  responses('a whole response, not streamed', { headers: { 'content-type': 'application/json' }, chunks: [JSON.stringify({ object: 'response', status: 'completed', error: null, output: [thought, message('ok')], usage: { input_tokens: 1, output_tokens: 2 } })] }, { text: 'ok', reasoning: 'need it', usage: { inputTokens: 1, outputTokens: 2 }, data: { output: [thought, { text: 2, id: 'msg_1' }] } }),
  responses('a JSON error with HTTP 200', { chunks: ['{"error":{"message":"no such model","code":"model_not_found"}}'] }, { error: 'model_not_found' }),
  responses('401', { status: 401, chunks: ['{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}'] }, { error: 'model_auth' }),
  responses('400 with its parameter', { status: 400, chunks: ['{"error":{"message":"Unknown parameter: \'x\'","type":"invalid_request_error","param":"x"}}'] }, { error: 'model_bad_request', says: 'Unknown parameter' }),
  responses('CRLF', frames(made, added(0, { type: 'message', id: 'm' }), said(0, 'm', 'x'), end()).replaceAll('\n', '\r\n'), { text: 'x' })
]
