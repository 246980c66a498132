import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { caller, startAgent } from '../support/agent.ts'
import { workspaceDirectory } from '../../src/workspace/open-workspaces.ts'
import { gitView, plant, type Tree } from './git-apply.ts'

const tree = (text: string): Tree => ({ [`${text}/file`]: { bytes: Buffer.from(text), executable: false }, both: { bytes: Buffer.from(text), executable: true } })
const signal = new AbortController().signal

const points = {
  archive_unpacked: 'old', // nothing says yet that it shall be
  archive_marked: 'new',
  archive_half_swapped: 'new',
  archive_swapped: 'new',
  archive_logged: 'new'
} as const

for (const [point, outcome] of Object.entries(points)) {
  test(`killed at ${point}, a restart leaves the ${outcome} workspace, told once in the log`, async (t) => {
    const scratch = t.testdir({ data: {}, new: {} })
    const dataDir = path.join(scratch, 'data')
    plant(path.join(scratch, 'new'), tree('new'))
    const archive = path.join(scratch, 'new.tar.gz')
    execFileSync('tar', ['-czf', archive, '-C', path.join(scratch, 'new'), '.'])

    const first = await startAgent(t, null, { dataDir })
    const { session } = await first.agent.createSession({}, caller, null)
    await first.agent.files.write(session.id, 'old/file', bytes('old'), { match: null, noneMatch: null }, caller)
    await first.agent.files.write(session.id, 'both', bytes('old'), { match: null, noneMatch: null }, caller)
    const directory = workspaceDirectory(dataDir, session.id)
    const before = gitView(directory)
    await first.close()

    const child = spawn(process.execPath, ['--enable-source-maps', fileURLToPath(new URL('./crash-child.js', import.meta.url)), dataDir, session.id, archive, point], { stdio: ['ignore', 'ignore', 'inherit'] })
    const [, killed] = await once(child, 'exit')
    t.equal(killed, 'SIGKILL', 'it was killed there')
    // What a power cut may leave beside it: an upload of another session that had not come far.
    mkdirSync(path.join(dataDir, 'incoming/ses_other'))
    writeFileSync(path.join(dataDir, 'incoming/ses_other/file-1'), 'half')

    const second = await startAgent(t, null, { dataDir })
    t.strictSame(gitView(directory), outcome === 'old' ? before : gitView(path.join(scratch, 'new')))
    const told = (await second.events(session.id)).filter((event) => event.type === 'files_changed' && event.how === 'archive')
    t.match(told, outcome === 'old' ? [] : [{ paths: ['both', 'new'], by: { kind: 'key', name: 'test' } }])
    t.equal(told.length, outcome === 'old' ? 0 : 1)
    t.strictSame(readdirSync(path.join(dataDir, 'incoming')), [])
    const diff = await second.agent.files.diff(session.id, caller, signal)
    t.equal((await diff.list()).length, outcome === 'old' ? 2 : 0, 'the baseline came with it')
    await diff.close()
    await second.agent.files.writeArchive(session.id, bytes(readFileSync(archive)), caller, signal)
    t.strictSame(gitView(directory), gitView(path.join(scratch, 'new')), 'and the session can go on')
  })
}

async function * bytes (body: string | Buffer): AsyncGenerator<Uint8Array> { yield Buffer.from(body) }
