import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import type { ExecuteContext, PrepareContext } from '../../src/tools/tool.ts'
import { fileTools } from '../../src/tools/table.ts'
import { openSession } from '../workspace/open-session.ts'

test('a call says so when what it did does not last', async (t) => {
  let directory = ''
  const session = await openSession(t, {
    checkpoint: (point) => { if (point === 'after_rename') for (const name of ['f', 'to']) writeFileSync(join(directory, name), 'theirs') }
  })
  directory = session.directory
  const context: PrepareContext & ExecuteContext = {
    workspace: session.workspace,
    callId: 'call_1',
    signal: new AbortController().signal,
    seen: () => undefined,
    planned: () => undefined,
    onOutput: () => {}
  }
  const calls = [
    ['write_file', { path: 'f', content: 'mine\n' }], ['edit_file', { path: 'f', edits: [{ oldText: 'theirs', newText: 'mine' }] }],
    ['delete_file', { path: 'f' }], ['move_file', { from: 'f', to: 'moved' }]
  ] as const
  for (const [name, args] of calls) {
    const tool = fileTools.find((candidate) => candidate.name === name)
    const plan = await tool?.prepare(args, context)
    if (tool === undefined || plan === undefined) throw new Error('no such tool')
    await t.rejects(tool.execute(plan, context), { code: 'verification_failed' }, name)
  }
})
