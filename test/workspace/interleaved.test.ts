import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import type { PathState } from '../../src/protocol/plan.ts'
import { failureOf } from './failure-of.ts'
import { openSession, sessionId, type OpenSession } from './open-session.ts'

const absent: PathState = { type: 'absent' }

/** A session in which somebody else acts at a point within a change. */
async function interleaved (t: Test, point: string, act: (directory: string) => void): Promise<OpenSession> {
  let directory = ''
  const session = await openSession(t, { checkpoint: (reached) => { if (reached === point) act(directory) } })
  directory = session.directory
  return session
}

function stagedIn ({ dataDir }: OpenSession): string[] {
  return readdirSync(join(dataDir, 'staging', sessionId))
}

test('a file that appears while another of its name is made is not overwritten', async (t) => {
  const session = await interleaved(t, 'before_rename', (directory) => { writeFileSync(join(directory, 'f'), 'theirs') })
  const { workspace, directory } = session
  t.equal(await failureOf(() => workspace.write(workspace.parse('f'), Buffer.from('mine'), { before: absent, stageName: 'call_1' })), 'changed')
  t.equal(readFileSync(join(directory, 'f'), 'utf8'), 'theirs')
  t.same(stagedIn(session), [])
})

test('a file that changes just before it is replaced or removed is kept', async (t) => {
  const session = await interleaved(t, 'before_rename', (directory) => { writeFileSync(join(directory, 'f'), 'theirs') })
  const { workspace, directory } = session
  const path = workspace.parse('f')
  for (const change of ['write', 'remove'] as const) {
    writeFileSync(join(directory, 'f'), 'before')
    const options = { before: await workspace.state(path), stageName: 'call_1' }
    t.equal(await failureOf(() => change === 'write' ? workspace.write(path, Buffer.from('mine'), options) : workspace.remove(path, options)), 'changed')
    t.equal(readFileSync(join(directory, 'f'), 'utf8'), 'theirs')
    t.same(stagedIn(session), [])
  }
})

test('what appears at the target of a move is not overwritten', async (t) => {
  const { workspace, directory } = await interleaved(t, 'before_rename', (at) => { writeFileSync(join(at, 'to'), 'theirs') })
  writeFileSync(join(directory, 'f'), 'mine')
  mkdirSync(join(directory, 'd'))
  for (const name of ['f', 'd']) {
    const from = workspace.parse(name)
    const before = await workspace.state(from)
    t.equal(await failureOf(() => workspace.move(from, workspace.parse('to'), { before })), 'already_exists', name)
    t.equal(readFileSync(join(directory, 'to'), 'utf8'), 'theirs')
  }
  t.same(readdirSync(directory).sort(), ['d', 'f', 'to'])
})

test('a directory that is swapped in mid-move stays, and no placeholder is left', async (t) => {
  const { workspace, directory } = await interleaved(t, 'half_moved', (at) => {
    renameSync(join(at, 'd'), join(at, 'aside'))
    mkdirSync(join(at, 'd'))
  })
  mkdirSync(join(directory, 'd'))
  writeFileSync(join(directory, 'd/f'), 'mine')
  const from = workspace.parse('d')
  const before = await workspace.state(from)
  t.equal(await failureOf(() => workspace.move(from, workspace.parse('to'), { before })), 'changed')
  t.same(readdirSync(directory).sort(), ['aside', 'd'])
  t.equal(readFileSync(join(directory, 'aside/f'), 'utf8'), 'mine')
})
