import { test } from 'tap'
import { openSession } from './open-session.ts'
import { realpathAttempt, runRace, workspaceAttempt } from './race.ts'

test('a process that swaps a directory with a link gets no operation to leave the workspace', async (t) => {
  const { workspace, directory, outside } = await openSession(t)
  const result = await runRace(directory, outside, { durationMs: 2_500 }, workspaceAttempt(workspace))
  t.comment(JSON.stringify(result))
  t.equal(result.escapes, 0)
  t.ok(result.attempts > 200, 'it was tried often')
  t.ok(result.succeeded > 10, 'and it did work in between')
})

test('the same race beats a check by realpath', async (t) => {
  const { directory, outside } = await openSession(t)
  const result = await runRace(directory, outside, { durationMs: 20_000, escapesMax: 1 }, realpathAttempt(directory))
  t.comment(JSON.stringify(result))
  t.ok(result.escapes > 0)
})
