import { useEffect, useRef } from 'react'
import type { Approval } from '../api/types.ts'
import { t } from '../i18n/text.ts'
import type { BoardView } from '../log/board.ts'
import { useToast } from './toast.tsx'

/** Says that a session waits: in the page's title, by a notification where permitted, and on the page when another is open. */
export function useAlerts (view: BoardView, open: string | null, go: (sessionId: string) => void): void {
  const told = useRef<Set<string> | null>(null)
  const notified = useRef(new Map<string, Notification>())
  const toast = useToast()
  const { pending, sessions } = view
  useEffect(() => {
    const title = sessions?.find(({ id }) => id === open)?.title
    document.title = `${pending.length > 0 ? `(${pending.length}) ` : ''}${title === undefined || title === null ? '' : `${title} · `}Écluse`
    if (sessions === null) return
    for (const [plan, notification] of notified.current) {
      if (pending.some((approval) => planOf(approval) === plan)) continue
      notification.close() // it has been decided
      notified.current.delete(plan)
    }
    const before = told.current
    told.current = new Set([...before ?? [], ...pending.map(planOf)]) // each is told once, however often the page connects
    if (before === null) return // what waited before the page was opened stands in the list
    for (const approval of pending) {
      const { sessionId } = approval
      if (before.has(planOf(approval))) continue
      const text = t('waitsElsewhere', { title: sessions.find(({ id }) => id === sessionId)?.title ?? t('untitled') })
      const show = (): void => { go(sessionId) }
      if (sessionId !== open) toast(text, { label: t('open'), act: show })
      if (sessionId === open && document.visibilityState === 'visible' && document.hasFocus()) continue
      const notification = notify(text, approval, show)
      if (notification !== null) notified.current.set(planOf(approval), notification)
    }
  }, [pending, sessions, open, go, toast])
}

function planOf ({ callId, round }: Approval): string {
  return `${callId} ${round}`
}

/** Null: not permitted, or not so on this device. */
function notify (text: string, { callId, tool, preview }: Approval, show: () => void): Notification | null {
  if (!('Notification' in window) || Notification.permission !== 'granted') return null
  try {
    // The tag: of several tabs that tell it, one notification stays.
    const notification = new Notification(text, { body: `${tool}: ${preview.summary}`, tag: callId })
    notification.onclick = () => {
      window.focus()
      show()
      notification.close()
    }
    return notification
  } catch {
    return null // a phone has them only from a service worker
  }
}
