import { memo, useCallback, useMemo, useRef } from 'react'
import type { Said } from '../log/conversation.ts'
import type { SessionView } from '../log/session-log.ts'
import type { CallItem } from '../timeline/timeline.ts'
import { t } from '../i18n/text.ts'
import { LongList } from './long-list.tsx'
import { AssistantMessage, LiveAnswer, RunEnd, UserMessage } from './messages.tsx'
import type { Jump } from './session-page.tsx'
import { useJumpFocus } from './use-jump-focus.ts'

interface ConversationProps { log: SessionView, jump: Jump | null, onCall: (callId: string) => void }

/** What was said, as it comes. */
export function Conversation ({ log, jump, onCall }: ConversationProps) {
  const { said, calls, run } = log
  const scroller = useRef<HTMLDivElement>(null)
  const live = run !== null
  const keyOf = useCallback((index: number) => said[index]?.id ?? 'live', [said])
  const sizeOf = useCallback((index: number) => heightOf(said[index]), [said])
  const waiting = useMemo(() => live && [...calls.values()].some(({ status }) => status === 'waiting'), [live, calls])
  const place = useMemo(() => jump?.kind === 'message' ? said.findIndex(({ id }) => id === jump.id) : -1, [jump, said])
  const target = useMemo(() => jump?.kind === 'message' ? { index: place } : null, [jump]) // as it was when somebody jumped
  useJumpFocus(jump, 'message', scroller)
  return (
    <LongList
      scroller={scroller} label={t('conversation')} role='log' count={said.length + (live ? 1 : 0)} keyOf={keyOf} sizeOf={sizeOf} jump={target}
      empty={log.connection === 'live' && <p className='quiet empty'>{t('emptyTalk')}</p>}
      row={(index) => {
        const item = said[index]
        return item === undefined
          ? <LiveAnswer message={log.message} retry={log.retry} waiting={waiting} />
          : <Row said={item} calls={calls} marked={place === index} onCall={onCall} />
      }}
    />
  )
}

interface RowProps { said: Said, calls: ReadonlyMap<string, CallItem>, marked: boolean, onCall: (callId: string) => void }

const Row = memo(function Row ({ said, calls, marked, onCall }: RowProps) {
  switch (said.kind) {
    case 'user': return <UserMessage said={said} marked={marked} />
    case 'assistant': return <AssistantMessage said={said} calls={said.callIds.map((id) => calls.get(id))} marked={marked} onCall={onCall} />
    case 'end': return <RunEnd end={said.end} />
    default: return said satisfies never
  }
})

const linePx = 23
const lineLength = 90
const writtenLineLength = 32 // lists, code and tables break early
const callPx = 41

/** About how high it will be. */
function heightOf (said: Said | undefined): number {
  switch (said?.kind) {
    case undefined: return linePx * 2
    case 'end': return 35
    case 'user': return 60 + Math.floor(said.text.length / lineLength) * linePx
    case 'assistant': return 18 + Math.ceil(said.text.length / writtenLineLength) * linePx + said.callIds.length * callPx
    default: return said satisfies never
  }
}
