import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { answer, client } from '../api/client.ts'
import type { Session } from '../api/types.ts'
import { uniqueKey } from '../api/unique.ts'
import { t } from '../i18n/text.ts'
import { Send, Square } from './icons.tsx'
import { problemText } from './problem-text.ts'

const titleLength = 60
const rowsMax = 10

export function Composer ({ sessionId, session, busy, first, fresh }: { sessionId: string, session: Session | null, busy: boolean, first: boolean, fresh: boolean }) {
  const [text, setText] = useState('')
  const [sending, setSending] = useState(false)
  const [stopping, setStopping] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const stopped = useRef(false)
  useEffect(() => {
    if (busy || !stopped.current) return
    stopped.current = false
    // The button that stopped it is gone: who pressed it goes on with what should be done instead.
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true })
  }, [busy])
  // The same key until it has arrived: pressing again after a lost connection never starts a second run.
  const key = useRef(uniqueKey())

  const send = async (): Promise<void> => {
    const content = text.trim()
    if (content === '' || sending) return
    setSending(true)
    setText('') // what is typed from here on is the next message
    try {
      await answer(client.POST('/sessions/{sessionId}/messages', {
        params: { path: { sessionId }, header: { prefer: 'respond-async', 'idempotency-key': key.current } },
        body: { content, onBusy: 'queue' },
        headers: { accept: 'application/json' }
      }))
      key.current = uniqueKey()
      setProblem(null)
      if (first && session?.title === null) await nameAfter(sessionId, content)
    } catch (error) {
      setProblem(problemText(error))
      setText((typed) => typed === '' ? content : `${content}\n${typed}`)
    } finally {
      setSending(false)
    }
  }
  const stop = (): void => {
    setStopping(true)
    stopped.current = true
    answer(client.POST('/sessions/{sessionId}/cancel', { params: { path: { sessionId } }, body: {} }))
      .catch((error: unknown) => { setProblem(problemText(error)) })
      .finally(() => { setStopping(false) })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    form.current?.requestSubmit()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void send()
  }
  return (
    <form ref={form} className='composer' onSubmit={submit}>
      {problem !== null && <p className='problem' role='alert'>{problem}</p>}
      <div className='box'>
        <textarea
          ref={box} value={text} rows={Math.min(rowsMax, text.split('\n').length)} aria-label={t('placeholder')} placeholder={t(busy ? 'placeholderBusy' : 'placeholder')}
          title={t('sendHint')} autoFocus={fresh} onChange={(event) => { setText(event.target.value) }} onKeyDown={onKeyDown}
        />
        {busy && <button type='button' className='stop' disabled={stopping} onClick={stop}><Square /> <span>{t(stopping ? 'stopping' : 'stop')}</span></button>}
        <button type='submit' className='primary' disabled={text.trim() === '' || sending}><Send /> <span>{t(busy ? 'queue' : 'send')}</span></button>
      </div>
    </form>
  )
}

/** A session without a title is named after what was asked first. */
async function nameAfter (sessionId: string, content: string): Promise<void> {
  const line = content.split('\n', 1)[0] ?? ''
  const title = line.length > titleLength ? `${line.slice(0, titleLength - 1).trimEnd()}…` : line
  await answer(client.PATCH('/sessions/{sessionId}', { params: { path: { sessionId } }, body: { title } }))
}
