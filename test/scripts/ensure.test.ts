import { test, type Test } from 'tap'
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const scripts = fileURLToPath(new URL('../../../scripts', import.meta.url))
const lock = {
  packages: {
    '': {},
    'node_modules/runtime': { version: '1.0.0' },
    'node_modules/tool': { version: '2.0.0', dev: true },
    'node_modules/for-other-platforms': { version: '1.0.0', optional: true }
  }
}
const installed = (...names: string[]) => ({ packages: Object.fromEntries(Object.entries(lock.packages).filter(([place]) => names.some((name) => place.endsWith(name)))) })

/** A project with our scripts, and with an `npm` and a compiler that only write down how they were called. */
function project (t: Test) {
  const root = t.testdir({
    'package.json': JSON.stringify({ type: 'module', engines: { node: '>=20.18.1' } }),
    'package-lock.json': JSON.stringify(lock),
    'tsconfig.json': '{}',
    'tsconfig.build.json': '{}',
    src: { 'main.ts': 'x' },
    test: { 'a.test.ts': 'x', 'b.test.ts': 'x' },
    bin: { npm: '#!/bin/sh\necho "npm $*" >> calls\n' }
  })
  cpSync(scripts, path.join(root, 'scripts'), { recursive: true })
  chmodSync(path.join(root, 'bin', 'npm'), 0o755)
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  write('node_modules/typescript/package.json', '{"type":"commonjs"}')
  write('node_modules/typescript/bin/tsc', `
    const fs = require('node:fs')
    const dir = process.argv[3] === 'tsconfig.build.json' ? 'dist' : 'build'
    fs.appendFileSync('calls', 'tsc ' + process.argv.slice(2).join(' ') + '\\n')
    fs.mkdirSync(dir, { recursive: true })
    process.exit(fs.existsSync('broken') ? 2 : 0)`)
  write('scripts/bundle.mjs', 'import fs from "node:fs"; fs.appendFileSync("calls", "bundle\\n")')
  return {
    root,
    write,
    remove: (file: string) => { rmSync(path.join(root, file)) },
    install: (...names: string[]) => { write('node_modules/.package-lock.json', JSON.stringify(installed(...names))) },
    /** Runs `ensure(purpose)`, and says what it called. */
    ensure: (purpose: string) => {
      rmSync(path.join(root, 'calls'), { force: true })
      const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', `(await import('./scripts/ensure.mjs')).ensure('${purpose}')`], {
        cwd: root, encoding: 'utf8', env: { PATH: `${path.join(root, 'bin')}:${process.env['PATH']}` }
      })
      const calls = existsSync(path.join(root, 'calls')) ? readFileSync(path.join(root, 'calls'), 'utf8').trim().split('\n') : []
      return { status, stdout, stderr, calls }
    }
  }
}

test('on a clean clone, start installs what runs and builds; the next start does neither', async (t) => {
  const { ensure, install } = project(t)
  const first = ensure('start')
  t.strictSame(first.calls, ['npm ci --omit=dev --no-audit --no-fund', 'tsc -p tsconfig.build.json', 'bundle'])
  t.equal(first.stdout, '', 'stdout belongs to the server')
  install('runtime')
  t.strictSame(ensure('start').calls, [])
})

test('on a clean clone, test installs everything', async (t) => {
  const { ensure } = project(t)
  t.strictSame(ensure('test').calls, ['npm ci --include=dev --no-audit --no-fund', 'tsc -p tsconfig.json'])
})

test('what is missing or of another version is added to what is there', async (t) => {
  const { ensure, install, write } = project(t)
  install('runtime')
  t.match(ensure('test').calls, ['npm install --no-save --include=dev --no-audit --no-fund'])
  install('runtime', 'tool')
  t.strictSame(ensure('test').calls, [], 'optional packages may be missing')
  write('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/runtime': { version: '0.9.0' } } }))
  t.match(ensure('start').calls, ['npm install --no-save --omit=dev --no-audit --no-fund'])
})

test('a changed, added or deleted source is built again, and what the deleted one left is removed', async (t) => {
  const { root, ensure, install, write, remove } = project(t)
  install('runtime', 'tool')
  t.strictSame(ensure('test').calls, ['tsc -p tsconfig.json'])
  t.strictSame(ensure('test').calls, [])
  write('src/main.ts', 'longer')
  t.strictSame(ensure('test').calls, ['tsc -p tsconfig.json'])
  write('test/c.test.ts', 'x')
  t.strictSame(ensure('test').calls, ['tsc -p tsconfig.json'])
  write('build/test/b.test.js', 'left over')
  remove('test/b.test.ts')
  t.strictSame(ensure('test').calls, ['tsc -p tsconfig.json'])
  t.notOk(existsSync(path.join(root, 'build/test/b.test.js')))
})

test('a build that fails ends the script with an error, and is tried again the next time', async (t) => {
  const { ensure, install, write, remove } = project(t)
  install('runtime')
  write('broken', '')
  t.match(ensure('start'), { status: 1, stderr: /tsc.* failed/ })
  remove('broken')
  t.match(ensure('start'), { status: 0, calls: ['tsc -p tsconfig.build.json', 'bundle'] })
})

test('an installation that is only linked belongs to somebody else: it is left alone, and said', async (t) => {
  const { root, ensure } = project(t)
  renameSync(path.join(root, 'node_modules'), path.join(root, 'elsewhere'))
  symlinkSync('elsewhere', path.join(root, 'node_modules'))
  t.match(ensure('start'), { status: 0, calls: ['tsc -p tsconfig.build.json', 'bundle'], stderr: /is a link.*node_modules\/runtime/ })
})

test('an old Node is told what it needs', async (t) => {
  const { nodeProblem } = await import(path.join(scripts, 'ensure.mjs')) as { nodeProblem (version: string, range: string): string | null }
  t.match(nodeProblem('18.19.0', '>=20.18.1'), /20\.18\.1 or newer, and this is Node 18\.19\.0/)
  t.ok(nodeProblem('20.18.0', '>=20.18.1'))
  t.ok(nodeProblem('20.9.9', '>=20.18.1'))
  for (const version of ['20.18.1', '20.19.0', '22.0.0', '100.0.0']) t.equal(nodeProblem(version, '>=20.18.1'), null)
})
