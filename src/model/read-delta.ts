import type { JsonObject } from '../protocol/common.ts'
import { isObject, nonEmptyString } from './json.ts'
import { readReasoningDetails } from './reasoning-details.ts'

/** Where the contents of a `delta` (or of a whole `message`: the same fields) go. */
export interface DeltaSink {
  content (text: string): void
  reasoning (text: string): void
  refusal (text: string): void
  call (fragment: unknown): void
  details (wire: unknown): void
}

/** Reads one delta. Keys may be missing, null or of another type than documented. */
export function readDelta (delta: JsonObject, sink: DeltaSink): void {
  // Several names for one thing, sometimes two of them with the same text: the first that is there counts.
  const reasoning = nonEmptyString(delta['reasoning_content']) ?? nonEmptyString(delta['reasoning'])
  const details = delta['reasoning_details']
  if (reasoning !== undefined) sink.reasoning(reasoning)
  else if (details !== undefined) sink.reasoning(readReasoningDetails(details))
  if (details !== undefined) sink.details(details)
  const content = delta['content']
  if (typeof content === 'string') sink.content(content)
  else if (Array.isArray(content)) for (const part of content) readPart(part, sink)
  const refusal = delta['refusal']
  if (typeof refusal === 'string' && refusal !== '') sink.refusal(refusal)
  const calls = delta['tool_calls']
  if (Array.isArray(calls)) for (const fragment of calls) sink.call(fragment)
}

function readPart (part: unknown, sink: DeltaSink): void {
  if (!isObject(part)) return
  switch (part['type']) {
    case 'text':
      if (typeof part['text'] === 'string') sink.content(part['text'])
      return
    case 'thinking': {
      const thinking = part['thinking']
      if (typeof thinking === 'string') sink.reasoning(thinking)
      else if (Array.isArray(thinking)) {
        for (const inner of thinking) if (isObject(inner) && typeof inner['text'] === 'string') sink.reasoning(inner['text'])
      }
      return
    }
    case 'refusal':
      if (typeof part['refusal'] === 'string') sink.refusal(part['refusal'])
  }
}
