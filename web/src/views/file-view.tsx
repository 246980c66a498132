import { useEffect, useRef, useState } from 'react'
import { fetchRaw } from '../api/client.ts'
import { filePath } from '../api/file-path.ts'
import { sizeOf } from '../i18n/format.ts'
import { t } from '../i18n/text.ts'
import { marked } from '../text/marks.ts'
import { firstBytes } from '../text/first-bytes.ts'
import { saveAs } from '../text/save.ts'
import { problemText } from './problem-text.ts'

const shownBytes = 200 * 1024

interface Shown { readonly text: string | null, readonly whole: boolean, readonly size: number | null }

/** A file as text, whatever it is: HTML and SVG too. A new `version` is fetched while the one before stands. */
export function FileView ({ sessionId, path, version }: { sessionId: string, path: string, version: string }) {
  const [file, setFile] = useState<Shown | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const name = useRef<HTMLHeadingElement>(null)
  useEffect(() => { name.current?.focus({ preventScroll: true }) }, []) // what opened it is out of sight
  useEffect(() => {
    let current = true
    const load = async (): Promise<void> => {
      const response = await fetchRaw(filePath(sessionId, path))
      const size = response.headers.get('content-length')
      const { bytes, whole } = await firstBytes(response, shownBytes)
      if (!current) return
      setFile({ text: readText(bytes), whole, size: size === null ? null : Number(size) })
      setProblem(null)
    }
    load().catch((error: unknown) => {
      if (!current) return
      setFile(null)
      setProblem(problemText(error))
    })
    return () => { current = false }
  }, [sessionId, path, version])
  const download = (): void => {
    fetchRaw(filePath(sessionId, path)).then(async (response) => await response.blob())
      .then((blob) => { saveAs(path.split('/').at(-1) ?? 'file', blob) }, (error: unknown) => { setProblem(problemText(error)) })
  }
  return (
    <div className='file'>
      <header>
        <h3 ref={name} tabIndex={-1}>{marked(path)}</h3>
        {typeof file?.size === 'number' && <span className='quiet'>{sizeOf(file.size)}</span>}
        {file !== null && <button type='button' onClick={download}>{t('download')}</button>}
      </header>
      {problem !== null && <p className='problem'>{problem}</p>}
      {file?.text === null && <p className='quiet'>{t('notText')}</p>}
      {typeof file?.text === 'string' && <pre tabIndex={0}>{marked(file.text)}</pre>}
      {typeof file?.text === 'string' && !file.whole && <p className='quiet'>{t('bigFile')}</p>}
    </div>
  )
}

/** Null: not text. The cut may go through a character, so the end is read leniently. */
function readText (bytes: Uint8Array<ArrayBuffer>): string | null {
  const text = new TextDecoder('utf-8').decode(bytes)
  return text.slice(0, -4).includes('\ufffd') || text.includes('\0') ? null : text
}
