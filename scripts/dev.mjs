/** `npm run dev`: compiles and restarts the server on every change, and serves the console with hot reload before it. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { ensure, root } from './ensure.mjs'

ensure('start')
const bin = (...parts) => path.join(root, 'node_modules', ...parts)
const children = [
  spawn(process.execPath, [bin('typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }),
  spawn(process.execPath, ['--watch', '--watch-preserve-output', '--enable-source-maps', 'dist/main.js'], { cwd: root, stdio: 'inherit' }),
  spawn(process.execPath, [bin('vite', 'bin', 'vite.js'), 'web', '--clearScreen', 'false'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
]
const end = () => { for (const child of children) child.kill('SIGTERM') }
for (const child of children) child.on('exit', end)
process.on('SIGINT', end)
process.on('SIGTERM', end)
