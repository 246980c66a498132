import { unknownUsage, type Usage } from '../protocol/common.ts'
import { isObject } from './json.ts'

function count (value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : null
}

/**
 * The normal form of a chat-completions `usage` object. Input includes what was read from a cache.
 * What is not there is null, never 0.
 */
export function readUsage (wire: unknown): Usage {
  if (!isObject(wire)) return unknownUsage
  const input = isObject(wire['prompt_tokens_details']) ? wire['prompt_tokens_details'] : {}
  const output = isObject(wire['completion_tokens_details']) ? wire['completion_tokens_details'] : {}
  const cost = wire['cost']
  return {
    inputTokens: count(wire['prompt_tokens']),
    outputTokens: count(wire['completion_tokens']),
    cachedInputTokens: count(input['cached_tokens']) ?? count(wire['prompt_cache_hit_tokens']) ?? count(wire['cached_tokens']),
    cacheWriteTokens: count(input['cache_write_tokens']),
    reasoningTokens: count(output['reasoning_tokens']),
    costUsd: typeof cost === 'number' && Number.isFinite(cost) && cost >= 0 ? cost : null
  }
}

/** Of Anthropic's messages: three counts that exclude each other make the input. */
export function readMessagesUsage (wire: unknown): Usage {
  if (!isObject(wire)) return unknownUsage
  const input = count(wire['input_tokens'])
  const cached = count(wire['cache_read_input_tokens'])
  const written = count(wire['cache_creation_input_tokens'])
  const details = isObject(wire['output_tokens_details']) ? wire['output_tokens_details'] : {}
  return {
    inputTokens: input === null ? null : input + (cached ?? 0) + (written ?? 0),
    outputTokens: count(wire['output_tokens']),
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    reasoningTokens: count(details['thinking_tokens']) ?? count(details['reasoning_tokens']),
    costUsd: null
  }
}

/** Of OpenAI's responses. */
export function readResponsesUsage (wire: unknown): Usage {
  if (!isObject(wire)) return unknownUsage
  const input = isObject(wire['input_tokens_details']) ? wire['input_tokens_details'] : {}
  const output = isObject(wire['output_tokens_details']) ? wire['output_tokens_details'] : {}
  return {
    inputTokens: count(wire['input_tokens']),
    outputTokens: count(wire['output_tokens']),
    cachedInputTokens: count(input['cached_tokens']),
    cacheWriteTokens: count(input['cache_write_tokens']),
    reasoningTokens: count(output['reasoning_tokens']),
    costUsd: null
  }
}
