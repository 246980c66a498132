import { Conversation, type AssistantPrivate } from '../../src/agent/conversation.ts'
import { toSession } from '../../src/agent/project.ts'
import { reduce } from '../../src/agent/reduce.ts'
import type { SessionState } from '../../src/agent/state.ts'
import { Transcript } from '../../src/agent/transcript.ts'
import type { SessionEvent } from '../../src/protocol/events.ts'

/** One line of a golden log. */
export interface StoredLine { readonly event: SessionEvent, readonly private: object | null }

/** All that is made of a log: what clients see of the session and its transcript, and what a model is sent. */
export function foldGolden (lines: readonly StoredLine[]): object {
  let state: SessionState | null = null
  const conversation = new Conversation()
  const transcript = new Transcript()
  for (const { event, private: hidden } of lines) {
    state = reduce(state, event)
    conversation.absorb(event, event.type === 'assistant_message' ? hidden as AssistantPrivate | null : null) // as `callModel` wrote it
    transcript.absorb(event)
  }
  if (state === null) throw new Error('an empty log')
  // As JSON, since that is what is compared with the file.
  return JSON.parse(JSON.stringify({ session: toSession(state), seen: state.seen, transcript: transcript.items, request: conversation.request() })) as object
}
