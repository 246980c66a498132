/**
 * A client whose types come from `openapi.yaml` alone. `npm run client:check` makes them and compiles this against them:
 * node build/examples would need a server; what counts here is that it is well typed.
 */
import createClient from 'openapi-fetch'
import type { components, paths } from '../../build/client/api.ts'

type StreamEvent = components['schemas']['Event']
/** Of the forms in which an operation can answer, those that this client asks for. */
type JsonTypes = 'application/json' | 'application/problem+json'
type Client = ReturnType<typeof createClient<paths, JsonTypes>>

export function connect (baseUrl: string, key: string): Client {
  return createClient<paths, JsonTypes>({ baseUrl, headers: { authorization: `Bearer ${key}` } })
}

/** Asks, and returns the answer; calls that need an approval are denied. */
export async function ask (client: Client, question: string): Promise<string> {
  const { data: session, error } = await client.POST('/sessions', { body: { title: 'typed', policy: { mode: 'ask' }, metadata: { team: 'docs' } } })
  if (session === undefined) throw new Error(`${error.code}: ${error.detail}`)
  const answer = await client.POST('/sessions/{sessionId}/messages', {
    params: { path: { sessionId: session.id }, query: { until: 'pause' }, header: { 'idempotency-key': 'once' } },
    body: { content: question, onBusy: 'queue' }
  })
  if (answer.data === undefined) throw new Error(answer.error.suggestion ?? answer.error.detail)
  if ('run' in answer.data) return answer.data.text ?? ''
  for (const { callId, digest } of answer.data.approvals) {
    await client.POST('/approvals/{callId}', { params: { path: { callId } }, body: { decision: 'deny', digest, reason: 'nobody is here' } })
  }
  const runs = await client.GET('/sessions/{sessionId}/runs', { params: { path: { sessionId: session.id }, query: { status: 'running', limit: 1 } } })
  return runs.data?.items[0]?.text ?? ''
}

/** The union of events is told apart by `type`; a missing case would not compile. */
export function describe (event: StreamEvent): string {
  switch (event.type) {
    case 'text_delta': return event.text
    case 'assistant_message': return `${event.seq}: ${event.text} (${event.calls.map((call) => call.tool).join(', ')})`
    case 'approval_required': return `${event.tool}: ${event.preview.summary}\n${event.preview.diff ?? ''}`
    case 'tool_call_end': return event.error === undefined ? event.content ?? '' : event.error.error
    case 'run_end': return `${event.status}: ${event.error?.detail ?? event.finishReason}`
    case 'snapshot': return event.message?.text ?? ''
    case 'reset': return event.reason ?? ''
    case 'retry': return `again in ${event.delayMs} ms`
    case 'reasoning_delta':
    case 'tool_call_delta':
    case 'tool_output_delta': return event.text
    case 'session_start': return event.model
    case 'session_update': return JSON.stringify(event.changes)
    case 'session_end': return event.by.kind
    case 'prompt_set': return event.reason
    case 'user_message': return event.content.map(({ text }) => text).join('')
    case 'run_start': return event.environment ?? ''
    case 'approval_resolved': return event.outcome
    case 'tool_call_start': return event.effects.map(({ path }) => path).join(', ')
    case 'files_changed': return event.paths.join(', ')
    case 'cancel_requested': return event.reason ?? ''
    case 'compaction': return event.summary?.text ?? ''
    default: return event satisfies never
  }
}

// @ts-expect-error -- what the contract does not know does not compile
export type NoSuchOperation = paths['/sessions/{sessionId}/nothing']
