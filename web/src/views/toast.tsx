import { createContext, use, useCallback, useState, type ReactNode } from 'react'
import { t } from '../i18n/text.ts'

interface Action { readonly label: string, readonly act: () => void }
interface Toast { readonly id: number, readonly text: string, readonly action: Action | null }
type Show = (text: string, action?: Action) => void

const ToastContext = createContext<Show>(() => {})
const shownMs = 7_000
const toastsMax = 4

/** Says something in passing; it is read aloud, and goes by itself. */
export function useToast (): Show { return use(ToastContext) }

export function ToastProvider ({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const drop = useCallback((id: number) => { setToasts((all) => all.filter((toast) => toast.id !== id)) }, [])
  const show = useCallback<Show>((text, action) => {
    const id = Math.random()
    setToasts((all) => [...all.slice(1 - toastsMax), { id, text, action: action ?? null }])
    setTimeout(() => { drop(id) }, shownMs)
  }, [drop])
  return (
    <ToastContext value={show}>
      {children}
      <div className='toasts' role='status' aria-live='polite'>
        {toasts.map(({ id, text, action }) => (
          <div key={id} className='toast'>
            <span>{text}</span>
            {action !== null && <button type='button' onClick={() => { action.act(); drop(id) }}>{action.label}</button>}
            <button type='button' className='plain' aria-label={t('close')} onClick={() => { drop(id) }}>×</button>
          </div>
        ))}
      </div>
    </ToastContext>
  )
}
