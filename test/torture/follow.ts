import { setTimeout as sleep } from 'node:timers/promises'
import { openStream, type EventStream } from '../support/event-stream.ts'
import type { Api } from './api.ts'
import type { SessionNotes, StreamNote } from './notes.ts'
import type { Random } from './random.ts'

/** Follows a session's events, leaves and comes back at random, and notes what it sees; until `signal`, or the session is gone. */
export async function follow (api: Api, session: SessionNotes, random: Random, signal: AbortSignal): Promise<void> {
  let last = 0
  while (!signal.aborted) {
    const note: StreamNote = { after: last, events: [], reset: false }
    try {
      const stream = await openStream(`${api.url}/sessions/${session.id}/events?ephemeral=${random.integer(0, 1)}`, {
        key: api.key, ...(last === 0 ? {} : { lastEventId: String(last) })
      })
      if (stream.status === 200) {
        session.streams.push(note)
        last = await read(stream, note, random.integer(50, 2_000), random.chance(0.5), signal)
      }
      await stream.close()
      if (stream.status === 404 || note.events.at(-1)?.json.includes('"type":"session_end"') === true) return
    } catch {
      // The server is gone: a client comes back with what it has seen.
      last = note.events.at(-1)?.seq ?? last
    }
    await sleep(random.integer(5, 100))
  }
}

async function read (stream: EventStream, note: StreamNote, forMs: number, abruptly: boolean, signal: AbortSignal): Promise<number> {
  const leave = (): void => {
    if (abruptly) stream.destroySocket()
    else void stream.close()
  }
  const timer = setTimeout(leave, forMs)
  signal.addEventListener('abort', leave)
  try {
    for await (const { id, event, data } of stream) {
      if (event === 'reset') note.reset = true
      if (id !== undefined) note.events.push({ seq: Number(id), json: JSON.stringify(data) })
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  }
  return note.events.at(-1)?.seq ?? note.after
}
