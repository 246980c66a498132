import { useCallback, useEffect, useRef, useState } from 'react'
import { fetchRaw } from '../api/client.ts'
import { t } from '../i18n/text.ts'
import { saveAs } from '../text/save.ts'
import { Changes } from './changes.tsx'
import { DropFiles } from './drop-files.tsx'
import { FileView } from './file-view.tsx'
import { Folder as FolderTree } from './folder.tsx'
import { PickFiles } from './pick-files.tsx'
import { problemText } from './problem-text.ts'
import { useToast } from './toast.tsx'
import { useUploads } from './use-uploads.tsx'

type Shown = { readonly kind: 'tree' } | { readonly kind: 'file', readonly path: string } | { readonly kind: 'diff' }

/** The workspace: its tree, a file, what changed; up and down. `settled` changes when files may have. */
export function Files ({ sessionId, settled }: { sessionId: string, settled: number }) {
  const [shown, setShown] = useState<Shown>({ kind: 'tree' })
  const [asked, setAsked] = useState(0)
  const toast = useToast()
  const { upload, putArchive, dialog } = useUploads(sessionId, () => { setAsked((n) => n + 1) })
  const base = `/sessions/${encodeURIComponent(sessionId)}`
  const complain = useCallback((error: unknown) => { toast(problemText(error)) }, [toast])
  const version = `${settled} ${asked}`
  const tree = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLElement | null>(null)
  useEffect(() => {
    // Who comes back goes on from where the way led in; what had the focus is gone.
    const held = document.activeElement
    if (shown.kind !== 'tree' || opener.current === null || (held !== document.body && held?.checkVisibility() === true)) return
    ;(opener.current.isConnected ? opener.current : tree.current)?.focus()
  }, [shown])
  const openFile = (path: string, from: HTMLElement): void => {
    opener.current = from
    setShown({ kind: 'file', path })
  }

  const archive = (): void => {
    fetchRaw(`${base}/archive`).then(async (response) => await response.blob()).then((blob) => { saveAs(`${sessionId}.tar.gz`, blob) }, complain)
  }
  return (
    <DropFiles onFiles={upload}>
      <div className='tools'>
        {shown.kind !== 'tree' && <button type='button' onClick={() => { setShown({ kind: 'tree' }) }}>← {t('files')}</button>}
        {shown.kind === 'tree' && <button type='button' onClick={() => { setAsked((n) => n + 1) }}>{t('refresh')}</button>}
        <button
          type='button' aria-pressed={shown.kind === 'diff'} onClick={({ currentTarget }) => {
            opener.current = currentTarget
            setShown({ kind: 'diff' })
            setAsked((n) => n + 1)
          }}
        >
          {t('changes')}
        </button>
        <PickFiles text={t('upload')} several onFiles={upload} />
        <button type='button' onClick={archive}>{t('archive')}</button>
        <PickFiles text={t('putArchive')} accept='.tar.gz,.tgz,application/gzip' onFiles={([file]) => { if (file !== undefined) putArchive(file) }} />
      </div>
      <div ref={tree} className='scroller' hidden={shown.kind !== 'tree'} tabIndex={0} role='region' aria-label={t('files')}>
        <FolderTree sessionId={sessionId} path='' version={version} onFile={openFile} />
      </div>
      {shown.kind !== 'tree' && (
        <div className='scroller' tabIndex={0} role='region' aria-label={t(shown.kind === 'diff' ? 'changes' : 'files')}>
          {shown.kind === 'diff' ? <Changes sessionId={sessionId} version={version} /> : <FileView sessionId={sessionId} path={shown.path} version={version} />}
        </div>
      )}
      {dialog}
    </DropFiles>
  )
}
