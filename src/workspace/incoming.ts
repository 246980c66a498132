import { randomBytes } from 'node:crypto'
import { closeSync, rmdirSync } from 'node:fs'
import { errnoOf } from './failures.ts'
import { at } from './handles.ts'

/** Held directories that contain one of each session. */
export interface Roots { readonly workspaces: number, readonly staging: number, readonly incoming: number, readonly baselines: number }

export function newIncomingId (): string {
  return randomBytes(9).toString('hex')
}

/** Lets go of a session's folder for uploads, and removes it when nothing else is in it. */
export function leaveFolder (incoming: number, folder: number, sessionId: string): void {
  closeSync(folder)
  try {
    rmdirSync(at(incoming, sessionId))
  } catch (error) {
    if (errnoOf(error) !== 'ENOTEMPTY' && errnoOf(error) !== 'ENOENT') throw error
  }
}
