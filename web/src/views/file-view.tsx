import { useEffect, useState } from 'react'
import { fetchRaw } from '../api/client.ts'
import { filePath } from '../api/file-path.ts'
import { sizeOf } from '../i18n/format.ts'
import { t } from '../i18n/text.ts'
import { marked } from '../text/marks.ts'
import { saveAs } from '../text/save.ts'
import { problemText } from './problem-text.ts'

const shownBytes = 200 * 1024

/** A file as text, whatever it is: HTML and SVG too. */
export function FileView ({ sessionId, path }: { sessionId: string, path: string }) {
  const [blob, setBlob] = useState<Blob | null>(null)
  const [text, setText] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    const load = async (): Promise<void> => {
      const whole = await (await fetchRaw(filePath(sessionId, path))).blob()
      setBlob(whole)
      setText(readText(await whole.slice(0, shownBytes).arrayBuffer()))
    }
    load().catch((error: unknown) => { setProblem(problemText(error)) })
  }, [sessionId, path])
  return (
    <div className='file'>
      <header>
        <h3>{marked(path)}</h3>
        {blob !== null && <span className='quiet'>{sizeOf(blob.size)}</span>}
        {blob !== null && <button type='button' onClick={() => { saveAs(path.split('/').at(-1) ?? 'file', blob) }}>{t('download')}</button>}
      </header>
      {problem !== null && <p className='problem'>{problem}</p>}
      {blob !== null && text === null && <p className='quiet'>{t('notText')}</p>}
      {text !== null && <pre tabIndex={0}>{marked(text)}</pre>}
      {blob !== null && text !== null && blob.size > shownBytes && <p className='quiet'>{t('bigFile')}</p>}
    </div>
  )
}

/** Null: not text. The cut may go through a character, so the end is read leniently. */
function readText (bytes: ArrayBuffer): string | null {
  const text = new TextDecoder('utf-8').decode(bytes)
  return text.slice(0, -4).includes('\ufffd') || text.includes('\0') ? null : text
}
