import { useState } from 'react'
import { fetchRaw } from '../api/client.ts'
import type { Approval } from '../api/types.ts'
import { t } from '../i18n/text.ts'
import { filePath } from '../api/file-path.ts'
import { DiffView } from './diff-view.tsx'
import { problemText } from './problem-text.ts'

/** What would happen, as the server worked it out: a change, new content, a command. */
export function DecisionPreview ({ approval }: { approval: Approval }) {
  const { preview, sessionId } = approval
  const [file, setFile] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  // A file that comes new has no whole beside its change.
  const path = preview.diff?.startsWith('--- /dev/null') === true ? undefined : preview.paths[0]
  const showWhole = (): void => {
    if (path === undefined) return
    fetchRaw(filePath(sessionId, path)).then(async (response) => await response.text()).then(setFile, (error: unknown) => { setProblem(t('noFile', { detail: problemText(error) })) })
  }
  return (
    <>
      {preview.command !== null && <><h4>{t('command')}</h4><pre className='command' tabIndex={0}>{preview.command}</pre></>}
      {preview.diff !== null && (
        <>
          <DiffView diff={preview.diff} file={file} />
          {path !== undefined && (
            <button type='button' className='link' onClick={file === null ? showWhole : () => { setFile(null) }}>{t(file === null ? 'wholeFile' : 'onlyChanges')}</button>
          )}
          {problem !== null && <p className='quiet'>{problem}</p>}
        </>
      )}
      {preview.diff === null && preview.content !== null && <><h4>{t('newContent')}</h4><pre tabIndex={0}>{preview.content}</pre></>}
      {preview.notes.length > 0 && <ul className='notes'>{preview.notes.map((note) => <li key={note}>{note}</li>)}</ul>}
      {preview.truncated && <p className='quiet'>{t('truncatedPreview')}</p>}
    </>
  )
}
