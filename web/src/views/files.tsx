import { useCallback, useEffect, useRef, useState } from 'react'
import { fetchRaw } from '../api/client.ts'
import { filePath } from '../api/file-path.ts'
import { Refused } from '../api/refused.ts'
import { t } from '../i18n/text.ts'
import { saveAs } from '../text/save.ts'
import { DiffView } from './diff-view.tsx'
import { Dialog } from './dialog.tsx'
import { FileView } from './file-view.tsx'
import { Folder as FolderTree } from './folder.tsx'
import { problemText } from './problem-text.ts'
import { useToast } from './toast.tsx'

type Shown = { readonly kind: 'tree' } | { readonly kind: 'file', readonly path: string } | { readonly kind: 'diff', readonly text: string }

/** The workspace: its tree, a file, what changed; up and down. `settled` changes when files may have. */
export function Files ({ sessionId, settled }: { sessionId: string, settled: number }) {
  const [shown, setShown] = useState<Shown>({ kind: 'tree' })
  const [asked, setAsked] = useState(0)
  const [replacing, setReplacing] = useState<File | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const toast = useToast()
  const base = `/sessions/${encodeURIComponent(sessionId)}`
  const complain = useCallback((error: unknown) => { toast(problemText(error)) }, [toast])
  useEffect(() => { setShown((before) => before.kind === 'diff' ? { kind: 'tree' } : before) }, [settled])

  const upload = async (file: File, replace: boolean): Promise<void> => {
    try {
      await fetchRaw(filePath(sessionId, file.name), {
        method: 'PUT', body: file, headers: { 'content-type': 'application/octet-stream', ...(replace ? {} : { 'if-none-match': '*' }) }
      })
      toast(t('uploaded', { name: file.name }))
      setAsked((n) => n + 1)
    } catch (error) {
      if (!replace && error instanceof Refused && (error.status === 412 || error.status === 409)) setReplacing(file)
      else complain(error)
    }
  }
  const showDiff = (): void => {
    fetchRaw(`${base}/diff`, { headers: { accept: 'text/x-diff' } }).then(async (response) => await response.text())
      .then((text) => { setShown({ kind: 'diff', text }) }, complain)
  }
  const archive = (): void => {
    fetchRaw(`${base}/archive`).then(async (response) => await response.blob()).then((blob) => { saveAs(`${sessionId}.tar.gz`, blob) }, complain)
  }
  return (
    <>
      <div className='tools'>
        {shown.kind !== 'tree' && <button type='button' onClick={() => { setShown({ kind: 'tree' }) }}>← {t('files')}</button>}
        {shown.kind === 'tree' && <button type='button' onClick={() => { setAsked((n) => n + 1) }}>{t('refresh')}</button>}
        <button type='button' aria-pressed={shown.kind === 'diff'} onClick={showDiff}>{t('changes')}</button>
        <button type='button' onClick={() => input.current?.click()}>{t('upload')}</button>
        <button type='button' onClick={archive}>{t('archive')}</button>
        <input
          ref={input} type='file' hidden onChange={(event) => {
            const file = event.target.files?.[0]
            event.target.value = ''
            if (file !== undefined) void upload(file, false)
          }}
        />
      </div>
      <div className='scroller' tabIndex={0} role='region' aria-label={t('files')}>
        {shown.kind === 'tree' && <FolderTree key={`${settled} ${asked}`} sessionId={sessionId} path='' onFile={(path) => { setShown({ kind: 'file', path }) }} />}
        {shown.kind === 'file' && <FileView key={`${shown.path} ${settled}`} sessionId={sessionId} path={shown.path} />}
        {shown.kind === 'diff' && (shown.text === '' ? <p className='quiet empty'>{t('noChanges')}</p> : <DiffView diff={shown.text} />)}
      </div>
      {replacing !== null && (
        <Dialog title={t('upload')} onClose={() => { setReplacing(null) }}>
          <p>{t('exists', { name: replacing.name })}</p>
          <div className='actions'>
            <button type='button' autoFocus onClick={() => { setReplacing(null) }}>{t('cancel')}</button>
            <button type='button' className='danger' onClick={() => { void upload(replacing, true); setReplacing(null) }}>{t('replace')}</button>
          </div>
        </Dialog>
      )}
    </>
  )
}
