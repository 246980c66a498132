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
      requireLogRoom(this.context, live)
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
