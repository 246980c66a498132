import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState, type MouseEvent, type ReactNode, type RefObject } from 'react'
import { t } from '../i18n/text.ts'
import { Down } from './icons.tsx'

interface LongListProps {
  /** What scrolls. */
  scroller: RefObject<HTMLDivElement | null>
  label: string
  role: 'log' | 'region'
  count: number
  /** The same function as long as the rows are the same: with a new one every row is placed anew. Likewise `sizeOf`. */
  keyOf: (index: number) => string
  /** About how high a row will be, px: the nearer, the less is corrected once it is seen. */
  sizeOf: (index: number) => number
  /** A memoised component: it is asked for at every frame. */
  row: (index: number) => ReactNode
  /** Where to go; each new object moves the list once. */
  jump: { readonly index: number } | null
  empty: ReactNode
}

const nearEnd = 80 // px: who comes so near to the end wants to stay there
const overscanRows = 5

/** Rows of which only those in sight are in the page: a long session scrolls like a short one. */
export function LongList ({ scroller, label, role, count, keyOf, sizeOf, row, jump, empty }: LongListProps) {
  const atEnd = useRef(true)
  const top = useRef(0)
  const height = useRef(0)
  const leaping = useRef(false)
  const [away, setAway] = useState(false)
  const stay = (): void => {
    if (atEnd.current && scroller.current !== null) scroller.current.scrollTop = scroller.current.scrollHeight
  }
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: sizeOf,
    getItemKey: keyOf,
    overscan: leaping.current ? 0 : overscanRows,
    // Places are written to the page: a frame in which no row comes or goes renders nothing.
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
    onChange: (list) => {
      if (!list.isScrolling) leaping.current = false
      const total = list.getTotalSize()
      if (height.current === total) return
      height.current = total
      stay()
    }
  })
  useLayoutEffect(stay, [count])
  // What comes up from below takes room: who was at the end stays there.
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(stay)
    observer.observe(element)
    return () => { observer.disconnect() }
  }, [])
  useEffect(() => {
    if (jump === null || jump.index === -1) return
    atEnd.current = false
    rows.scrollToIndex(jump.index, { align: 'start' })
  }, [jump]) // only a new jump moves the list
  const look = (): void => {
    const element = scroller.current
    if (element === null) return
    const left = element.scrollHeight - element.scrollTop - element.clientHeight
    atEnd.current = left < 2 || (left < nearEnd && element.scrollTop >= top.current) // who turns back is let go
    leaping.current = Math.abs(element.scrollTop - top.current) > element.clientHeight // nothing of before is in sight: what is beside neither
    top.current = element.scrollTop
    setAway(left >= nearEnd)
  }
  /** What is opened at the end grows downwards: it is not pushed up, away from who opened it. */
  const onClick = ({ target }: MouseEvent): void => {
    if (!(target instanceof Element) || target.closest('summary, [aria-expanded]') === null) return
    atEnd.current = false
    requestAnimationFrame(() => { requestAnimationFrame(look) }) // measured by then
  }
  const toEnd = (): void => {
    atEnd.current = true
    setAway(false)
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }
  return (
    <div className='scroll-frame'>
      <div ref={scroller} className='scroller' tabIndex={0} role={role} aria-live={role === 'log' ? 'off' : undefined} aria-label={label} onScroll={look} onClick={onClick}>
        {count === 0 && empty}
        <div ref={rows.containerRef} className='rows'>
          {rows.getVirtualItems().map(({ index, key }) => <div key={key} ref={rows.measureElement} data-index={index} className='row'>{row(index)}</div>)}
        </div>
      </div>
      {away && <button type='button' className='to-end' onClick={toEnd}><Down /> {t('toEnd')}</button>}
    </div>
  )
}
