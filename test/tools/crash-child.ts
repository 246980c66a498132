import { openWorkspaces } from '../../src/workspace/open-workspaces.ts'
import { sessionId } from '../workspace/open-session.ts'
import { fileTools } from '../../src/tools/table.ts'
import type { ToolContext } from '../../src/tools/tool.ts'
import type { JsonObject } from '../../src/protocol/common.ts'

/** Makes one tool call in a process of its own and, at the named point of the change, is killed without warning. */
const [dataDir = '', point, name, args = '{}'] = process.argv.slice(2)

const workspaces = await openWorkspaces(dataDir, {
  checkpoint: (reached) => { if (reached === point) process.kill(process.pid, 'SIGKILL') }
})
const workspace = await workspaces.open(sessionId)
const tool = fileTools.find((candidate) => candidate.name === name)
if (tool === undefined) throw new Error('no such tool')
const context: ToolContext = { workspace, callId: 'call_crash', signal: new AbortController().signal, seen: () => undefined }
const plan = await tool.prepare(JSON.parse(args) as JsonObject, { ...context, planned: () => undefined }) // the test's own arguments
await tool.execute(plan, { ...context, onOutput: () => {} })
