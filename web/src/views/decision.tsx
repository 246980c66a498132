import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { answer, client } from '../api/client.ts'
import { Refused } from '../api/refused.ts'
import type { Approval } from '../api/types.ts'
import type { components } from '../api/schema.ts'
import { byOf, timeOf } from '../i18n/format.ts'
import { t } from '../i18n/text.ts'
import type { CallItem } from '../timeline/timeline.ts'
import { DecisionPreview } from './decision-preview.tsx'
import { EditArguments } from './edit-arguments.tsx'
import { Back, Warning } from './icons.tsx'
import { problemText } from './problem-text.ts'

interface DecisionProps {
  approval: Approval
  call: CallItem | null
  place: number
  of: number
  onMove: (by: number) => void
  /** This tab is about to decide. */
  onMine: () => void
  /** Somebody or something was quicker: `settled` is what became of it. */
  onLate: (settled: Approval) => void
  onDecided: () => void
}

type Mode = 'look' | 'reason' | 'edit' | 'remember'
type Answer = Omit<components['schemas']['DecideApproval'], 'digest'>

const armedAfterMs = 400 // a click or key that was meant for what stood here before

/** The question about one plan. What is sent names the digest of what was shown: nothing else can be allowed by it. */
export function Decision ({ approval, call, place, of, onMove, onMine, onLate, onDecided }: DecisionProps) {
  const [mode, setMode] = useState<Mode>('look')
  const [reason, setReason] = useState('')
  const [sending, setSending] = useState(false)
  const [armed, setArmed] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const title = useId()
  const card = useRef<HTMLElement>(null)
  const denyButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const timer = setTimeout(() => { setArmed(true) }, armedAfterMs)
    if (!isTyping()) denyButton.current?.focus({ preventScroll: true })
    return () => { clearTimeout(timer) }
  }, [])
  useEffect(() => {
    // What had the focus has gone with its mode: the keys stay here.
    if (document.activeElement === document.body) denyButton.current?.focus({ preventScroll: true })
  }, [mode])

  // Who has opened a form of this question has seen it.
  const busy = sending || (!armed && mode === 'look')
  const send = async (body: Answer): Promise<void> => {
    if (busy) return
    setSending(true)
    onMine()
    try {
      await answer(client.POST('/approvals/{callId}', { params: { path: { callId: approval.callId } }, body: { ...body, digest: approval.digest } }))
    } catch (error) {
      const settled = error instanceof Refused && ['already_decided', 'approval_expired', 'approval_cancelled'].includes(error.code)
      if (settled && error.approval !== null) onLate(error.approval)
      else setProblem(error instanceof Refused && error.code === 'digest_mismatch' ? t('otherPlan') : error instanceof Refused && error.code === 'scope_missing' ? t('mayNotDecide') : problemText(error))
    } finally {
      setSending(false)
      onDecided()
    }
  }
  const deny = (): void => { void send({ decision: 'deny', ...(reason.trim() === '' ? {} : { reason: reason.trim() }) }) }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && (mode === 'look' || mode === 'remember')) {
      event.preventDefault()
      void send({ decision: 'approve', ...(mode === 'remember' ? { remember: 'session' } : {}) })
      return
    }
    if (event.key === 'Escape' && mode !== 'look') setMode('look')
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping()) return
    const act = { r: () => { setMode('reason') }, s: () => { if (approval.rememberRule !== null) setMode('remember') }, e: () => { setMode('edit') }, n: () => { onMove(1) }, p: () => { onMove(-1) } }[event.key.toLowerCase()]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  const { preview } = approval
  return (
    <section ref={card} className='decision' role='dialog' aria-labelledby={title} onKeyDown={onKeyDown}>
      <header>
        <h3 id={title}>{t('decides', { tool: approval.tool })}</h3>
        {of > 1 && (
          <span className='queue'>
            <button type='button' className='plain' aria-label={t('previous')} onClick={() => { onMove(-1) }}><Back /></button>
            {t('position', { n: place + 1, of })}
            <button type='button' className='plain flip' aria-label={t('next')} onClick={() => { onMove(1) }}><Back /></button>
          </span>
        )}
      </header>
      <div className='plan'>
        <p className='summary'>{preview.summary}</p>
        {roundText(approval, call)}
        {preview.unusualCharacters && <p className='warning'><Warning /> {t('unusual')}</p>}
        {mode === 'edit'
          ? <EditArguments args={approval.arguments} disabled={busy} onCancel={() => { setMode('look') }} onEdited={(args) => { void send({ arguments: args }) }} />
          : <DecisionPreview approval={approval} />}
        {approval.expiresAt !== null && <p className='quiet'>{t('expires', { time: timeOf(approval.expiresAt) })}</p>}
      </div>
      {mode === 'reason' && (
        <div className='reason'>
          <label htmlFor={`${title}-reason`}>{t('reason')}</label>
          <textarea id={`${title}-reason`} rows={2} maxLength={4096} autoFocus value={reason} onChange={(event) => { setReason(event.target.value) }} />
        </div>
      )}
      {mode === 'remember' && approval.rememberRule !== null && (
        <div className='reason'>
          <p>{t('ruleShown')}</p>
          <pre tabIndex={0}>{JSON.stringify(approval.rememberRule)}</pre>
        </div>
      )}
      {problem !== null && <p className='problem' role='alert'>{problem}</p>}
      {mode !== 'edit' && (
        <div className='actions'>
          <button ref={denyButton} type='button' className='danger' disabled={sending} onClick={deny}>{t('deny')}</button>
          {mode === 'look' && <button type='button' disabled={sending} onClick={() => { setMode('reason') }}>{t('denyReason')}</button>}
          {mode === 'look' && <button type='button' disabled={sending} onClick={() => { setMode('edit') }}>{t('edit')}</button>}
          {mode !== 'look' && <button type='button' onClick={() => { setMode('look') }}>{t('cancel')}</button>}
          <span className='gap' />
          {mode === 'look' && approval.rememberRule !== null && <button type='button' disabled={sending} onClick={() => { setMode('remember') }}>{t('allowSession')}</button>}
          {mode === 'look' && <button type='button' className='primary' disabled={busy} onClick={() => { void send({ decision: 'approve' }) }}>{t('allow')}</button>}
          {mode === 'remember' && <button type='button' className='primary' disabled={busy} onClick={() => { void send({ decision: 'approve', remember: 'session' }) }}>{t('allowRule')}</button>}
        </div>
      )}
      <p className='keys quiet'>{t('keys')}</p>
    </section>
  )
}

/** Why this is not the first plan of the call. */
function roundText (approval: Approval, call: CallItem | null) {
  if (approval.round === 1) return null
  const editor = call?.rounds.find(({ round }) => round === approval.round)?.editedBy
  return <p className='warning'><Warning /> {editor === null || editor === undefined ? t('changedMeanwhile', { n: approval.round }) : t('editedNow', { by: byOf(editor), n: approval.round })}</p>
}

/** Nobody's keys are taken away in mid-sentence. */
function isTyping (): boolean {
  const active = document.activeElement
  return (active instanceof HTMLTextAreaElement || (active instanceof HTMLInputElement && active.type !== 'checkbox')) && (active.value !== '' || active.closest('.decision') !== null)
}
