import { Type, type Static } from '@sinclair/typebox'
import { ApprovalStatus, SessionStatus } from './resources.ts'

/** Something about a session changed: its status, its settings, its runs. A hint to fetch it; it stands in no log. */
export const SessionChanged = Type.Object({
  type: Type.Literal('session_changed'),
  sessionId: Type.String(),
  status: Type.Union([...SessionStatus.anyOf, Type.Literal('deleted')])
}, { title: 'SessionChangedNotice', description: 'A session was created, changed or deleted; a hint to fetch it.' })

/** A call waits for a decision, or waits no longer. */
export const ApprovalChanged = Type.Object({
  type: Type.Literal('approval_changed'),
  callId: Type.String(),
  sessionId: Type.String(),
  status: ApprovalStatus
}, { title: 'ApprovalChangedNotice', description: 'An approval is asked for, or settled; a hint to fetch it.' })

export const Notice = Type.Union([SessionChanged, ApprovalChanged], {
  title: 'Notice', description: 'What the stream of all sessions carries. Notices have no `id`: after a reconnect, fetch the lists.'
})
export type Notice = Static<typeof Notice>
