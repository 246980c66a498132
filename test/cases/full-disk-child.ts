import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ToolFailure } from '../../src/errors.ts'
import type { JsonObject } from '../../src/protocol/common.ts'
import { fileTools } from '../../src/tools/table.ts'
import type { ToolContext } from '../../src/tools/tool.ts'
import { openWorkspaces } from '../../src/workspace/open-workspaces.ts'
import { sessionId } from '../workspace/open-session.ts'
import { snapshot } from '../workspace/snapshot.ts'

/**
 * Makes one tool call in a small file system of its own that another file has filled: `DIRECTORY CASE`. Prints what
 * came of it and what is in the workspace before and after.
 */
const [dataDir = '', text = '{}'] = process.argv.slice(2)
const { files, call } = JSON.parse(text) as { files: Array<{ path: string, utf8: string }>, call: { tool: string, args: JsonObject } } // the case's input
const workspaces = await openWorkspaces(dataDir)
await workspaces.create(sessionId)
const directory = join(dataDir, 'workspaces', sessionId)
for (const { path, utf8 } of files) writeFileSync(join(directory, path), utf8)
const workspace = await workspaces.open(sessionId)
const tool = fileTools.find(({ name }) => name === call.tool)
if (tool === undefined) throw new Error('no such tool')
const context: ToolContext = { workspace, callId: 'call_full', signal: new AbortController().signal, seen: () => undefined }
const plan = await tool.prepare(call.args, { ...context, planned: () => undefined })

const filler = join(dataDir, 'filler')
const fd = openSync(filler, 'w')
try { for (;;) writeSync(fd, Buffer.alloc(512)) } catch { closeSync(fd) }
const before = snapshot(directory)
const outcome = await tool.execute(plan, { ...context, onOutput: () => {} }).then(() => ({ ok: true, code: '', message: '' }), (error: unknown) => {
  if (!(error instanceof ToolFailure)) throw error
  return { ok: false, code: error.code, message: error.message }
})
process.stdout.write(JSON.stringify({ outcome, before, after: snapshot(directory) }))
await workspace.close()
rmSync(filler)
