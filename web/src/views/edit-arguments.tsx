import { useId, useState, type FormEvent } from 'react'
import { t } from '../i18n/text.ts'
import { escaped } from '../text/marks.ts'

interface EditArgumentsProps {
  args: Record<string, unknown>
  disabled: boolean
  onEdited: (args: Record<string, unknown>) => void
  onCancel: () => void
}

/** One field for each argument: text as text, everything else as JSON. */
export function EditArguments ({ args, disabled, onEdited, onCancel }: EditArgumentsProps) {
  const field = useId()
  const [texts, setTexts] = useState<Record<string, string>>(() => Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typeof value === 'string' ? value : escaped(JSON.stringify(value, null, 2))])))
  const [problem, setProblem] = useState<string | null>(null)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const edited: Record<string, unknown> = {}
    for (const [name, text] of Object.entries(texts)) {
      try {
        edited[name] = typeof args[name] === 'string' ? text : JSON.parse(text)
      } catch {
        setProblem(t('invalidJson', { name }))
        return
      }
    }
    setProblem(null)
    onEdited(edited)
  }
  return (
    <form className='edit' onSubmit={submit}>
      {Object.entries(texts).map(([name, text], index) => (
        <div key={name}>
          <label htmlFor={`${field}-${index}`}><code>{name}</code></label>
          <textarea
            id={`${field}-${index}`} rows={Math.min(12, text.split('\n').length)} spellCheck={false} value={text} autoFocus={index === 0}
            onChange={(event) => { setTexts({ ...texts, [name]: event.target.value }) }}
          />
        </div>
      ))}
      {problem !== null && <p className='problem' role='alert'>{problem}</p>}
      <div className='actions'>
        <button type='button' onClick={onCancel}>{t('cancel')}</button>
        <button type='submit' className='primary' disabled={disabled}>{t('preview')}</button>
      </div>
    </form>
  )
}
