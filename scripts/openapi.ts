/**
 * Writes the contract and the pages made from it: `openapi.yaml`, `docs/reference.html`, `docs/errors.md`.
 * With `--check` it writes nothing and fails when one of them is not what the routes say.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { generateFiles } from './openapi/files.ts'

const check = process.argv.includes('--check')
let stale = 0
for (const [path, content] of await generateFiles()) {
  if (!check) {
    await mkdir('docs', { recursive: true })
    await writeFile(path, content)
  } else if (await readFile(path, 'utf8').catch(() => '') !== content) {
    console.error(`${path} is not what the routes say: run "npm run openapi" and commit it.`)
    stale++
  }
}
if (stale > 0) process.exitCode = 1
