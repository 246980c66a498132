import { useState, type ReactNode } from 'react'
import { fetchRaw } from '../api/client.ts'
import { filePath } from '../api/file-path.ts'
import { Refused } from '../api/refused.ts'
import { t } from '../i18n/text.ts'
import { Dialog } from './dialog.tsx'
import { problemText } from './problem-text.ts'
import { useToast } from './toast.tsx'

type Question = { readonly kind: 'file' | 'archive', readonly file: File }

/** Files into the workspace, and an archive in its place. What is there is replaced only when somebody says so. */
export function useUploads (sessionId: string, onDone: () => void): { upload: (files: readonly File[]) => void, putArchive: (file: File) => void, dialog: ReactNode } {
  const [questions, setQuestions] = useState<readonly Question[]>([])
  const toast = useToast()
  const put = async (path: string, file: File, headers: Record<string, string>, said: string): Promise<void> => {
    await fetchRaw(path, { method: 'PUT', body: file, headers })
    toast(said)
    onDone()
  }
  const complain = (error: unknown): void => { toast(problemText(error)) }
  const putFile = async (file: File, replace: boolean): Promise<void> => {
    const headers = { 'content-type': 'application/octet-stream', ...(replace ? {} : { 'if-none-match': '*' }) }
    try {
      await put(filePath(sessionId, file.name), file, headers, t('uploaded', { name: file.name }))
    } catch (error) {
      if (!replace && error instanceof Refused && error.status === 412) setQuestions((all) => [...all, { kind: 'file', file }])
      else complain(error)
    }
  }
  const upload = async (files: readonly File[]): Promise<void> => {
    for (const file of files) await putFile(file, false)
  }
  const replace = ({ kind, file }: Question): void => {
    if (kind === 'file') void putFile(file, true)
    else put(`/sessions/${encodeURIComponent(sessionId)}/archive`, file, { 'content-type': 'application/gzip' }, t('archivePut', { name: file.name })).catch(complain)
  }
  const [question] = questions
  const next = (): void => { setQuestions((all) => all.slice(1)) }
  const dialog = question !== undefined && (
    <Dialog key={questions.length} title={t(question.kind === 'file' ? 'upload' : 'putArchive')} onClose={next}>
      <p>{t(question.kind === 'file' ? 'exists' : 'putArchiveText', { name: question.file.name })}</p>
      <div className='actions'>
        <button type='button' autoFocus onClick={next}>{t('cancel')}</button>
        <button type='button' className='danger' onClick={() => { replace(question); next() }}>{t('replace')}</button>
      </div>
    </Dialog>
  )
  return { upload: (files) => { void upload(files) }, putArchive: (file) => { setQuestions((all) => [...all, { kind: 'archive', file }]) }, dialog }
}
