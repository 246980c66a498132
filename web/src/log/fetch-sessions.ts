import { answer, client } from '../api/client.ts'
import { Refused } from '../api/refused.ts'
import type { Session } from '../api/types.ts'

/** Newest first. */
export interface Page { readonly items: readonly Session[], readonly nextCursor: string | null }

const firstPageSize = 100 // what a first look shows
const pageSize = 200 // the most that a list gives

/** The page after `cursor`; null: the newest. */
export async function fetchPage (cursor: string | null, limit = pageSize): Promise<Page> {
  return await answer(client.GET('/sessions', { params: { query: { limit, ...(cursor === null ? {} : { cursor }) } } }))
}

/** The newest, at least `wanted` of them if there are so many. */
export async function fetchPages (wanted: number): Promise<Page> {
  let { items, nextCursor } = await fetchPage(null, firstPageSize)
  while (nextCursor !== null && items.length < wanted) {
    const page = await fetchPage(nextCursor)
    items = [...items, ...page.items]
    nextCursor = page.nextCursor
  }
  return { items, nextCursor }
}

/** Those of them that are there. */
export async function fetchEach (ids: readonly string[]): Promise<Session[]> {
  const found = await Promise.all(ids.map(fetchOne))
  return found.filter((session) => session !== null)
}

async function fetchOne (sessionId: string): Promise<Session | null> {
  try {
    return await answer(client.GET('/sessions/{sessionId}', { params: { path: { sessionId } } }))
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return null
    throw error
  }
}
