import { useEffect, useRef, useState } from 'react'
import type { Session } from '../api/types.ts'
import { whenOf } from '../i18n/format.ts'
import { t } from '../i18n/text.ts'
import type { Board, BoardView } from '../log/board.ts'
import { Bell, Door, Mark, Plus } from './icons.tsx'
import { problemText } from './problem-text.ts'
import { useToast } from './toast.tsx'
import { useSearch } from './use-search.ts'

const rowsAtOnce = 100

interface SessionListProps {
  board: Board
  view: BoardView
  open: string | null
  onOpen: (sessionId: string) => void
  onCreate: () => void
  onLeave: () => void
}

export function SessionList ({ board, view, open, onOpen, onCreate, onLeave }: SessionListProps) {
  const [search, setSearch] = useState('')
  const { sessions, pending, nextCursor } = view
  const wanted = search.trim().toLowerCase()
  const found = sessions?.filter((session) => wanted === '' || textOf(session).includes(wanted)) ?? []
  const { searching, further } = useSearch(board, wanted, found.length, nextCursor !== null)
  const [rows, setRows] = useState(rowsAtOnce)
  const toast = useToast()
  const more = (): void => {
    setRows(rows + rowsAtOnce)
    if (rows + rowsAtOnce <= found.length || nextCursor === null) return
    if (wanted === '') board.more().catch((error: unknown) => { toast(problemText(error)) })
    else further()
  }
  return (
    <nav className='sessions' aria-label={t('sessions')}>
      <header className='bar'>
        <h1 className='brand' tabIndex={-1}><Mark /> Écluse</h1>
        {pending.length > 0 && <span className='badge waits' title={t('waitingCount', { n: pending.length })}>{pending.length}</span>}
        <Notify />
        <button type='button' className='plain' title={t('leave')} aria-label={t('leave')} onClick={onLeave}><Door /></button>
      </header>
      <div className='finder'>
        <input type='search' value={search} placeholder={t('search')} aria-label={t('search')} onChange={(event) => { setSearch(event.target.value); setRows(rowsAtOnce) }} />
        <button type='button' className='primary' onClick={onCreate}><Plus /> {t('newSession')}</button>
      </div>
      {!view.connected && <p className='lost' role='status'>{t(sessions === null ? 'connecting' : 'lost')}</p>}
      {sessions !== null && found.length === 0 && !searching && <p className='quiet empty'>{t(sessions.length === 0 ? 'noSessions' : 'noMatch')}</p>}
      <ul className='list'>
        {found.slice(0, rows).map((session) => (
          <li key={session.id}>
            <button type='button' className='session' aria-current={session.id === open ? 'page' : undefined} onClick={() => { onOpen(session.id) }}>
              <span className='name'>{session.title ?? t('untitled')}</span>
              <span className='when'>{whenOf(session.updatedAt)}</span>
              <span className='status' data-status={session.status}>{t(session.status)}</span>
            </button>
          </li>
        ))}
        {!searching && (found.length > rows || nextCursor !== null) && <More key={Math.min(rows, found.length)} byItself={wanted === ''} onMore={more} />}
      </ul>
      <p className='searching quiet' role='status'>{searching && t('searching')}</p>
    </nav>
  )
}

/** The end of the list: it grows when it comes in sight, or when somebody asks for it. */
function More ({ byItself, onMore }: { byItself: boolean, onMore: () => void }) {
  const place = useRef<HTMLLIElement>(null)
  const act = useRef(onMore)
  act.current = onMore
  useEffect(() => {
    if (!byItself || place.current === null) return
    const observer = new IntersectionObserver((entries) => { if (entries.some(({ isIntersecting }) => isIntersecting)) act.current() })
    observer.observe(place.current)
    return () => { observer.disconnect() }
  }, [byItself])
  return <li ref={place}><button type='button' className='more' onClick={onMore}>{t('more')}</button></li>
}

function textOf ({ id, title, externalId, model }: Session): string {
  return `${title ?? ''} ${id} ${externalId ?? ''} ${model}`.toLowerCase()
}

/** Asks the browser for permission, once and only when it is wanted. */
function Notify () {
  const [permission, setPermission] = useState(() => 'Notification' in window ? Notification.permission : 'denied')
  if (permission !== 'default') return null
  return (
    <button type='button' className='plain' title={t('notify')} aria-label={t('notify')} onClick={() => { void Notification.requestPermission().then(setPermission) }}><Bell /></button>
  )
}
