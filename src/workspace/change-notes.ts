import { closeSync, fsync as fsyncCallback, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { ToolFailure } from '../errors.ts'
import type { JsonObject } from '../protocol/common.ts'
import { reworded } from './failures.ts'
import { at, enterDirectory, look, self, syncDirectory, withHandle } from './handles.ts'
import { leaveFolder, newIncomingId, type Roots } from './incoming.ts'
import { createFile, unlinkIfThere, writeAll } from './receive-file.ts'
import { openStaging, removeTree } from './staging.ts'
import type { Workspace } from './workspace.ts'

const fsync = promisify(fsyncCallback)

/** What a path is once a change was made; it is something else when the note is written. */
export type ChangedTo = { readonly type: 'file', readonly sha256: string } | { readonly type: 'directory' } | { readonly type: 'absent' }

/** A change to one path that is told somewhere else right after it. */
export interface Change { readonly path: string, readonly after: ChangedTo, readonly record: JsonObject }

/** Kept beside a workspace from before a change until it was told, so that a crash in between is found. */
export interface ChangeNote {
  /** Also the name under which what is deleted may be staged. */
  readonly id: string
  /** It was told, or it was not made. */
  drop (): void
}

/** A note that the last process left. `drop` it. */
export interface LeftChange extends Change {
  readonly sessionId: string
  readonly id: string
  made (): Promise<boolean>
  drop (): Promise<void>
}

interface StoredNote extends Change { readonly id: string }

const prefix = 'change-'
const nameOf = (id: string) => `${prefix}${id}`

/** On the disk when this resolves, in the folder where uploads wait. */
export async function noteChange (roots: Roots, sessionId: string, change: Change): Promise<ChangeNote> {
  return await reworded(change.path, async () => {
    const id = newIncomingId()
    const drop = (): void => {
      const folder = openStaging(roots.incoming, sessionId)
      unlinkIfThere(folder, nameOf(id))
      leaveFolder(roots.incoming, folder, sessionId)
    }
    try {
      await withHandle(openStaging(roots.incoming, sessionId), async (folder) => {
        const note: StoredNote = { id, ...change }
        await withHandle(createFile(folder, nameOf(id)), async (file) => {
          await writeAll(file, Buffer.from(JSON.stringify(note)))
          await Promise.all([fsync(file), syncDirectory(folder)]) // for the disk they are one
        })
      })
    } catch (error) {
      drop()
      throw error
    }
    return { id, drop }
  })
}

/** Whether a session's folder for uploads holds notes. */
export async function hasNotes (folder: number): Promise<boolean> {
  return (await readdir(self(folder))).some((name) => name.startsWith(prefix))
}

/** What the last process left. Called once, before anything else changes files. */
export async function * leftChanges (roots: Roots, open: (sessionId: string) => Promise<Workspace>): AsyncGenerator<LeftChange, void, undefined> {
  for (const sessionId of await readdir(self(roots.incoming))) {
    const folder = enterDirectory(roots.incoming, sessionId)
    try {
      for (const name of await readdir(self(folder))) {
        if (!name.startsWith(prefix)) continue
        const note = readNote(folder, name)
        if (note === null) continue // the change had not begun
        yield {
          ...note,
          sessionId,
          made: () => isMade(() => open(sessionId), note),
          drop: async () => {
            if (look(roots.staging, sessionId) !== null) await withHandle(enterDirectory(roots.staging, sessionId), (staging) => removeTree(staging, note.id))
            unlinkIfThere(folder, name)
          }
        }
      }
    } finally {
      closeSync(folder)
    }
  }
}

/** Null: a power cut came before the note was whole. */
function readNote (folder: number, name: string): StoredNote | null {
  try {
    return JSON.parse(readFileSync(at(folder, name), 'utf8')) as StoredNote // written by `noteChange`
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    unlinkIfThere(folder, name)
    return null
  }
}

/** As with every effect: what shall be there is there, then it was done. */
async function isMade (open: () => Promise<Workspace>, { path, after }: Change): Promise<boolean> {
  try {
    const workspace = await open()
    try {
      const target = workspace.parse(path)
      if (after.type !== 'file') return ((await workspace.stat(target))?.type ?? 'absent') === after.type
      const state = await workspace.state(target)
      return state.type === 'file' && state.sha256 === after.sha256
    } finally {
      await workspace.close()
    }
  } catch (error) {
    if (error instanceof ToolFailure) return false // something else is in its way
    throw error
  }
}
