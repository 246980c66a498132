import type { ModelAnswer, ModelMessage } from '../../src/model/model.ts'

/** The messages of a step that ended with `answer`, its calls answered by `results` (as text; an Error failed). */
export function step (answer: ModelAnswer | null, results: ReadonlyArray<string | Error> = []): ModelMessage[] {
  if (answer === null) throw new Error('no answer')
  const calls = answer.calls.map((call, position) => ({ ...call, callId: `call_ours_${position}_${answer.text.length}` }))
  return [
    { role: 'assistant', text: answer.text, reasoning: answer.reasoning, calls, echo: answer.echo },
    ...calls.map(({ callId }, position): ModelMessage => {
      const result = results[position] ?? 'done'
      return { role: 'tool', callId, content: typeof result === 'string' ? result : result.message, ok: typeof result === 'string' }
    })
  ]
}

type Json = Record<string, unknown>

/** A request's body without the marks for the cache, which move. */
export function unmarked (raw: string): string {
  return raw.replaceAll(',"cache_control":{"type":"ephemeral"}', '')
}

/** The paths of the marks in a request. */
export function marks (body: unknown, at = ''): string[] {
  if (typeof body !== 'object' || body === null) return []
  const own = 'cache_control' in body ? [at] : []
  return [...own, ...Object.entries(body as Json).flatMap(([key, value]) => marks(value, `${at}/${key}`))] // an object's entries are what JSON has
}
