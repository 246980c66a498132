/** `npm run dev`: compiles and restarts on every change. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { ensure, root } from './ensure.mjs'

ensure('start')
const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const children = [
  spawn(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }),
  spawn(process.execPath, ['--watch', '--watch-preserve-output', '--enable-source-maps', 'dist/main.js'], { cwd: root, stdio: 'inherit' })
]
const end = () => { for (const child of children) child.kill('SIGTERM') }
for (const child of children) child.on('exit', end)
process.on('SIGINT', end)
process.on('SIGTERM', end)
