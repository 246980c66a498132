import { useCallback, useMemo, useState } from 'react'
import { t } from '../i18n/text.ts'
import type { Board, BoardView } from '../log/board.ts'
import { Composer } from './composer.tsx'
import { Conversation } from './conversation.tsx'
import { Decisions } from './decisions.tsx'
import { useSessionLog } from './hooks.ts'
import { SessionHead } from './session-head.tsx'
import { SidePanel, type Pane } from './side-panel.tsx'

/** Where somebody wants to be taken: a call in the timeline, a message in the conversation. */
export interface Jump { readonly kind: 'call' | 'message', readonly id: string }

const ends = { completed: 'hasCompleted', cancelled: 'hasCancelled', failed: 'hasFailed' } as const

interface SessionPageProps { sessionId: string, board: Board, view: BoardView, fresh: boolean, onBack: () => void }

export function SessionPage ({ sessionId, board, view, fresh, onBack }: SessionPageProps) {
  const log = useSessionLog(sessionId)
  const [pane, setPane] = useState<Pane>('talk')
  const [jump, setJump] = useState<Jump | null>(null)
  const { said, run, timeline, calls } = log
  const session = view.sessions?.find(({ id }) => id === sessionId) ?? null
  const pending = useMemo(() => view.pending.filter((approval) => approval.sessionId === sessionId), [view.pending, sessionId])
  const showCall = useCallback((callId: string) => {
    setJump({ kind: 'call', id: callId })
    setPane('timeline')
  }, [])
  const choose = useCallback((chosen: Pane): void => {
    setJump(null) // an old jump does not move a pane that comes back
    setPane(chosen)
  }, [])
  const showMessage = useCallback((messageId: string) => {
    setJump({ kind: 'message', id: messageId })
    setPane('talk')
  }, [])
  const last = said.at(-1)
  return (
    <main className='session-page' data-pane={pane}>
      <SessionHead sessionId={sessionId} session={session} board={board} pane={pane} onPane={choose} onBack={onBack} />
      <p className='offscreen' role='status'>{run !== null ? t('atWork') : log.connection === 'live' && last?.kind === 'end' && t(ends[last.end.status])}</p>
      <section className='talk' aria-label={t('conversation')}>
        <h2 className='offscreen'>{t('conversation')}</h2>
        {(log.connection === 'lost' || log.connection === 'refused') && (
          <p className='lost' role='status'>{log.connection === 'lost' ? t('lost') : t('refusedText', { detail: log.problem?.message ?? '' })}</p>
        )}
        <Conversation log={log} jump={jump} onCall={showCall} />
        <Decisions pending={pending} calls={calls} onDecided={() => { void board.refreshPending().catch(() => {}) }} />
        {log.connection !== 'refused' && <Composer sessionId={sessionId} session={session} busy={run !== null || session?.status === 'running'} first={said.length === 0} fresh={fresh} />}
      </section>
      <SidePanel
        sessionId={sessionId} session={session} pane={pane} onPane={choose} events={log.events} timeline={timeline} outputs={log.outputs} jump={jump}
        onMessage={showMessage}
      />
    </main>
  )
}
