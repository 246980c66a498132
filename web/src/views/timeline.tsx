import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { SessionEvent } from '../api/types.ts'
import { t } from '../i18n/text.ts'
import type { LiveOutput } from '../log/log-state.ts'
import { saveAs } from '../text/save.ts'
import { isOfKind, itemKinds, type ItemKind } from '../timeline/filter.ts'
import type { TimelineItem } from '../timeline/timeline.ts'
import { LongList } from './long-list.tsx'
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

/** Every step and call with what came of it. */
export const Timeline = memo(function Timeline ({ sessionId, events, items, outputs, jump, onMessage }: TimelineProps) {
  const [kind, setKind] = useState<ItemKind>('all')
  const shown = useMemo(() => items.filter((item) => isOfKind(item, kind)), [items, kind])
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const scroller = useRef<HTMLDivElement>(null)
  const [target, setTarget] = useState<{ index: number } | null>(null)
  const keyOf = useCallback((index: number) => shown[index]?.id ?? '', [shown])
  useEffect(() => {
    if (jump?.kind !== 'call') return
    setKind('all')
    setOpen((all) => new Set(all).add(jump.id))
    setTarget({ index: items.findIndex(({ id }) => id === jump.id) })
  }, [jump]) // only a new jump moves the page
  useJumpFocus(jump, 'call', scroller)
  const toggle = useCallback((id: string): void => {
    setOpen((all) => {
      const next = new Set(all)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])
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
      <LongList
        scroller={scroller} label={t('timeline')} role='region' count={shown.length} keyOf={keyOf} sizeOf={lineHeight} jump={target}
        empty={<p className='quiet empty'>{t(items.length === 0 ? 'emptyTimeline' : 'nothingOfKind')}</p>}
        row={(index) => {
          const item = shown[index]
          return item !== undefined && (
            <TimelineEntry
              item={item} output={outputs.get(item.id) ?? null} open={open.has(item.id)} marked={jump?.kind === 'call' && jump.id === item.id}
              onToggle={toggle} onMessage={onMessage}
            />
          )
        }}
      />
    </>
  )
})

/** Of an entry that is not open, as the style has it. */
const lineHeight = (): number => 39
