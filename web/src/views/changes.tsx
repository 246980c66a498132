import { useEffect, useState } from 'react'
import { fetchRaw } from '../api/client.ts'
import { t } from '../i18n/text.ts'
import { DiffView } from './diff-view.tsx'
import { problemText } from './problem-text.ts'

/** What the session has changed. A new `version` is fetched while the one before stands. */
export function Changes ({ sessionId, version }: { sessionId: string, version: string }) {
  const [diff, setDiff] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let current = true
    const load = async (): Promise<void> => {
      const response = await fetchRaw(`/sessions/${encodeURIComponent(sessionId)}/diff`, { headers: { accept: 'text/x-diff' } })
      const text = await response.text()
      if (!current) return
      setDiff(text)
      setProblem(null)
    }
    load().catch((error: unknown) => { if (current) setProblem(problemText(error)) })
    return () => { current = false }
  }, [sessionId, version])
  if (problem !== null) return <p className='problem empty'>{problem}</p>
  if (diff === null) return null
  return diff === '' ? <p className='quiet empty'>{t('noChanges')}</p> : <DiffView diff={diff} />
}
