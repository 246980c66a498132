/**
 * `npm run race [-- --seconds=30]`: every file tool against a process that swaps a directory with a link that leads out,
 * so many seconds each. Exits with 1 when something got out, or when the same race does not beat a check by realpath:
 * then it has proved nothing.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { fileTools } from '../../src/tools/table.ts'
import { findFilesTool } from '../../src/tools/find-files.ts'
import { searchFilesTool } from '../../src/tools/search-files.ts'
import { writeFile } from '../../src/tools/write-file.ts'
import type { Tool } from '../../src/tools/tool.ts'
import type { CommandRunner } from '../../src/workspace/commands/command-runner.ts'
import { openCommandRunner } from '../../src/workspace/commands/open-command-runner.ts'
import { sandboxOwner } from '../../src/workspace/commands/sandbox-user.ts'
import { openWorkspaces, workspaceDirectory } from '../../src/workspace/open-workspaces.ts'
import { createFileSearch } from '../../src/workspace/search/file-search.ts'
import { plainSearch } from '../../src/workspace/search/plain-search.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { sessionId } from './open-session.ts'
import { realpathAttempt, runRace, type Attempt, type RaceResult } from './race.ts'
import { both, onlyOutside, toolAttempt } from './race-tools.ts'

interface RaceWorld { readonly workspace: Workspace, readonly directory: string, readonly dataDir: string, readonly runner: CommandRunner }

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '30' } } })
const durationMs = Number(values.seconds) * 1_000
if (!(durationMs > 0)) throw new Error('--seconds is a number above 0')

/** One race in a data directory of its own. */
async function race (name: string, attemptIn: (world: RaceWorld) => Attempt): Promise<RaceResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ecluse-race-'))
  chmodSync(dataDir, 0o711) // the sandbox may run as another user
  const owner = sandboxOwner()
  const workspaces = await openWorkspaces(dataDir, owner === null ? {} : { owner })
  const runner = await openCommandRunner({ dataDir })
  try {
    await workspaces.create(sessionId)
    const workspace = await workspaces.open(sessionId)
    const outside = join(dataDir, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, onlyOutside), '')
    const directory = workspaceDirectory(dataDir, sessionId)
    const result = await runRace(directory, outside, { durationMs, both }, attemptIn({ workspace, directory, dataDir, runner }))
    await workspace.close()
    say(name, result.attempts, result.succeeded, result.escapes)
    return result
  } finally {
    await runner.close()
    await workspaces.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function say (name: string, ...columns: ReadonlyArray<string | number>): void {
  process.stdout.write(`${name.padEnd(28)}${columns.map((column) => String(column).padStart(11)).join('')}\n`)
}

say('', 'attempts', 'successes', 'escapes')
const beaten = await race('a check by realpath', ({ directory }) => realpathAttempt(directory))
const racers: Array<readonly [string, (world: RaceWorld) => Tool]> = [
  ...fileTools.map((tool) => [tool.name, () => tool] as const),
  ['find_files', ({ runner, dataDir }) => findFilesTool(createFileSearch(runner, { dataDir }))],
  ['search_files', ({ runner, dataDir }) => searchFilesTool(createFileSearch(runner, { dataDir }))],
  ['find_files, no sandbox', ({ dataDir }) => findFilesTool(plainSearch({ dataDir }))],
  ['search_files, no sandbox', ({ dataDir }) => searchFilesTool(plainSearch({ dataDir }))]
]
const results: RaceResult[] = []
for (const [name, toolOf] of racers) results.push(await race(name, (world) => toolAttempt(toolOf(world), world.workspace, writeFile)))
const escapes = results.reduce((sum, result) => sum + result.escapes, 0)
const idle = results.some(({ succeeded }) => succeeded === 0)
if (beaten.escapes === 0) process.stdout.write('The race did not beat a check by realpath: it proves nothing. Give it more time.\n')
else if (idle) process.stdout.write('A tool never did what it was asked: for it the race proves nothing.\n')
else process.stdout.write(escapes === 0 ? 'Nothing got out.\n' : `${escapes} ESCAPES\n`)
process.exitCode = escapes === 0 && beaten.escapes > 0 && !idle ? 0 : 1
