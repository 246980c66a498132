import { test } from 'tap'
import { torture } from './torture.ts'

const kills = 8

test('a server that is killed again and again loses nothing, does nothing twice, and does nothing that nobody allowed', async (t) => {
  const seed = 7 // the long form draws its own
  t.comment(`again with: npm run torture -- --kills=${kills} --seed=${seed}`)
  const { faults, counts } = await torture({ kills, seed, messagesFirst: 4, points: ['executed', 'after_rename', 'decided', 'after_commit'] })
  t.same(faults, [])
  t.equal(counts['kills'], kills)
  for (const looked of ['messages', 'events seen by clients', 'files compared', 'runs completed', 'runs resumed']) t.ok((counts[looked] ?? 0) > 0, looked)
})
