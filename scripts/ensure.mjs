/**
 * Makes sure that what `npm start` and `npm test` need is there: a fitting Node, the packages of the lock file, a
 * build that is not older than the sources. Plain JavaScript without dependencies: it runs before any of them exist.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

const builds = {
  start: { project: 'tsconfig.build.json', outDir: 'dist', sources: ['src'], bundle: 'scripts/bundle.mjs' },
  test: { project: 'tsconfig.json', outDir: 'build', sources: ['src', 'test', 'bench', 'scripts'] }
}

/**
 * @param {'start' | 'test'} purpose `start` does without the development tools and the tests
 */
export function ensure (purpose) {
  const problem = nodeProblem(process.versions.node, readJson('package.json').engines.node)
  if (problem !== null) fail(problem)
  ensurePackages(purpose)
  ensureBuild(builds[purpose])
  ensureWeb()
}

/** Null: `version` is at least what `range` (`>=x.y.z`) asks for. */
export function nodeProblem (version, range) {
  const [have, want] = [version, range.replace('>=', '')].map((text) => text.split('.').map(Number))
  const differing = want.findIndex((part, index) => part !== have[index])
  if (differing === -1 || have[differing] > want[differing]) return null
  return `This needs Node ${range.replace('>=', '')} or newer, and this is Node ${version}.`
}

/**
 * What a lock file asks for and an installation lacks. Optional packages may be absent: they are for other platforms.
 * @param {object} lock package-lock.json
 * @param {object | null} installed node_modules/.package-lock.json
 */
export function missingPackages (lock, installed, { dev }) {
  return Object.entries(lock.packages)
    .filter(([place, wanted]) => place !== '' && !wanted.optional && !wanted.devOptional && (dev || !wanted.dev))
    .filter(([place, wanted]) => installed?.packages[place]?.version !== wanted.version)
    .map(([place]) => place)
}

function ensurePackages (purpose) {
  const dev = purpose === 'test'
  const known = path.join(root, 'node_modules', '.package-lock.json')
  const installed = existsSync(known) ? readJson('node_modules/.package-lock.json') : null
  const missing = missingPackages(readJson('package-lock.json'), installed, { dev })
  if (missing.length === 0) return
  // Of several checkouts that share one installation none may change it for the others; npm would also replace the link.
  if (lstatSync(path.join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    say(`node_modules is a link, so nothing is installed; it lacks or has another version of: ${missing.join(', ')}`)
    return
  }
  say(installed === null ? 'Installing packages …' : `Installing ${missing.length} packages that are missing or outdated …`)
  // `ci` throws away what is there; adding to it spares compiling the native module again.
  const command = installed === null ? ['ci'] : ['install', '--no-save']
  run('npm', [...command, ...(dev ? ['--include=dev'] : ['--omit=dev']), '--no-audit', '--no-fund'])
}

function ensureBuild ({ project, outDir, sources, bundle }) {
  const stamped = stampOf(sources, ['tsconfig.json', project, 'package-lock.json', ...(bundle === undefined ? [] : [bundle])])
  const built = readStamp(outDir)
  if (built?.digest === stamped.digest) return
  say(`Building ${outDir}/ …`)
  // The compiler never removes anything: a test that was deleted would go on being run.
  if (built === null || built.files.some((file) => !stamped.files.includes(file))) rmSync(path.join(root, outDir), { recursive: true, force: true })
  run(process.execPath, [path.join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', project])
  if (bundle !== undefined) run(process.execPath, [path.join(root, bundle)])
  writeStamp(outDir, stamped)
}

/** The console. It is built after the server, whose build may have emptied `dist/`. */
function ensureWeb () {
  if (!existsSync(path.join(root, 'web', 'vite.config.ts'))) return
  const stamped = stampOf(['web'], ['package-lock.json'])
  if (readStamp('dist/web')?.digest === stamped.digest) return
  say('Building dist/web/ …')
  run(process.execPath, [path.join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', 'web', '--logLevel', 'warn'])
  writeStamp('dist/web', stamped)
}

function stampOf (folders, others) {
  const files = folders.flatMap((folder) => listSources(path.join(root, folder))).map((file) => path.relative(root, file)).sort()
  return { digest: digestOf([...files, ...others]), files }
}

function readStamp (outDir) {
  const file = path.join(root, outDir, '.built')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

function writeStamp (outDir, stamp) {
  writeFileSync(path.join(root, outDir, '.built'), JSON.stringify(stamp))
}

function listSources (folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) return listSources(file)
    return /\.(ts|tsx|css|html|svg)$/.test(file) ? [file] : []
  })
}

/** By size and time, not by content: it is looked at on every start. */
function digestOf (files) {
  const hash = createHash('sha256')
  for (const file of files) {
    const { size, mtimeMs } = statSync(path.join(root, file))
    hash.update(`${file}\0${size}\0${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

export function readJson (file) {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'))
}

/** Runs it to its end in the project; its output goes to stderr, for stdout belongs to the server. A failure ends this process too. */
function run (command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (error !== undefined) fail(`${command} could not be run: ${error.message}`)
  if (status !== 0) fail(`${path.basename(command)} ${args.join(' ')} failed.`)
}

function say (text) {
  process.stderr.write(`${text}\n`)
}

function fail (text) {
  say(text)
  process.exit(1)
}
