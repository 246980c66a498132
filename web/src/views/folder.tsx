import { useCallback, useEffect, useState } from 'react'
import { fetchRaw } from '../api/client.ts'
import { filePath } from '../api/file-path.ts'
import { sizeOf } from '../i18n/format.ts'
import { t } from '../i18n/text.ts'
import { marked } from '../text/marks.ts'
import { File, Folder as FolderIcon } from './icons.tsx'
import { problemText } from './problem-text.ts'

interface Entry { readonly name: string, readonly type: string, readonly size?: number | null }
interface FolderProps {
  sessionId: string
  path: string
  /** Changes when files may have. */
  version: string
  onFile: (path: string, from: HTMLElement) => void
}

/** A folder of the workspace; those within are fetched when they are opened. */
export function Folder ({ sessionId, path, version, onFile }: FolderProps) {
  const [entries, setEntries] = useState<readonly Entry[] | null>(null)
  const [cursor, setCursor] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const load = useCallback((after: string | null) => {
    fetchRaw(`${filePath(sessionId, path)}${after === null ? '' : `?cursor=${encodeURIComponent(after)}`}`, { headers: { accept: 'application/json' } })
      .then(async (response) => await response.json() as { entries: Entry[], nextCursor: string | null }) // a folder's listing, by the contract
      .then((listing) => {
        setEntries((known) => after === null ? listing.entries : [...known ?? [], ...listing.entries])
        setCursor(listing.nextCursor)
        setProblem(null)
      }, (error: unknown) => { setProblem(problemText(error)) })
  }, [sessionId, path])
  useEffect(() => { load(null) }, [load, version])
  if (problem !== null) return <p className='quiet empty'>{problem}</p>
  if (entries === null) return null
  if (entries.length === 0 && path === '') return <p className='quiet empty'>{t('emptyFolder')}</p>
  const sorted = [...entries].sort((a, b) => Number(a.type !== 'directory') - Number(b.type !== 'directory') || a.name.localeCompare(b.name))
  return (
    <ul className='tree'>
      {sorted.map((entry) => (
        <Item key={entry.name} entry={entry} path={path === '' ? entry.name : `${path}/${entry.name}`} sessionId={sessionId} version={version} onFile={onFile} />
      ))}
      {cursor !== null && <li><button type='button' className='link' onClick={() => { load(cursor) }}>{t('more')}</button></li>}
    </ul>
  )
}

function Item ({ entry, path, sessionId, version, onFile }: FolderProps & { entry: Entry }) {
  const [open, setOpen] = useState(false)
  if (entry.type !== 'directory') {
    return (
      <li>
        <button type='button' className='plain' onClick={({ currentTarget }) => { onFile(path, currentTarget) }}>
          <File /> <span className='ellipsis'>{marked(entry.name)}</span>
          {typeof entry.size === 'number' && <span className='quiet when'>{sizeOf(entry.size)}</span>}
        </button>
      </li>
    )
  }
  return (
    <li>
      <button type='button' className='plain' aria-expanded={open} onClick={() => { setOpen(!open) }}><FolderIcon /> <span className='ellipsis'>{marked(entry.name)}</span></button>
      {open && <Folder sessionId={sessionId} path={path} version={version} onFile={onFile} />}
    </li>
  )
}
