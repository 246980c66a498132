import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'tap'
import type { PlannedToolCall } from '../support/plan-model.ts'
import { snapshot } from '../workspace/snapshot.ts'
import { edit, move, openSession, remove, setUp, types, write } from './setup.ts'

const before = { 'file.txt': 'old\n', 'dir/a.txt': 'a', 'dir/b/c.txt': 'c' }

interface Effect { readonly name: string, readonly call: PlannedToolCall, readonly after: Readonly<Record<string, string>>, readonly points: readonly string[] }

const kept = { 'dir/a.txt': 'a', 'dir/b/c.txt': 'c' }
const effects: readonly Effect[] = [
  { name: 'a new file is written', call: write('n/new.txt', 'new\n'), after: { ...before, 'n/new.txt': 'new\n' }, points: ['decided', 'started', 'staged', 'before_rename', 'after_rename', 'executed'] },
  { name: 'a file is edited', call: edit('file.txt', 'old', 'old and new'), after: { ...kept, 'file.txt': 'old and new\n' }, points: ['before_rename', 'after_rename'] },
  { name: 'a file is moved', call: move('file.txt', 'n/moved.txt'), after: { ...kept, 'n/moved.txt': 'old\n' }, points: ['before_rename', 'half_moved', 'after_rename'] },
  { name: 'a directory is moved', call: move('dir', 'n/dir'), after: { 'file.txt': 'old\n', 'n/dir/a.txt': 'a', 'n/dir/b/c.txt': 'c' }, points: ['before_rename', 'half_moved', 'after_rename'] },
  { name: 'a file is deleted', call: remove('file.txt'), after: kept, points: ['before_rename', 'after_rename'] },
  { name: 'a directory is deleted', call: remove('dir'), after: { 'file.txt': 'old\n' }, points: ['before_rename', 'after_rename'] }
]

const cases = effects.flatMap((effect) => effect.points.map((point) => ({ ...effect, point })))

test('whatever a call does to files, and wherever the server is killed meanwhile: it is done once, and the model is told so', async (t) => {
  const armed = join(t.testdir({}), 'armed')
  const { server, model } = await setUp(t, { env: { CRASH_IF: armed, CRASH_AT: cases[0]?.point ?? '' } })
  for (const [index, { name, call, after, point }] of cases.entries()) {
    await t.test(`${name}, killed at ${point}`, async (t) => {
      const { post, asked, decide, crashed, settled, events, staged, file } = await openSession(t, server, model)
      for (const [path, content] of Object.entries(before)) {
        await mkdir(join(file(path), '..'), { recursive: true })
        await writeFile(file(path), content)
      }
      const run = await post([[call]])
      const [approval] = await asked(run)
      await writeFile(armed, '')
      void decide(approval?.callId ?? '', 'approve').catch(() => null)
      await crashed()
      await rm(armed)
      await server.restart({ CRASH_AT: cases[index + 1]?.point ?? '' })
      t.match(await settled(run), { status: 'completed' })
      const log = await events()
      t.match(log.filter(({ type }) => type === 'tool_call_end'), [{ ok: true, verified: true }])
      t.equal(types(log).filter((type) => type === 'tool_call_start').length, 1)
      t.match(log.filter(({ type }) => type === 'run_start'), [{ resumed: false }, { resumed: true }])
      t.same(filesIn(file('.')), after)
      t.same(await staged(), [], 'staging is empty')
    })
  }
  t.equal(server.stderr(), '', 'no error was logged')
})

function filesIn (directory: string): Record<string, string> {
  return Object.fromEntries(Object.entries(snapshot(directory)).filter(([path]) => !path.endsWith('/'))
    .map(([path, state]) => [path, Buffer.from(state.split(' ')[1] ?? '', 'base64').toString()]))
}
