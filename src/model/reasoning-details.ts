import type { JsonObject } from '../protocol/common.ts'
import { isObject } from './json.ts'

const growing = ['text', 'summary', 'data'] as const

/** Merges streamed `reasoning_details` by index, so that they can go back as they are. Returns the bytes that came. */
export function mergeReasoningDetails (details: JsonObject[], wire: unknown): number {
  if (!Array.isArray(wire)) return 0
  let bytes = 0
  for (const delta of wire) {
    if (!isObject(delta)) continue
    const last = details.at(-1)
    const same = typeof delta['index'] === 'number'
      ? details.find((detail) => detail['index'] === delta['index'] && detail['type'] === delta['type'])
      : last?.['index'] === undefined && last?.['type'] === delta['type'] ? last : undefined
    if (same === undefined) details.push({ ...delta })
    for (const [key, value] of Object.entries(delta)) {
      const grows = growing.some((name) => name === key)
      if (typeof value === 'string' && (grows || key === 'signature')) bytes += value.length
      if (same === undefined || value === null || value === undefined) continue
      const before = same[key]
      same[key] = grows && typeof before === 'string' && typeof value === 'string' ? before + value : value
    }
  }
  return bytes
}

/** What of `reasoning_details` people can read. */
export function readReasoningDetails (wire: unknown): string {
  if (!Array.isArray(wire)) return ''
  let text = ''
  for (const delta of wire) {
    if (!isObject(delta)) continue
    if (typeof delta['text'] === 'string') text += delta['text']
    else if (typeof delta['summary'] === 'string') text += delta['summary']
  }
  return text
}
