import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { SessionEvent } from '../api/types.ts'
import { t } from '../i18n/text.ts'
import type { LiveOutput } from '../log/log-state.ts'
import { saveAs } from '../text/save.ts'
import { isOfKind, itemKinds, type ItemKind } from '../timeline/filter.ts'
import type { TimelineItem } from '../timeline/timeline.ts'
import { TimelineEntry } from './timeline-entry.tsx'
import type { Jump } from './session-page.tsx'
import { useJumpFocus } from './use-jump-focus.ts'

interface TimelineProps {
  sessionId: string
  /** The log, for who downloads it. */
  events: readonly SessionEvent[]
  items: readonly TimelineItem[]
  outputs: ReadonlyMap<string, LiveOutput>
  jump: Jump | null
  onMessage: (messageId: string) => void
}

/** Every step and call with what came of it. Only what is in sight is in the page. */
export function Timeline ({ sessionId, events, items, outputs, jump, onMessage }: TimelineProps) {
  const [kind, setKind] = useState<ItemKind>('all')
  const shown = useMemo(() => items.filter((item) => isOfKind(item, kind)), [items, kind])
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const scroller = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 52,
    getItemKey: (index) => shown[index]?.id ?? index,
    overscan: 12
  })
  const total = rows.getTotalSize()
  useLayoutEffect(() => {
    if (atEnd.current && scroller.current !== null) scroller.current.scrollTop = scroller.current.scrollHeight
  }, [shown.length])
  useEffect(() => {
    if (jump?.kind !== 'call') return
    setKind('all')
    setOpen((all) => new Set(all).add(jump.id))
    atEnd.current = false
    const place = items.findIndex(({ id }) => id === jump.id)
    if (place !== -1) requestAnimationFrame(() => { rows.scrollToIndex(place, { align: 'start' }) })
  }, [jump]) // only a new jump moves the page
  useJumpFocus(jump, 'call', scroller)
  const onScroll = (): void => {
    const element = scroller.current
    if (element !== null) atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 60
  }
  const toggle = (id: string): void => {
    setOpen((all) => {
      const next = new Set(all)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }
  return (
    <>
      <div className='tools'>
        <label>
          <span className='offscreen'>{t('filter')}</span>
          <select value={kind} onChange={(event) => { setKind(event.target.value as ItemKind) /* the options are its values */ }}>
            {itemKinds.map((name) => <option key={name} value={name}>{t(name)}</option>)}
          </select>
        </label>
        <button type='button' onClick={() => { saveAs(`${sessionId}-events.json`, JSON.stringify(events, null, 2)) }}>{t('downloadJson')}</button>
      </div>
      <div ref={scroller} className='scroller' tabIndex={0} role='region' aria-label={t('timeline')} onScroll={onScroll}>
        {shown.length === 0 && <p className='quiet empty'>{t(items.length === 0 ? 'emptyTimeline' : 'nothingOfKind')}</p>}
        <div className='rows' style={{ height: total }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const item = shown[index]
            return item !== undefined && (
              <div key={key} ref={rows.measureElement} data-index={index} className='row' style={{ transform: `translateY(${start}px)` }}>
                <TimelineEntry
                  item={item} output={outputs.get(item.id) ?? null} open={open.has(item.id)} marked={jump?.kind === 'call' && jump.id === item.id}
                  onToggle={() => { toggle(item.id) }} onMessage={onMessage}
                />
              </div>
            )
          })}
        </div>
      </div>
    </>
  )
}
