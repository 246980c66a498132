import { StoreError } from '../event-log.ts'
import type { Failure } from './writer-messages.ts'

// EFBIG and EDQUOT reach us as a failed write, ENOSPC as SQLITE_FULL: for the operator it is all the same.
const full = /^(SQLITE_FULL|SQLITE_IOERR_WRITE|ENOSPC|EDQUOT|EFBIG)$/

export function failureOf (error: unknown): Failure {
  const code = codeOf(error)
  const cause = error instanceof Error ? error.message : null
  return full.test(code)
    ? { status: 'failed', code: 'storage_full', message: `The database cannot grow (${code}).`, cause }
    : { status: 'failed', code: 'storage_unavailable', message: `The database cannot be used (${code}).`, cause }
}

export function isBusy (error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))
}

export function toStoreError (error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const { code, message } = failureOf(error)
  return new StoreError(code, message, error)
}

function codeOf (error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
