import { Type, type TSchema } from '@sinclair/typebox'
import { cursorLengthMax, pageSizeDefault, pageSizeMax } from '../limits.ts'
import { oneOf } from './common.ts'
import { SessionEvent } from './events.ts'
import { page } from './resources.ts'

/** Ids are opaque to clients; the bound keeps nonsense out of look-ups. */
const Id = Type.String({ minLength: 1, maxLength: 128 })

export const SessionParams = Type.Object({ sessionId: Id })
export const RunParams = Type.Object({ sessionId: Id, runId: Id })
export const ApprovalParams = Type.Object({ callId: Id })

/** What the cursor of a list is made of: the id of its last item, or the seq of an event. Opaque to clients, but nonsense is refused. */
const cursorPatterns = { ses: '^ses_[0-9a-f]{32}$', run: '^run_[0-9a-f]{32}$', call: '^call_[0-9a-f]{32}$', seq: '^[0-9]{1,15}$' }

function pageProperties (cursor: keyof typeof cursorPatterns) {
  return {
    limit: Type.Integer({ minimum: 1, maximum: pageSizeMax, default: pageSizeDefault, description: 'Items on a page' }),
    cursor: Type.Optional(Type.String({ pattern: cursorPatterns[cursor], description: '`nextCursor` of the page before' }))
  }
}

/** Query of a list with cursors of this kind, with the filters given. */
export function pageQuery<P extends Record<string, TSchema>> (cursor: keyof typeof cursorPatterns, filters: P) {
  return Type.Object({ ...pageProperties(cursor), ...filters }, { additionalProperties: false })
}

/** `?metadata.KEY=VALUE` takes any key, which a list of properties cannot say. */
export const metadataFilter = { patternProperties: { '^metadata\\.[A-Za-z0-9_.-]{1,64}$': Type.String({ maxLength: 512 }) } }

const After = Type.Optional(Type.String({
  maxLength: cursorLengthMax,
  description: 'Only events after this seq; `latest` in a stream: only those to come. `Last-Event-ID` wins.'
}))
const Ephemeral = Type.Optional(oneOf(['0', '1'], { description: '0: no previews in the stream, only events of the log' }))

export const EventsQuery = Type.Object({ ...pageProperties('seq'), after: After, ephemeral: Ephemeral }, { additionalProperties: false })
export const RunEventsQuery = Type.Object({ after: After, ephemeral: Ephemeral }, { additionalProperties: false })

export const MessageQuery = Type.Object({
  until: Type.Optional(oneOf(['end', 'pause'], {
    description: 'When the answer ends: with the run, or already when it waits for an approval. Without it JSON and text end at the pause, a stream with the run.'
  })),
  ephemeral: Ephemeral
}, { additionalProperties: false })

export const StreamHeaders = Type.Object({
  'last-event-id': Type.Optional(Type.String({ description: 'Seq of the last event that was received; sent by an EventSource when it comes back' }))
})
export const WaitHeaders = Type.Object({
  prefer: Type.Optional(Type.String({ description: '`wait=SECONDS`: answer when the run settles or asks for an approval, or when the time is up' }))
})
export const MessageHeaders = Type.Object({
  'idempotency-key': Type.Optional(Type.String({ description: 'Quoted or bare, at most 255 characters: the same key and body never start a second run' })),
  prefer: Type.Optional(Type.String({ description: '`respond-async`: 202 at once; `wait=SECONDS`: 202 when the time is up. The run goes on.' }))
})
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(Type.String({ description: 'Quoted or bare, at most 255 characters: the same key and body never create a second one' }))
})

export const EventPage = page('EventPage', SessionEvent)
