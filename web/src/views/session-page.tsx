import { useCallback, useMemo, useState } from 'react'
import { t } from '../i18n/text.ts'
import type { Board, BoardView } from '../log/board.ts'
import { activeRun, conversationOf } from '../log/conversation.ts'
import { timelineOf } from '../timeline/timeline.ts'
import { Composer } from './composer.tsx'
import { Conversation } from './conversation.tsx'
import { Decisions } from './decisions.tsx'
import { useSessionLog } from './hooks.ts'
import { SessionHead } from './session-head.tsx'
import { SidePanel, type Pane } from './side-panel.tsx'

/** Where somebody wants to be taken: a call in the timeline, a message in the conversation. */
export interface Jump { readonly kind: 'call' | 'message', readonly id: string }

interface SessionPageProps { sessionId: string, board: Board, view: BoardView, onBack: () => void }

export function SessionPage ({ sessionId, board, view, onBack }: SessionPageProps) {
  const log = useSessionLog(sessionId)
  const [pane, setPane] = useState<Pane>('talk')
  const [jump, setJump] = useState<Jump | null>(null)
  const said = useMemo(() => conversationOf(log.events), [log.events])
  const timeline = useMemo(() => timelineOf(log.events), [log.events])
  const calls = useMemo(() => new Map(timeline.flatMap((item) => item.kind === 'call' ? [[item.id, item] as const] : [])), [timeline])
  const run = useMemo(() => activeRun(log.events), [log.events])
  const session = view.sessions?.find(({ id }) => id === sessionId) ?? null
  const pending = useMemo(() => view.pending.filter((approval) => approval.sessionId === sessionId), [view.pending, sessionId])
  const showCall = useCallback((callId: string) => {
    setJump({ kind: 'call', id: callId })
    setPane('timeline')
  }, [])
  const choose = (chosen: Pane): void => {
    setJump(null) // an old jump does not move a pane that comes back
    setPane(chosen)
  }
  const showMessage = useCallback((messageId: string) => {
    setJump({ kind: 'message', id: messageId })
    setPane('talk')
  }, [])
  return (
    <main className='session-page' data-pane={pane}>
      <SessionHead sessionId={sessionId} session={session} board={board} pane={pane} onPane={choose} onBack={onBack} />
      <section className='talk' aria-label={t('conversation')}>
        {(log.connection === 'lost' || log.connection === 'refused') && (
          <p className='lost' role='status'>{log.connection === 'lost' ? t('lost') : t('refusedText', { detail: log.problem?.message ?? '' })}</p>
        )}
        <Conversation log={log} said={said} calls={calls} run={run} jump={jump} onCall={showCall} />
        <Decisions pending={pending} calls={calls} onDecided={() => { void board.refreshPending().catch(() => {}) }} />
        <Composer sessionId={sessionId} session={session} busy={run !== null || session?.status === 'running'} first={said.length === 0} />
      </section>
      <SidePanel
        sessionId={sessionId} session={session} pane={pane} onPane={choose} events={log.events} timeline={timeline} outputs={log.outputs} jump={jump}
        onMessage={showMessage}
      />
    </main>
  )
}
