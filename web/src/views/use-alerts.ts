import { useEffect, useRef } from 'react'
import type { BoardView } from '../log/board.ts'
import { t } from '../i18n/text.ts'
import { useToast } from './toast.tsx'

/** Says that a session waits: in the page's title, by a notification where permitted, and on the page when another is open. */
export function useAlerts (view: BoardView, open: string | null, go: (sessionId: string) => void): void {
  const told = useRef<Set<string> | null>(null)
  const toast = useToast()
  const { pending, sessions } = view
  useEffect(() => {
    const title = sessions?.find(({ id }) => id === open)?.title
    document.title = `${pending.length > 0 ? `(${pending.length}) ` : ''}${title === undefined || title === null ? '' : `${title} · `}Écluse`
    if (sessions === null) return
    const before = told.current
    told.current = new Set(pending.map(({ callId, round }) => `${callId} ${round}`))
    if (before === null) return
    for (const { callId, round, sessionId, preview } of pending) {
      if (before.has(`${callId} ${round}`)) continue
      const name = sessions.find(({ id }) => id === sessionId)?.title ?? t('untitled')
      const text = t('waitsElsewhere', { title: name })
      if (sessionId !== open) toast(text, { label: t('open'), act: () => { go(sessionId) } })
      if ((sessionId !== open || document.hidden) && 'Notification' in window && Notification.permission === 'granted') {
        const notification = new Notification(text, { body: preview.summary, tag: callId })
        notification.onclick = () => {
          window.focus()
          go(sessionId)
        }
      }
    }
  }, [pending, sessions, open, go, toast])
}
