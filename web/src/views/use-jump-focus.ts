import { useEffect, type RefObject } from 'react'
import type { Jump } from './session-page.tsx'

const framesMax = 60 // a second: until then the row has come into the page

/** Brings the focus to where a jump leads, once its row is in the page: keys go on from there. */
export function useJumpFocus (jump: Jump | null, kind: Jump['kind'], scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (jump?.kind !== kind) return
    let frame = 0
    const look = (left: number): void => {
      const place = scroller.current?.querySelector<HTMLElement>('[data-marked=true]')
      if (place === null || place === undefined) {
        if (left > 0) frame = requestAnimationFrame(() => { look(left - 1) })
        return
      }
      const target = place.querySelector<HTMLElement>(':scope > button.line') ?? place
      if (target === place) place.tabIndex = -1
      target.focus({ preventScroll: true })
    }
    frame = requestAnimationFrame(() => { look(framesMax) })
    return () => { cancelAnimationFrame(frame) }
  }, [jump, kind, scroller])
}
