import type { RawReply } from '../support/model-server/model-server.ts'

/** What one row of the list of quirks sends, and what it has to be read as. */
export interface Quirk {
  readonly title: string
  readonly raw: RawReply
  readonly expect: {
    readonly text?: string
    readonly reasoning?: string
    /** Tool, arguments, and the id that goes back (`''`: none that could). */
    readonly calls?: ReadonlyArray<readonly [tool: string, args: object, id: string]>
    readonly finish?: string
    readonly usage?: object
    readonly error?: string
    readonly says?: string
    readonly partial?: string
  }
}

type Fragment = readonly [index: number | null, id: string | null, name: string | null, args: unknown]

const end = 'data: [DONE]\n\n'

export function frame (value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

export function delta (fields: object, reason: string | null = null, more: object = {}): string {
  return frame({ choices: [{ index: 0, delta: fields, finish_reason: reason, ...more }] })
}

/** Successive fragments of calls; those of one list come in one chunk. Null: the key is absent. */
function fragments (...chunks: ReadonlyArray<readonly Fragment[]>): string[] {
  return chunks.map((chunk) => delta({
    tool_calls: chunk.map(([index, id, name, args]) => ({
      ...(index === null ? {} : { index }),
      ...(id === null ? {} : { id, type: 'function' }),
      function: { ...(name === null ? {} : { name }), ...(args === null ? {} : { arguments: args }) }
    }))
  }))
}

function called (title: string, chunks: readonly string[], calls: NonNullable<Quirk['expect']['calls']>): Quirk {
  return { title, raw: { chunks: [...chunks, delta({}, 'tool_calls'), end] }, expect: { calls, finish: 'tool_calls' } }
}

function said (title: string, chunks: readonly string[], expect: Quirk['expect']): Quirk {
  return { title, raw: { chunks }, expect }
}

const stop = delta({}, 'stop')
const json = { 'content-type': 'application/json' }

export const quirks: readonly Quirk[] = [
  called('1: no index at all', fragments([[null, 'a', 'f', '{']], [[null, null, null, '}']]), [['f', {}, 'a']]),
  called('2: two whole calls without index in one chunk', fragments([[null, 'a', 'f', '{"x":1}'], [null, 'b', 'g', '{"y":2}']]), [['f', { x: 1 }, 'a'], ['g', { y: 2 }, 'b']]),
  called('2: the same without ids', fragments([[null, null, 'f', '{"x":1}'], [null, null, 'g', '{"y":2}']]), [['f', { x: 1 }, ''], ['g', { y: 2 }, '']]),
  called('3: one index for two calls', fragments([[0, 'a', 'f', '{}']], [[0, 'b', 'g', '{}']]), [['f', {}, 'a'], ['g', {}, 'b']]),
  called('3: one index and one id, another name', fragments([[0, 'a', 'f', '{}']], [[0, 'a', 'g', '{}']]), [['f', {}, 'a'], ['g', {}, '']]),
  called('3: one index and one id, the same name, other whole arguments', fragments([[0, 'a', 'f', '{"x":1}']], [[0, 'a', 'f', '{"x":2}']]), [['f', { x: 1 }, 'a'], ['f', { x: 2 }, '']]),
  called('3: one index, two ids, everything else the same', fragments([[0, 'a', 'f', '{}']], [[0, 'b', 'f', '{}']]), [['f', {}, 'a'], ['f', {}, 'b']]),
  called('4: the rest comes under an index of its own', fragments([[0, 'a', 'f', '{"x"']], [[1, null, null, ':1}']]), [['f', { x: 1 }, 'a']]),
  called('5: the first index is 1', fragments([[1, 'a', 'f', '']], [[1, null, null, '{"x":1}']]), [['f', { x: 1 }, 'a']]),
  called('6: arguments as an object', fragments([[0, 'a', 'run_command', { cmd: 'ls' }]]), [['run_command', { cmd: 'ls' }, 'a']]),
  called('7: empty id and name in the later fragments', fragments([[0, 'a', 'f', '']], [[0, '', '', '{"x":']], [[0, '', '', '1}']]), [['f', { x: 1 }, 'a']]),
  called('8: id and name repeated', fragments([[0, 'a', 'f', '{"x"']], [[0, 'a', 'f', ':1']], [[0, 'a', 'f', '}']]), [['f', { x: 1 }, 'a']]),
  called('9: a new id in each fragment', fragments([[0, 'a', 'f', '{"x"']], [[0, 'b', '', ':1']], [[0, 'c', '', '}']]), [['f', { x: 1 }, 'a']]),
  called('10: the name in pieces', fragments([[0, 'a', 'get_', '']], [[0, null, 'weather', '{}']]), [['get_weather', {}, 'a']]),
  called('10: the name after the first arguments', fragments([[0, 'a', null, '{"x"']], [[0, null, 'f', ':1}']]), [['f', { x: 1 }, 'a']]),
  called('11: one fragment is all', fragments([[0, 'a', 'f', '{"x":1}']]), [['f', { x: 1 }, 'a']]),
  called('12: an empty tail', fragments([[0, 'a', 'f', '{"x":1}']], [[0, null, null, '']]), [['f', { x: 1 }, 'a']]),
  called('12: everything once more', fragments([[0, 'a', 'f', '{"x":']], [[0, null, null, '1}']], [[0, 'a', 'f', '{"x":1}']]), [['f', { x: 1 }, 'a']]),
  called('12: everything once more, encoded twice', fragments([[0, 'a', 'f', '{"x":1}']], [[0, 'a', 'f', '"{\\"x\\":1}"']]), [['f', { x: 1 }, 'a']]),
  called('12: everything encoded twice', fragments([[0, 'a', 'f', '"{\\"x\\":1}"']]), [['f', { x: 1 }, 'a']]),
  called('13: two calls with one id', fragments([[0, 'a', 'f', '{}']], [[1, 'a', 'g', '{}']]), [['f', {}, 'a'], ['g', {}, '']]),
  called('14: no ids', fragments([[0, '', 'f', '{}']], [[1, null, 'g', '{}']]), [['f', {}, ''], ['g', {}, '']]),
  called('14: no arguments at all', fragments([[0, 'a', 'f', null]]), [['f', {}, 'a']]),
  called('names of tools that objects have by nature', fragments([[0, 'a', 'constructor', '{}']]), [['constructor', {}, 'a']]),
  said('15: calls, then the word stop', [...fragments([[0, 'a', 'f', '{}']]), delta({}, 'end_turn'), end], { calls: [['f', {}, 'a']], finish: 'stop' }),
  said('16: two finish reasons', [
    ...fragments([[0, 'a', 'f', '{}']]), delta({}, 'tool_calls'), frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 4 } }), end
  ], { calls: [['f', {}, 'a']], finish: 'tool_calls', usage: { inputTokens: 4, outputTokens: null } }),
  said('17: empty choices first and last, a choice without delta', [
    frame({ choices: [], prompt_filter_results: [{}] }), delta({ content: 'x' }), frame({ choices: [{ index: 0, finish_reason: 'stop' }] }), frame({ choices: [], usage: { prompt_tokens: 1 } }), end
  ], { text: 'x', finish: 'stop', usage: { inputTokens: 1 } }),
  said('18: usage in the choice', [delta({ content: 'x' }), delta({}, 'stop', { usage: { prompt_tokens: 9, cached_tokens: 3 } }), end], { text: 'x', usage: { inputTokens: 9, cachedInputTokens: 3 } }),
  said('18: usage under the name of a provider', [
    delta({ content: 'x' }), frame({ choices: [{ delta: {}, finish_reason: 'stop' }], x_groq: { usage: { prompt_tokens: 2 } } }), end
  ], { text: 'x', usage: { inputTokens: 2 } }),
  said('19: running usage on each chunk, then null', [
    frame({ choices: [{ delta: { content: 'x' } }], usage: { prompt_tokens: 5, completion_tokens: 1 } }),
    frame({ choices: [{ delta: { content: 'y' }, finish_reason: 'stop' }], usage: { prompt_tokens: 5, completion_tokens: 2 } }), frame({ choices: [], usage: null }), end
  ], { text: 'xy', usage: { inputTokens: 5, outputTokens: 2 } }),
  said('19: no usage is not zero', [delta({ content: 'x' }), stop, end], { text: 'x', usage: { inputTokens: null, outputTokens: null, costUsd: null } }),
  said('usage in all its detail', [
    delta({ content: 'x' }, 'stop'),
    frame({
      choices: [],
      usage: {
        prompt_tokens: 10, completion_tokens: 4, cost: 0.25, prompt_tokens_details: { cached_tokens: 6, cache_write_tokens: 2 }, completion_tokens_details: { reasoning_tokens: 3 }
      }
    }),
    end
  ], { text: 'x', usage: { inputTokens: 10, outputTokens: 4, cachedInputTokens: 6, cacheWriteTokens: 2, reasoningTokens: 3, costUsd: 0.25 } }),
  said('usage of DeepSeek', [delta({ content: 'x' }, 'stop'), frame({ choices: [], usage: { prompt_tokens: 10, prompt_cache_hit_tokens: 7 } }), end], { text: 'x', usage: { inputTokens: 10, cachedInputTokens: 7 } }),
  said('20: nulls, empty texts and a role again and again', [
    delta({ role: 'assistant', content: null }), delta({ role: null, content: '' }), delta({ role: 'assistant', content: 'x', tool_calls: null, reasoning: null }), stop, end
  ], { text: 'x' }),
  said('21: content as typed parts', [
    delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }, { type: 'text', text: 'x' }, { type: 'reference', ids: [1] }] }), stop, end
  ], { text: 'x', reasoning: 'hm' }),
  said('22: reasoning_content', [delta({ reasoning_content: 'hm' }), delta({ content: 'x' }), stop, end], { text: 'x', reasoning: 'hm' }),
  said('22: reasoning', [delta({ reasoning: 'hm' }), delta({ content: 'x' }), stop, end], { text: 'x', reasoning: 'hm' }),
  said('22: both, with the same text', [delta({ reasoning: 'hm', reasoning_content: 'hm' }), delta({ content: 'x' }), stop, end], { text: 'x', reasoning: 'hm' }),
  said('22: reasoning_details alone', [delta({ reasoning_details: [{ type: 'reasoning.text', text: 'hm', index: 0 }] }), delta({ content: 'x' }), stop, end], { text: 'x', reasoning: 'hm' }),
  said('22: reasoning beside its details counts once', [
    delta({ reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm', index: 0 }] }), delta({ content: 'x' }), stop, end
  ], { text: 'x', reasoning: 'hm' }),
  said('22: think tags in the content, cut anywhere', ['\n<th', 'ink>\nhm </', 'th> it</thi', 'nk>', '\n\nThe <think> tag'].map((content) => delta({ content })).concat(stop, end),
    { text: 'The <think> tag', reasoning: '\nhm </th> it' }),
  said('22: a think tag later on is text', [delta({ content: 'Use <think>x</think>' }), stop, end], { text: 'Use <think>x</think>', reasoning: '' }),
  said('22: what only looked like a think tag', [delta({ content: '<th' }), delta({ content: 'ead>' }), stop, end], { text: '<thead>' }),
  said('22: an answer that is only the beginning of a tag', [delta({ content: '<thi' }), stop, end], { text: '<thi' }),
  said('23: comments', [': OPENROUTER PROCESSING\n\n', delta({ content: 'x' }), ': keep-alive\n\n', stop, ': ping\n\n', end], { text: 'x' }),
  said('24: no end mark after the finish reason', [delta({ content: 'x' }), stop], { text: 'x', finish: 'stop' }),
  said('24: all in one event, without a line end', [delta({ content: 'x' }, 'stop').trimEnd()], { text: 'x', finish: 'stop' }),
  said('24: no finish reason either', [delta({ content: 'x' })], { error: 'model_incomplete', partial: 'x' }),
  said('24: cut inside an event', [delta({ content: 'x' }), 'data: {"choices":[{"delta"'], { error: 'model_incomplete', partial: 'x' }),
  said('25: bytes after the end mark', [delta({ content: 'x' }), stop, end, delta({ content: 'y' })], { text: 'x' }),
  said('26: lone carriage returns', [`${delta({ content: 'x' })}${stop}${end}`.replaceAll('\n', '\r')], { text: 'x' }),
  said('26: CRLF, a byte order mark and no space after the colon', [`\ufeff${delta({ content: 'x' })}${stop}${end}`.replaceAll('\n', '\r\n').replaceAll('data: ', 'data:')], { text: 'x' }),
  {
    title: '27: an é cut in two',
    raw: { chunks_b64: [Buffer.from(delta({ content: 'é' })).subarray(0, 38), Buffer.from(delta({ content: 'é' })).subarray(38), Buffer.from(stop + end)].map((chunk) => chunk.toString('base64')) },
    expect: { text: 'é' }
  },
  said('28: an error with a finish reason, after text', [
    delta({ content: 'so far' }), frame({ error: { code: 502, message: 'went away' }, choices: [{ delta: { content: '' }, finish_reason: 'error' }] })
  ], { error: 'model_overloaded', says: 'went away', partial: 'so far' }),
  said('28: the finish reason alone says error', [delta({ content: 'so far' }), delta({}, 'error'), end], { error: 'model_overloaded', partial: 'so far' }),
  said('29: an error object', [frame({ error: { message: 'broken', type: 'server_error' } })], { error: 'model_overloaded', says: 'broken' }),
  said('29: an error that is a string', [frame({ error: 'broken' })], { error: 'model_overloaded', says: 'broken' }),
  said('29: a flat error', [frame({ object: 'error', message: 'bad tools', code: 400 })], { error: 'model_bad_request', says: 'bad tools' }),
  said('29: a limit told in the stream', [frame({ error: { message: 'slow down', code: 'rate_limit_exceeded' } })], { error: 'model_rate_limited', says: 'slow down' }),
  said('30: a field named error', ['error: {"code":400,"message":"the request exceeds the available context size, try increasing it"}\n\n', end], { error: 'context_overflow', says: 'exceeds' }),
  said('31: an event named error', ['event: error\ndata: {"message":"gone"}\n\n'], { error: 'model_overloaded', says: 'gone' }),
  said('31: an event named error with plain text', ['event: error\ndata: gone\n\n'], { error: 'model_overloaded', says: 'gone' }),
  { title: '32: an HTML page', raw: { headers: { 'content-type': 'text/html' }, chunks: ['<!doctype html><title>Welcome to nginx</title>'] }, expect: { error: 'model_not_an_api', says: 'Welcome to nginx' } },
  {
    title: '32: an HTML page from a broken gateway',
    raw: { status: 502, headers: { 'content-type': 'text/html' }, chunks: ['<html><title>502 Bad Gateway</title></html>'] },
    expect: { error: 'model_overloaded', says: '502 Bad Gateway' }
  },
  { title: '32: an HTML page where no API is', raw: { status: 404, headers: { 'content-type': 'text/html' }, chunks: ['<html></html>'] }, expect: { error: 'model_not_an_api', says: '404' } },
  { title: '32: plain text', raw: { headers: { 'content-type': 'text/plain' }, chunks: ['Ollama is running'] }, expect: { error: 'model_not_an_api', says: 'Ollama is running' } },
  { title: '32: a JSON error', raw: { headers: json, chunks: ['{"error":{"message":"not loaded"}}'] }, expect: { error: 'model_overloaded', says: 'not loaded' } },
  { title: '32: JSON of something else', raw: { headers: json, chunks: ['{"status":"ok"}'] }, expect: { error: 'model_not_an_api', says: 'status' } },
  {
    title: '32: a whole completion from a server that does not stream',
    raw: {
      headers: json,
      chunks: ['\n \n', JSON.stringify({
        choices: [{
          message: {
            role: 'assistant', content: 'x', reasoning_content: 'hm', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }, { function: { name: 'g', arguments: {} } }]
          },
          finish_reason: 'tool_calls'
        }],
        usage: { prompt_tokens: 3 }
      })]
    },
    expect: { text: 'x', reasoning: 'hm', calls: [['f', { x: 1 }, 'a'], ['g', {}, '']], finish: 'tool_calls', usage: { inputTokens: 3 } }
  },
  { title: '32: half of a completion', raw: { headers: json, chunks: ['{"choices":[{"mess'] }, expect: { error: 'model_incomplete' } },
  said('33: neither text nor calls', [delta({ content: '' }), stop, end], { error: 'model_empty' }),
  said('33: reasoning is no answer', [delta({ reasoning: 'hm' }), stop, end], { error: 'model_empty' }),
  said('33: reasoning that used up the output is cut, not empty', [delta({ reasoning: 'hm' }), delta({}, 'length'), end], { text: '', reasoning: 'hm', finish: 'length' }),
  {
    title: '34: the context of llama.cpp is full',
    raw: { status: 400, headers: json, chunks: ['{"error":{"code":400,"message":"request is too big","type":"exceed_context_size_error","n_prompt_tokens":9,"n_ctx":8}}'] },
    expect: { error: 'context_overflow', says: 'too big' }
  },
  { title: '34: the same as a 500', raw: { status: 500, headers: json, chunks: ['{"error":{"code":500,"message":"Context size has been exceeded."}}'] }, expect: { error: 'context_overflow' } },
  {
    title: '34: the same at OpenAI',
    raw: { status: 400, headers: json, chunks: ['{"error":{"code":"context_length_exceeded","message":"maximum context length is 8192 tokens"}}'] },
    expect: { error: 'context_overflow', says: '8192' }
  },
  { title: '35: an error in a list', raw: { status: 400, headers: json, chunks: ['[{"error":{"code":400,"message":"bad schema","status":"INVALID_ARGUMENT"}}]'] }, expect: { error: 'model_bad_request', says: 'bad schema' } },
  said('36: a refusal', [delta({ refusal: 'I will ' }), delta({ refusal: 'not.' }), stop, end], { text: 'I will not.', finish: 'content_filter' }),
  said('36: the filter', [delta({ content: 'x' }), delta({}, 'content_filter'), end], { text: 'x', finish: 'content_filter' }),
  { title: '36: the filter as an error', raw: { status: 400, headers: json, chunks: ['{"error":{"code":"content_filter","message":"filtered"}}'] }, expect: { error: 'content_filter' } }
]
