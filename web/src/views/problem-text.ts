import { Refused } from '../api/refused.ts'
import { t } from '../i18n/text.ts'

/** What went wrong, in words, with what to do about it. */
export function problemText (error: unknown): string {
  if (error instanceof Refused && error.status > 0) return t('refusedText', { detail: error.message }) + (error.suggestion === null ? '' : ` ${error.suggestion}`)
  return t('failedText', { detail: error instanceof Error ? error.message : String(error) })
}
