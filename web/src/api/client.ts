import createClient from 'openapi-fetch'
import { authorization } from './key.ts'
import { Refused, unreachable } from './refused.ts'
import type { paths } from './schema.ts'
import type { Problem } from './types.ts'

/** Where the API is: beside the page. */
export const base = new URL('./', location.href).href.replace(/[?#].*$/, '').replace(/\/$/, '')

export const client = createClient<paths>({ baseUrl: base, fetch: send })

async function send (request: Request): Promise<Response> {
  for (const [name, value] of Object.entries(authorization())) request.headers.set(name, value)
  try {
    return await fetch(request)
  } catch (error) {
    if (request.signal.aborted) throw error
    throw unreachable(error)
  }
}

interface Answered<T> { data?: T, error?: unknown, response: Response }

/** What the server answered. @throws Refused */
export async function answer<T> (request: Promise<Answered<T>>): Promise<T> {
  const { data, error, response } = await request
  if (response.ok) return data as T // openapi-fetch types it by the status
  throw new Refused(response.status, error as Problem | undefined) // every refusal is a problem document
}

/** A request beside JSON: bytes up or down. @throws Refused */
export async function fetchRaw (path: string, init: RequestInit = {}): Promise<Response> {
  const response = await send(new Request(`${base}${path}`, init))
  if (response.ok) return response
  const problem = await response.json().catch(() => undefined) as Problem | undefined // likewise
  throw new Refused(response.status, problem)
}
