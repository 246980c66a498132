import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import type { JsonObject } from '../../src/protocol/common.ts'
import { sessionId } from '../workspace/open-session.ts'
import { snapshot } from '../workspace/snapshot.ts'
import { place, type CaseFile } from './file-cases.ts'
import { toolSession } from './tool-session.ts'

const childFile = fileURLToPath(new URL('./crash-child.js', import.meta.url))

const files: readonly CaseFile[] = [
  { path: 'file', utf8: 'old\n', mode: '0640' }, { path: 'd/a', utf8: 'a' }, { path: 'd/b/c', utf8: 'c' }, { path: 'link', symlink: 'file' }
]

interface Crash { readonly tool: string, readonly args: JsonObject, readonly points: Readonly<Record<string, 'done' | 'not_started'>> }

const crashes: readonly Crash[] = [
  { tool: 'write_file', args: { path: 'file', content: 'new\n' }, points: { staged: 'not_started', before_rename: 'not_started', after_rename: 'done' } },
  { tool: 'write_file', args: { path: 'n/new', content: 'new\n' }, points: { staged: 'not_started', before_rename: 'not_started', after_rename: 'done' } },
  { tool: 'edit_file', args: { path: 'file', edits: [{ oldText: 'old', newText: 'new' }] }, points: { before_rename: 'not_started', after_rename: 'done' } },
  { tool: 'move_file', args: { from: 'file', to: 'n/moved' }, points: { before_rename: 'not_started', half_moved: 'done', after_rename: 'done' } },
  { tool: 'move_file', args: { from: 'link', to: 'moved' }, points: { half_moved: 'done' } },
  { tool: 'move_file', args: { from: 'd', to: 'n/moved' }, points: { before_rename: 'not_started', half_moved: 'done', after_rename: 'done' } },
  { tool: 'delete_file', args: { path: 'd', recursive: true }, points: { before_rename: 'not_started', after_rename: 'done' } },
  { tool: 'delete_file', args: { path: 'file' }, points: { after_rename: 'done' } }
]

for (const { tool, args, points } of crashes) {
  for (const [point, status] of Object.entries(points)) {
    test(`${tool} ${JSON.stringify(args)} killed at ${point} is found ${status}, and ends as if nothing had happened`, async (t) => {
      const session = await toolSession(t)
      place(session.directory, files, session.outside)
      const plan = await session.prepare(tool, args)
      // Without an environment, in which the test runner puts loaders that cost more than the test.
      const child = spawn('env', ['-i', process.execPath, childFile, session.dataDir, point, tool, JSON.stringify(args)])
      const [, signal] = await once(child, 'exit')
      t.equal(signal, 'SIGKILL', 'it was killed there')

      const found = await session.tool(tool).recognise(plan.arguments, plan.effects, session.context())
      t.equal(found.status, status)
      await session.workspaces.emptyStaging(sessionId)
      t.notOk(existsSync(join(session.dataDir, 'staging', sessionId)), 'staging is empty')
      if (status === 'not_started') {
        const again = await session.prepare(tool, args)
        t.equal(again.digest, plan.digest, 'the plan that was approved is still the plan')
        await session.execute(again)
      }
      const after = snapshot(session.directory)

      const undisturbed = join(session.dataDir, 'compare')
      place(undisturbed, files, session.outside)
      t.same(contents(after), contents(expectedAfter(undisturbed, tool, args)))
      t.equal((await session.tool(tool).recognise(plan.arguments, plan.effects, session.context())).status, 'done')
      t.same(readdirSync(session.outside), [])
    })
  }
}

for (const { tool, args } of crashes) {
  test(`${tool} ${JSON.stringify(args)}: what is neither as before nor as after is unknown, and nothing is done about it`, async (t) => {
    const session = await toolSession(t)
    place(session.directory, files, session.outside)
    const plan = await session.prepare(tool, args)
    for (const { path } of plan.effects) rmSync(join(session.directory, path), { recursive: true, force: true })
    place(session.directory, plan.effects.map(({ path }) => ({ path, utf8: 'strange' })), session.outside)
    const before = snapshot(session.directory)
    t.equal((await session.tool(tool).recognise(plan.arguments, plan.effects, session.context())).status, 'unknown')
    t.same(snapshot(session.directory), before)
  })
}

/** What should be there, worked out by hand. */
function expectedAfter (directory: string, tool: string, args: JsonObject): Record<string, string> {
  const all = snapshot(directory)
  const source = String(args['from'] ?? args['path'])
  const taken = Object.entries(all).filter(([path]) => path === source || path === `${source}/` || path.startsWith(`${source}/`))
  if (tool === 'move_file' || tool === 'delete_file') for (const [path] of taken) Reflect.deleteProperty(all, path)
  const target = String(args['to'] ?? args['path'])
  if (target.startsWith('n/')) all['n/'] = '755'
  if (tool === 'move_file') for (const [path, state] of taken) all[target + path.slice(source.length)] = state
  if (tool === 'write_file' || tool === 'edit_file') all[target] = `${source === 'file' ? '640' : '644'} ${Buffer.from('new\n').toString('base64')}`
  return all
}

function contents (found: Record<string, string>): Array<[string, string]> {
  return Object.entries(found).sort(([a], [b]) => a < b ? -1 : 1)
}
