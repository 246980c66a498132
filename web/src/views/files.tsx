import { useCallback, useEffect, useState } from 'react'
import { fetchRaw } from '../api/client.ts'
import { t } from '../i18n/text.ts'
import { saveAs } from '../text/save.ts'
import { DiffView } from './diff-view.tsx'
import { DropFiles } from './drop-files.tsx'
import { FileView } from './file-view.tsx'
import { Folder as FolderTree } from './folder.tsx'
import { PickFiles } from './pick-files.tsx'
import { problemText } from './problem-text.ts'
import { useToast } from './toast.tsx'
import { useUploads } from './use-uploads.tsx'

type Shown = { readonly kind: 'tree' } | { readonly kind: 'file', readonly path: string } | { readonly kind: 'diff', readonly text: string }

/** The workspace: its tree, a file, what changed; up and down. `settled` changes when files may have. */
export function Files ({ sessionId, settled }: { sessionId: string, settled: number }) {
  const [shown, setShown] = useState<Shown>({ kind: 'tree' })
  const [asked, setAsked] = useState(0)
  const toast = useToast()
  const { upload, putArchive, dialog } = useUploads(sessionId, () => { setAsked((n) => n + 1) })
  const base = `/sessions/${encodeURIComponent(sessionId)}`
  const complain = useCallback((error: unknown) => { toast(problemText(error)) }, [toast])
  useEffect(() => { setShown((before) => before.kind === 'diff' ? { kind: 'tree' } : before) }, [settled])

  const showDiff = (): void => {
    fetchRaw(`${base}/diff`, { headers: { accept: 'text/x-diff' } }).then(async (response) => await response.text())
      .then((text) => { setShown({ kind: 'diff', text }) }, complain)
  }
  const archive = (): void => {
    fetchRaw(`${base}/archive`).then(async (response) => await response.blob()).then((blob) => { saveAs(`${sessionId}.tar.gz`, blob) }, complain)
  }
  return (
    <DropFiles onFiles={upload}>
      <div className='tools'>
        {shown.kind !== 'tree' && <button type='button' onClick={() => { setShown({ kind: 'tree' }) }}>← {t('files')}</button>}
        {shown.kind === 'tree' && <button type='button' onClick={() => { setAsked((n) => n + 1) }}>{t('refresh')}</button>}
        <button type='button' aria-pressed={shown.kind === 'diff'} onClick={showDiff}>{t('changes')}</button>
        <PickFiles text={t('upload')} several onFiles={upload} />
        <button type='button' onClick={archive}>{t('archive')}</button>
        <PickFiles text={t('putArchive')} accept='.tar.gz,.tgz,application/gzip' onFiles={([file]) => { if (file !== undefined) putArchive(file) }} />
      </div>
      <div className='scroller' tabIndex={0} role='region' aria-label={t('files')}>
        {shown.kind === 'tree' && <FolderTree sessionId={sessionId} path='' version={`${settled} ${asked}`} onFile={(path) => { setShown({ kind: 'file', path }) }} />}
        {shown.kind === 'file' && <FileView key={`${shown.path} ${settled}`} sessionId={sessionId} path={shown.path} />}
        {shown.kind === 'diff' && (shown.text === '' ? <p className='quiet empty'>{t('noChanges')}</p> : <DiffView diff={shown.text} />)}
      </div>
      {dialog}
    </DropFiles>
  )
}
