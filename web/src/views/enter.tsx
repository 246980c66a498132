import { useId, useState, type FormEvent } from 'react'
import { t } from '../i18n/text.ts'
import { Mark } from './icons.tsx'

export function Enter ({ wrong, onKey }: { wrong: boolean, onKey: (key: string) => Promise<void> }) {
  const [key, setKey] = useState('')
  const field = useId()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (key.trim() !== '') void onKey(key.trim())
  }
  return (
    <main className='enter'>
      <form className='card' onSubmit={submit}>
        <h1><Mark /> Écluse</h1>
        <h2>{t('enterTitle')}</h2>
        <p className='quiet'>{t('enterText')}</p>
        <label htmlFor={field}>{t('enterKey')}</label>
        <input
          id={field} type='password' autoComplete='off' spellCheck={false} value={key} autoFocus
          aria-invalid={wrong} aria-describedby={wrong ? `${field}-wrong` : undefined} onChange={(event) => { setKey(event.target.value) }}
        />
        {wrong && <p id={`${field}-wrong`} className='problem' role='alert'>{t('enterWrong')}</p>}
        <button type='submit' className='primary'>{t('enterGo')}</button>
      </form>
    </main>
  )
}
