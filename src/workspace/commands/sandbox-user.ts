import type { Owner } from '../walk.ts'

/**
 * User and group that commands of a server that is root run as; no account needs to have them. `--uid` of bwrap is a
 * name inside only: without this switch a command is the host's root.
 */
const dedicated: Owner = { uid: 10_001, gid: 10_001 }

/** Null: the server is no root, and commands run as its own user. What `openWorkspaces` is to be given as `owner`. */
export function sandboxOwner (): Owner | null {
  return process.getuid?.() === 0 ? dedicated : null
}
