/** A server's process that says when it starts its commands, which run side by side: `node start-many.js DATA_DIR COMMAND COUNT`. */
import { writeSync } from 'node:fs'
import { openCommandRunner } from '../../../src/workspace/commands/open-command-runner.ts'
import { sandboxOwner } from '../../../src/workspace/commands/sandbox-user.ts'
import { openWorkspaces } from '../../../src/workspace/open-workspaces.ts'
import { parsePath } from '../../../src/workspace/paths.ts'

const [dataDir = '', command = '', count = '1'] = process.argv.slice(2)
const owner = sandboxOwner()
const workspaces = await openWorkspaces(dataDir, owner === null ? {} : { owner })
const sessions = Array.from({ length: Number(count) }, (_, index) => `ses_child${process.pid}x${index}`)
for (const sessionId of sessions) await workspaces.create(sessionId)
const runner = await openCommandRunner({ dataDir, atOnce: sessions.length })
const running = sessions.map(async (sessionId) => {
  return await runner.run({ sessionId, program: { type: 'shell', command }, cwd: parsePath('.'), timeoutMs: 60_000 }, { signal: new AbortController().signal })
})
writeSync(1, 'starting\n')
await Promise.all(running)
