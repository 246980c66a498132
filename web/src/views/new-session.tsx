import { useEffect, useId, useState, type FormEvent } from 'react'
import { answer, client } from '../api/client.ts'
import type { Session } from '../api/types.ts'
import { uniqueKey } from '../api/unique.ts'
import { t } from '../i18n/text.ts'
import { Dialog } from './dialog.tsx'
import { problemText } from './problem-text.ts'

type Mode = Session['policy']['mode']
const modes = { ask: 'modeAsk', auto: 'modeAuto', readOnly: 'modeReadOnly' } as const

export function NewSession ({ onClose, onCreated }: { onClose: () => void, onCreated: (session: Session) => void }) {
  const field = useId()
  const [models, setModels] = useState<readonly string[]>([])
  const [model, setModel] = useState('')
  const [title, setTitle] = useState('')
  const [instructions, setInstructions] = useState('')
  const [mode, setMode] = useState<Mode>('ask')
  const [problem, setProblem] = useState<string | null>(null)
  const [key] = useState(uniqueKey)
  useEffect(() => {
    void answer(client.GET('/models')).then(({ items }) => {
      setModels(items.map(({ name }) => name))
      setModel(items.find((item) => item.default)?.name ?? '')
    }).catch(() => {}) // the server's own choice is taken then
  }, [])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const body = {
      ...(title.trim() === '' ? {} : { title: title.trim() }),
      ...(model === '' ? {} : { model }),
      ...(instructions.trim() === '' ? {} : { instructions }),
      ...(mode === 'ask' ? {} : { policy: { mode } })
    }
    answer(client.POST('/sessions', { body, params: { header: { 'idempotency-key': key } } })).then(onCreated, (error: unknown) => { setProblem(problemText(error)) })
  }
  return (
    <Dialog title={t('newSession')} onClose={onClose}>
      <form onSubmit={submit}>
        <label htmlFor={`${field}-title`}>{t('title')}</label>
        <input id={`${field}-title`} value={title} maxLength={200} placeholder={t('titleHint')} onChange={(event) => { setTitle(event.target.value) }} />
        <label htmlFor={`${field}-model`}>{t('model')}</label>
        <input id={`${field}-model`} value={model} list={`${field}-models`} onChange={(event) => { setModel(event.target.value) }} />
        <datalist id={`${field}-models`}>{models.map((name) => <option key={name} value={name} />)}</datalist>
        <label htmlFor={`${field}-mode`}>{t('policyMode')}</label>
        <select id={`${field}-mode`} value={mode} onChange={(event) => { setMode(event.target.value as Mode) /* the options are its values */ }}>
          {Object.entries(modes).map(([value, text]) => <option key={value} value={value}>{t(text)}</option>)}
        </select>
        <label htmlFor={`${field}-instructions`}>{t('instructions')}</label>
        <textarea id={`${field}-instructions`} rows={3} value={instructions} placeholder={t('instructionsHint')} onChange={(event) => { setInstructions(event.target.value) }} />
        {problem !== null && <p className='problem' role='alert'>{problem}</p>}
        <div className='actions'>
          <button type='button' onClick={onClose}>{t('cancel')}</button>
          <button type='submit' className='primary'>{t('create')}</button>
        </div>
      </form>
    </Dialog>
  )
}
