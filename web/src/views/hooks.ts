import { useEffect, useState, useSyncExternalStore } from 'react'
import { emptyView, SessionLog, type SessionView } from '../log/session-log.ts'

const noView = (): SessionView => emptyView
const never = (): (() => void) => () => {}

/** The log of a session, followed while the component is there. */
export function useSessionLog (sessionId: string): SessionView {
  const [log, setLog] = useState<SessionLog | null>(null)
  useEffect(() => {
    const opened = new SessionLog(sessionId)
    setLog(opened)
    return () => { opened.close() }
  }, [sessionId])
  const current = log?.sessionId === sessionId ? log : null
  return useSyncExternalStore(current?.subscribe ?? never, current?.view ?? noView)
}

/** The session that the address names, `#/ses_…`. Null: none. */
export function useRoute (): [string | null, (sessionId: string | null) => void] {
  const [route, setRoute] = useState(routeOf)
  useEffect(() => {
    const onChange = (): void => { setRoute(routeOf()) }
    addEventListener('hashchange', onChange)
    return () => { removeEventListener('hashchange', onChange) }
  }, [])
  return [route, (sessionId) => { location.hash = sessionId === null ? '' : `/${sessionId}` }]
}

function routeOf (): string | null {
  return /^#\/([\w-]+)$/.exec(location.hash)?.[1] ?? null
}

/** Whether a media query holds. */
export function useMedia (query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const onChange = (): void => { setMatches(list.matches) }
    list.addEventListener('change', onChange)
    return () => { list.removeEventListener('change', onChange) }
  }, [query])
  return matches
}
