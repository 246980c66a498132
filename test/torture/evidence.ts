import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { StoredEvent } from '../../src/store/event-log.ts'
import { openSqliteLog } from '../../src/store/sqlite/open-sqlite-log.ts'
import type { FileTree } from './file-tree.ts'
import type { Notes } from './notes.ts'
import { readWorkspace } from './read-workspace.ts'

/** All that there is to judge a server by: what clients were told, what it stored, what lies on the disk, what the model got. */
export interface Evidence {
  readonly notes: Notes
  /** By session; also of those that are deleted, where something is left. */
  readonly logs: ReadonlyMap<string, readonly StoredEvent[]>
  /** By directory name. */
  readonly workspaces: ReadonlyMap<string, FileTree>
  /** Files in staging. */
  readonly staged: readonly string[]
  /** Errors in the server's own log. */
  readonly stderr: string
  readonly modelFaults: readonly string[]
}

const pageEvents = 200
const pageBytes = 8 * 1024 ** 2

/** Reads the store and the disk of a server that has stopped. */
export async function gather (dataDir: string, notes: Notes, told: { stderr: string, modelFaults: readonly string[] }): Promise<Evidence> {
  const workspaces = new Map<string, FileTree>()
  for (const name of await readdir(path.join(dataDir, 'workspaces'))) workspaces.set(name, await readWorkspace(path.join(dataDir, 'workspaces', name)))
  const staging = await readWorkspace(path.join(dataDir, 'staging'))
  return { notes, logs: await readLogs(path.join(dataDir, 'ecluse.db')), workspaces, staged: [...staging.files.keys()], ...told }
}

async function readLogs (database: string): Promise<Map<string, StoredEvent[]>> {
  const log = await openSqliteLog({ path: database })
  try {
    const logs = new Map<string, StoredEvent[]>()
    for (let cursor: string | null = null; ;) {
      const page = await log.listSessions({ cursor, limit: pageEvents, team: null, status: null, metadata: {} })
      for (const { sessionId } of page.items) {
        const events: StoredEvent[] = []
        for (;;) {
          const more = await log.readEvents(sessionId, { after: events.length, limit: pageEvents, maxBytes: pageBytes })
          if (more.length === 0) break
          events.push(...more)
        }
        logs.set(sessionId, events)
      }
      cursor = page.nextCursor
      if (cursor === null) return logs
    }
  } finally {
    await log.close()
  }
}
