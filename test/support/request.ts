import { request as undiciRequest } from 'undici'

export interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is; give it a content type. */
  readonly body?: string | Uint8Array
  /** API key; null or empty: none is sent. */
  readonly key?: string | null
  readonly signal?: AbortSignal
}

export interface Answer<T = unknown> {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The body as JSON, taken for a `T`; undefined when it is none. */
  readonly json: T
}

/** One request, its answer read whole. */
export async function request<T = unknown> (url: string, options: RequestOptions = {}): Promise<Answer<T>> {
  const { method = 'GET', key, json, body = json === undefined ? undefined : JSON.stringify(json), signal } = options
  const answer = await undiciRequest(url, {
    method: method as 'GET', // undici's list of methods; tests ask with whatever they like
    headers: { ...headersOf(key, json), ...options.headers },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal })
  })
  const text = await answer.body.text()
  return { status: answer.statusCode, headers: answer.headers, text, json: parsed(text) as T } // the test says what it expects, and checks it
}

export function headersOf (key: string | null | undefined, json: unknown): Record<string, string> {
  return { ...(key === null || key === undefined || key === '' ? {} : { authorization: `Bearer ${key}` }), ...(json === undefined ? {} : { 'content-type': 'application/json' }) }
}

function parsed (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
