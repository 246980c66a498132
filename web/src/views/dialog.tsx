import { useLayoutEffect, useRef, type ReactNode } from 'react'

/** A modal dialog of the browser: it holds the focus, gives it back to where it was, and Escape closes it. */
export function Dialog ({ title, children, onClose }: { title: string, children: ReactNode, onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Closed while it is still in the page: one that is taken out of it gives no focus back.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => { element?.close() }
  }, [])
  return (
    <dialog ref={dialog} className='card' aria-label={title} onCancel={(event) => { event.preventDefault(); onClose() }} onClick={(event) => { if (event.target === dialog.current) onClose() }}>
      <h2>{title}</h2>
      {children}
    </dialog>
  )
}
