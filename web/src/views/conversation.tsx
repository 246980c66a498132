import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Said } from '../log/conversation.ts'
import type { SessionView } from '../log/session-log.ts'
import type { CallItem } from '../timeline/timeline.ts'
import { t } from '../i18n/text.ts'
import { Down } from './icons.tsx'
import { AssistantMessage, LiveAnswer, RunEnd, UserMessage } from './messages.tsx'
import type { Jump } from './session-page.tsx'
import { useJumpFocus } from './use-jump-focus.ts'

interface ConversationProps {
  log: SessionView
  said: readonly Said[]
  calls: ReadonlyMap<string, CallItem>
  run: string | null
  jump: Jump | null
  onCall: (callId: string) => void
}

const nearEnd = 80 // px: who is so near to the end wants to stay there

/** What was said, as it comes. Only what is in sight is in the page: a long session scrolls like a short one. */
export function Conversation ({ log, said, calls, run, jump, onCall }: ConversationProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const [away, setAway] = useState(false)
  const live = run !== null
  const count = said.length + (live ? 1 : 0)
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => 120,
    getItemKey: (index) => said[index]?.id ?? 'live',
    overscan: 6
  })
  const total = rows.getTotalSize()
  useLayoutEffect(() => {
    if (atEnd.current && scroller.current !== null) scroller.current.scrollTop = scroller.current.scrollHeight
  }, [total, count, log.message])
  // A question takes room from below: who was at the end stays there.
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => { if (atEnd.current) element.scrollTop = element.scrollHeight })
    observer.observe(element)
    return () => { observer.disconnect() }
  }, [])
  const place = useMemo(() => jump?.kind === 'message' ? said.findIndex(({ id }) => id === jump.id) : -1, [jump, said])
  useEffect(() => {
    if (jump?.kind !== 'message' || place === -1) return
    atEnd.current = false
    rows.scrollToIndex(place, { align: 'start' })
  }, [jump]) // only a new jump moves the page
  useJumpFocus(jump, 'message', scroller)
  const onScroll = (): void => {
    const element = scroller.current
    if (element === null) return
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd
    setAway(!atEnd.current)
  }
  const toEnd = (): void => {
    atEnd.current = true
    setAway(false)
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }
  return (
    <div className='scroll-frame'>
      <div ref={scroller} className='scroller' tabIndex={0} role='log' aria-live='off' aria-label={t('conversation')} onScroll={onScroll}>
        {count === 0 && log.connection === 'live' && <p className='quiet empty'>{t('emptyTalk')}</p>}
        <div className='rows' style={{ height: total }}>
          {rows.getVirtualItems().map(({ index, key, start }) => (
            <div key={key} ref={rows.measureElement} data-index={index} className='row' style={{ transform: `translateY(${start}px)` }}>
              <Row said={said[index]} log={log} calls={calls} marked={place === index} onCall={onCall} />
            </div>
          ))}
        </div>
      </div>
      {away && <button type='button' className='to-end' onClick={toEnd}><Down /> {t('toEnd')}</button>}
    </div>
  )
}

interface RowProps extends Pick<ConversationProps, 'log' | 'calls' | 'onCall'> { said: Said | undefined, marked: boolean }

function Row ({ said, log, calls, marked, onCall }: RowProps) {
  if (said === undefined) return <LiveAnswer message={log.message} retry={log.retry} waiting={[...calls.values()].some(({ status }) => status === 'waiting')} />
  switch (said.kind) {
    case 'user': return <UserMessage said={said} marked={marked} />
    case 'assistant': return <AssistantMessage said={said} calls={said.callIds.map((id) => calls.get(id))} marked={marked} onCall={onCall} />
    case 'end': return <RunEnd end={said.end} />
    default: return said satisfies never
  }
}
