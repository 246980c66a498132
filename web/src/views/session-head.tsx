import { useState, type FormEvent } from 'react'
import { answer, client } from '../api/client.ts'
import type { Session } from '../api/types.ts'
import { tokensOf } from '../i18n/format.ts'
import { t } from '../i18n/text.ts'
import type { Board } from '../log/board.ts'
import { Dialog } from './dialog.tsx'
import { Back, Bin, Pencil } from './icons.tsx'
import { problemText } from './problem-text.ts'
import type { Pane } from './side-panel.tsx'
import { useToast } from './toast.tsx'

interface SessionHeadProps { sessionId: string, session: Session | null, board: Board, pane: Pane, onPane: (pane: Pane) => void, onBack: () => void }

const panes = { talk: 'conversation', timeline: 'timeline', files: 'files' } as const

export function SessionHead ({ sessionId, session, board, pane, onPane, onBack }: SessionHeadProps) {
  const [asking, setAsking] = useState<'rename' | 'remove' | null>(null)
  const done = (): void => { setAsking(null) }
  return (
    <header className='bar head'>
      <button type='button' className='plain back' aria-label={t('back')} onClick={onBack}><Back /></button>
      <div className='names'>
        <h1 tabIndex={-1}>{session?.title ?? t('untitled')}</h1>
        {session !== null && (
          <p className='quiet'>
            <span className='status' data-status={session.status}>{t(session.status)}</span>
            <span className='model'>{session.model}</span>
            <span title={t('total')}>{tokensOf(session.usage)}</span>
          </p>
        )}
      </div>
      <div className='panes' role='group' aria-label={t('filter')}>
        {Object.entries(panes).map(([name, text]) => (
          <button key={name} type='button' aria-pressed={pane === name} onClick={() => { onPane(name as Pane) /* the keys are its values */ }}>{t(text)}</button>
        ))}
      </div>
      <button type='button' className='plain' title={t('rename')} aria-label={t('rename')} onClick={() => { setAsking('rename') }}><Pencil /></button>
      <button type='button' className='plain' title={t('remove')} aria-label={t('remove')} onClick={() => { setAsking('remove') }}><Bin /></button>
      {asking === 'rename' && <Rename sessionId={sessionId} title={session?.title ?? ''} onDone={done} onRenamed={(renamed) => { board.put(renamed) }} />}
      {asking === 'remove' && <Remove sessionId={sessionId} onDone={done} onRemoved={() => { onBack(); board.drop(sessionId) }} />}
    </header>
  )
}

function Rename ({ sessionId, title, onDone, onRenamed }: { sessionId: string, title: string, onDone: () => void, onRenamed: (session: Session) => void }) {
  const [value, setValue] = useState(title)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const body = { title: value.trim() === '' ? null : value.trim() }
    answer(client.PATCH('/sessions/{sessionId}', { params: { path: { sessionId } }, body })).then((session) => {
      onRenamed(session)
      onDone()
    }, (error: unknown) => { setProblem(problemText(error)) })
  }
  return (
    <Dialog title={t('rename')} onClose={onDone}>
      <form onSubmit={submit}>
        <input value={value} maxLength={200} aria-label={t('title')} autoFocus onChange={(event) => { setValue(event.target.value) }} />
        {problem !== null && <p className='problem' role='alert'>{problem}</p>}
        <div className='actions'>
          <button type='button' onClick={onDone}>{t('cancel')}</button>
          <button type='submit' className='primary'>{t('save')}</button>
        </div>
      </form>
    </Dialog>
  )
}

function Remove ({ sessionId, onDone, onRemoved }: { sessionId: string, onDone: () => void, onRemoved: () => void }) {
  const toast = useToast()
  const remove = (): void => {
    answer(client.DELETE('/sessions/{sessionId}', { params: { path: { sessionId } } })).then(onRemoved, (error: unknown) => { toast(problemText(error)) })
    onDone()
  }
  return (
    <Dialog title={t('removeTitle')} onClose={onDone}>
      <p>{t('removeText')}</p>
      <div className='actions'>
        <button type='button' autoFocus onClick={onDone}>{t('cancel')}</button>
        <button type='button' className='danger' onClick={remove}>{t('remove')}</button>
      </div>
    </Dialog>
  )
}
