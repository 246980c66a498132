import type { ModelFinishReason } from '../protocol/events.ts'

const wireNames: ReadonlyMap<string, ModelFinishReason> = new Map([
  ['stop', 'stop'], ['end_turn', 'stop'], ['stop_sequence', 'stop'], ['eos', 'stop'], ['eos_token', 'stop'], ['completed', 'stop'],
  ['tool_calls', 'tool_calls'], ['tool_use', 'tool_calls'], ['function_call', 'tool_calls'],
  ['length', 'length'], ['max_tokens', 'length'], ['model_length', 'length'], ['max_output_tokens', 'length'],
  ['content_filter', 'content_filter'], ['safety', 'content_filter'], ['refusal', 'content_filter'], ['sensitive', 'content_filter'],
  ['error', 'error'], ['network_error', 'error']
])

/** An unknown word is an end all the same: whether tools run depends on the calls, not on this label. */
export function readFinishReason (wire: string): ModelFinishReason {
  return wireNames.get(wire.toLowerCase()) ?? 'stop'
}
