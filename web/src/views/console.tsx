import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Board } from '../log/board.ts'
import { t } from '../i18n/text.ts'
import { useRoute } from './hooks.ts'
import { Mark } from './icons.tsx'
import { NewSession } from './new-session.tsx'
import { SessionList } from './session-list.tsx'
import { SessionPage } from './session-page.tsx'
import { ToastProvider, useToast } from './toast.tsx'
import { useAlerts } from './use-alerts.ts'

interface ConsoleProps { onRefused: () => void, onLeave: () => void }

/** The sessions on one side, the open one beside them; on a phone one or the other. */
export function Console (props: ConsoleProps) {
  const [board, setBoard] = useState<Board | null>(null)
  useEffect(() => {
    const opened = new Board()
    setBoard(opened)
    return () => { opened.close() }
  }, [])
  return board === null ? null : <ToastProvider><Rooms board={board} {...props} /></ToastProvider>
}

function Rooms ({ board, onRefused, onLeave }: ConsoleProps & { board: Board }) {
  const view = useSyncExternalStore(board.subscribe, board.view)
  const [route, go] = useRoute()
  const [creating, setCreating] = useState(false)
  const [made, setMade] = useState<string | null>(null) // by this page: its first message comes next
  const toast = useToast()
  useEffect(() => { if (view.refused?.status === 401) onRefused() }, [view.refused, onRefused])
  useAlerts(view, route, go)
  const came = useRef(route)
  useEffect(() => {
    if (came.current === route) return
    came.current = route
    // What had the focus may be gone with the page before: keys go on from the head of this one.
    const frame = requestAnimationFrame(() => {
      const { activeElement: held, body } = document
      if (held !== body && held?.checkVisibility() === true) return
      ;[...document.querySelectorAll<HTMLElement>('h1')].findLast((head) => head.checkVisibility())?.focus({ preventScroll: true })
    })
    return () => { cancelAnimationFrame(frame) }
  }, [route])
  useEffect(() => { board.keep(route).catch(() => {}) }, [board, route]) // the stream says it when the server is gone
  useEffect(() => {
    // A file that misses the place for it would be opened instead of the page.
    const stay = (event: DragEvent): void => { if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault() }
    for (const type of ['dragover', 'drop'] as const) addEventListener(type, stay)
    return () => { for (const type of ['dragover', 'drop'] as const) removeEventListener(type, stay) }
  }, [])
  // A session that this tab has shown and that another one deleted is left.
  const shown = useRef<string | null>(null)
  useEffect(() => {
    const there = view.sessions?.some(({ id }) => id === route) ?? false
    if (there) shown.current = route
    else if (route !== null && shown.current === route) {
      shown.current = null
      toast(t('gone'))
      go(null)
    }
  }, [view.sessions, route, go, toast])
  return (
    <div className='rooms' data-open={route !== null}>
      <SessionList board={board} view={view} open={route} onOpen={go} onCreate={() => { setCreating(true) }} onLeave={onLeave} />
      {route === null
        ? <main className='welcome'><Mark /><p className='quiet'>{t('welcome')}</p></main>
        : <SessionPage key={route} sessionId={route} board={board} view={view} fresh={made === route} onBack={() => { go(null) }} />}
      {creating && (
        <NewSession
          onClose={() => { setCreating(false) }} onCreated={(session) => {
            board.put(session)
            setCreating(false)
            setMade(session.id)
            go(session.id)
          }}
        />
      )}
    </div>
  )
}
