/** Where a client wants to go on. */
export type Cursor =
  | { readonly kind: 'after', readonly seq: number }
  | { readonly kind: 'latest' }
  | { readonly kind: 'unknown', readonly text: string }

/**
 * @param header `Last-Event-ID`: it wins, an EventSource sends the URL of the beginning with it
 * @param query `?after=`: a seq, or `latest`
 */
export function readCursor (header: string | undefined, query: string | undefined): Cursor {
  const text = header === undefined || header === '' ? query : header
  if (text === undefined) return { kind: 'after', seq: 0 }
  if (text === 'latest' && text === query) return { kind: 'latest' }
  return /^\d{1,15}$/.test(text) ? { kind: 'after', seq: Number(text) } : { kind: 'unknown', text: text.slice(0, 64) }
}

export interface Position {
  /** The first event to send has a greater seq. */
  readonly after: number
  /** Why the cursor means nothing here; null: it is fine. */
  readonly reset: string | null
}

/** A cursor that the log does not know starts from the beginning, and says so: never silence. */
export function positionOf (cursor: Cursor, publishedSeq: number): Position {
  switch (cursor.kind) {
    case 'latest': return { after: publishedSeq, reset: null }
    case 'unknown': return { after: 0, reset: `"${cursor.text}" is no cursor` }
    case 'after': return cursor.seq <= publishedSeq
      ? { after: cursor.seq, reset: null }
      : { after: 0, reset: `The log ends at ${publishedSeq}, before ${cursor.seq}` }
  }
}
