import { replayPageBytes, replayPageEvents } from '../limits.ts'
import type { Change } from '../workspace/change-notes.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { requireScope, visible } from './access.ts'
import type { AgentContext } from './agent-context.ts'
import type { Caller } from './caller.ts'
import { decideFilesChanged, type FilesChange } from './decide-files.ts'
import { refusing } from './file-refusal.ts'
import type { LiveSession } from './live-session.ts'
import { requireLogRoom } from './log-room.ts'
import { SessionLocks } from './session-locks.ts'

/** How requests get at workspaces: who may, one change after the other, and in the log what was changed. */
export class FileAccess {
  readonly context: AgentContext
  readonly #locks = new SessionLocks()

  constructor (context: AgentContext) { this.context = context }

  async commit (live: LiveSession, change: FilesChange): Promise<void> {
    await this.context.sessions.commit(live, (state) => decideFilesChanged(state, change))
  }

  /**
   * Makes a change and tells it. A note on the disk stands for what is not told yet: a crash in between leaves it to
   * `tellLeftChanges`, and so does a log that takes nothing.
   */
  async telling (live: LiveSession, { path, after }: Pick<Change, 'path' | 'after'>, change: FilesChange, make: (noteId: string) => Promise<void>): Promise<void> {
    const { checkpoint, workspaces } = this.context
    const note = await workspaces.noteChange(live.id, { path, after, record: { ...change } })
    checkpoint('change_noted')
    try {
      await make(note.id)
    } catch (error) {
      note.drop()
      throw error
    }
    checkpoint('change_made')
    await this.commit(live, { ...change, exchangeId: note.id })
    checkpoint('change_told')
    note.drop()
  }

  /** Whether the log has the change of this `exchangeId`. */
  async isTold (sessionId: string, exchangeId: string): Promise<boolean> {
    const { log } = this.context.sessions
    for (let after = 0; ;) {
      const page = await log.readEvents(sessionId, { after, limit: replayPageEvents, maxBytes: replayPageBytes, types: ['files_changed'] })
      if (page.some((stored) => stored.private !== null && stored.private.includes(exchangeId))) return true
      const last = page.at(-1)
      if (last === undefined) return false
      after = last.seq
    }
  }

  /** To read for as long as an answer takes: the caller closes it. */
  async openFor (sessionId: string, caller: Caller): Promise<Workspace> {
    requireScope(caller, 'read')
    visible(await this.context.sessions.read(sessionId), caller)
    return await refusing(() => this.context.workspaces.open(sessionId))
  }

  async reading<T> (sessionId: string, caller: Caller, use: (workspace: Workspace) => Promise<T>): Promise<T> {
    requireScope(caller, 'read')
    visible(await this.context.sessions.read(sessionId), caller)
    return await refusing(() => this.inWorkspace(sessionId, use))
  }

  /** Runs `use` for a caller who may change the session, in which there is room for what it will tell. */
  async changing<T> (sessionId: string, caller: Caller, use: (live: LiveSession) => Promise<T>): Promise<T> {
    requireScope(caller, 'run')
    const { sessions } = this.context
    return await sessions.with(sessionId, async (live) => {
      visible(live.state, caller)
      await requireLogRoom(this.context, sessionId)
      return await refusing(() => use(live))
    })
  }

  /** Workspace changes of one session wait for each other. */
  async locked<T> (sessionId: string, work: () => Promise<T>): Promise<T> { return await this.#locks.run(sessionId, work) }

  async inWorkspace<T> (sessionId: string, use: (workspace: Workspace) => Promise<T>): Promise<T> {
    const workspace = await this.context.workspaces.open(sessionId)
    try {
      return await use(workspace)
    } finally {
      await workspace.close()
    }
  }
}

/** Closes what an answer would have held, when there will be none. */
export async function closingOnFailure<T> (workspace: Workspace, use: () => Promise<T>): Promise<T> {
  try {
    return await refusing(use)
  } catch (error) {
    await workspace.close()
    throw error
  }
}
