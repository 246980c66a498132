import { test } from 'tap'
import { commandSession } from './command-session.ts'
import { killServer } from './kill-server.ts'

const kills = Number(process.env['KILLS'] ?? 60)
const killWithinMs = Number(process.env['KILL_WITHIN_MS'] ?? 40)
const sandboxes = 4

test(`a server that is killed while it makes sandboxes leaves nothing of them: ${kills} kills, ${sandboxes} sandboxes each`, async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const left: string[] = []
  for (let round = 0; round < kills; round++) left.push(...await killServer(session.dataDir, sandboxes, Math.random() * killWithinMs))
  t.same(left, [])
})
