import { useState, type DragEvent, type ReactNode } from 'react'
import { t } from '../i18n/text.ts'
import { useToast } from './toast.tsx'

/** A place where files can be dropped. */
export function DropFiles ({ children, onFiles }: { children: ReactNode, onFiles: (files: readonly File[]) => void }) {
  const [over, setOver] = useState(false)
  const toast = useToast()
  const onDragOver = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setOver(true)
  }
  const onDrop = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(false)
    const files: File[] = []
    for (const item of event.dataTransfer.items) {
      const file = item.getAsFile()
      if (file === null) continue
      if (item.webkitGetAsEntry()?.isDirectory === true) toast(t('noFolder', { name: file.name }))
      else files.push(file)
    }
    onFiles(files)
  }
  const onDragLeave = (event: DragEvent<HTMLElement>): void => {
    if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(false)
  }
  return (
    <div className='drop' data-over={over} onDragOver={onDragOver} onDragLeave={onDragLeave} onDrop={onDrop}>
      {children}
      {over && <p className='drop-here' aria-hidden='true'>{t('dropHere')}</p>}
    </div>
  )
}
