import type { LeftChange } from '../workspace/change-notes.ts'
import type { FilesChange } from './decide-files.ts'
import type { FileAccess } from './file-access.ts'

/** Tells the changes of files that the last process made and could not tell. Before anybody can ask, and before any run. */
export async function tellLeftChanges (access: FileAccess): Promise<void> {
  const { logger, workspaces } = access.context
  for await (const change of workspaces.leftChanges()) {
    await tell(access, change).catch((error: unknown) => {
      logger.error({ err: error, sessionId: change.sessionId }, 'a change of a file could not be told; the next start tries again')
    })
  }
}

async function tell (access: FileAccess, change: LeftChange): Promise<void> {
  const { sessionId, id, record } = change
  await access.context.sessions.with(sessionId, async (live) => {
    const there = live.state !== null && !live.state.ended
    if (there && await change.made() && !await access.isTold(sessionId, id)) {
      await access.commit(live, { ...record as unknown as FilesChange, exchangeId: id }) // written by `FileAccess.telling`
    }
    await change.drop()
  })
}
