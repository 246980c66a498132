import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { PlannedToolCall } from '../support/plan-model.ts'
import { snapshot } from '../workspace/snapshot.ts'
import { openSession, setUp, types } from './setup.ts'

/** What the workspace holds before each call. */
export const before = { 'file.txt': 'old\n', 'dir/a.txt': 'a', 'dir/b/c.txt': 'c' }

export interface Effect { readonly name: string, readonly call: PlannedToolCall, readonly after: Readonly<Record<string, string>>, readonly points: readonly string[] }

/** Has each call made by a server that is killed at each of its points: one server, which recovers from one case and dies in the next. */
export async function killAtEachPoint (t: Test, effects: readonly Effect[]): Promise<void> {
  const cases = effects.flatMap((effect) => effect.points.map((point) => ({ ...effect, point })))
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
}

function filesIn (directory: string): Record<string, string> {
  return Object.fromEntries(Object.entries(snapshot(directory)).filter(([path]) => !path.endsWith('/'))
    .map(([path, state]) => [path, Buffer.from(state.split(' ')[1] ?? '', 'base64').toString()]))
}
