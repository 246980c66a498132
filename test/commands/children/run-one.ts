/** A server's process that runs one command and prints its output: `node run-one.js DATA_DIR COMMAND`. */
import { openCommandRunner } from '../../../src/workspace/commands/open-command-runner.ts'
import { sandboxOwner } from '../../../src/workspace/commands/sandbox-user.ts'
import { openWorkspaces } from '../../../src/workspace/open-workspaces.ts'
import { parsePath } from '../../../src/workspace/paths.ts'

const [dataDir = '', command = ''] = process.argv.slice(2)
const owner = sandboxOwner()
const workspaces = await openWorkspaces(dataDir, owner === null ? {} : { owner })
await workspaces.create('ses_child')
const runner = await openCommandRunner({ dataDir })
const result = await runner.run(
  { sessionId: 'ses_child', program: { type: 'shell', command }, cwd: parsePath('.'), timeoutMs: 60_000 },
  { signal: new AbortController().signal, onChunk: (_stream, bytes) => { process.stdout.write(bytes) } }
)
process.stdout.write(`[${result.outcome}]\n`)
await runner.close()
await workspaces.close()
