import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { openWorkspaces, workspaceDirectory, type WorkspacesOptions } from '../../src/workspace/open-workspaces.ts'
import type { Workspace, Workspaces } from '../../src/workspace/workspace.ts'

export const sessionId = 'ses_0193f2a7c0de'

export interface OpenSession {
  readonly dataDir: string
  /** The session's directory on the host. */
  readonly directory: string
  /** A directory beside it that no tool may reach. */
  readonly outside: string
  readonly workspaces: Workspaces
  readonly workspace: Workspace
}

/** A session with an empty workspace on a real disk. */
export async function openSession (t: Test, options: WorkspacesOptions = {}): Promise<OpenSession> {
  const dataDir = t.testdir({})
  const workspaces = await openWorkspaces(dataDir, options)
  await workspaces.create(sessionId)
  const workspace = await workspaces.open(sessionId)
  t.teardown(async () => {
    await workspace.close()
    await workspaces.close()
  })
  const outside = join(dataDir, 'outside')
  mkdirSync(outside)
  return { dataDir, directory: workspaceDirectory(dataDir, sessionId), outside, workspaces, workspace }
}
