import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { ToolFailure } from '../../src/errors.ts'
import { commandSession, within } from './command-session.ts'

test('30: a command that swaps a directory for a link leads no tool outside', { skip: process.arch !== 'x64' && 'the number of renameat2 is that of x64' }, async (t) => {
  const session = await commandSession(t)
  if (session === null) return
  const { workspace, directory, outside } = session
  mkdirSync(join(directory, 'd'))
  writeFileSync(join(directory, 'd/f'), 'inside')
  writeFileSync(join(outside, 'f'), 'secret')
  symlinkSync(outside, join(directory, 'link'))
  const controller = new AbortController()
  const swapping = session.run('touch begun; perl -e \'my ($a, $b) = ("d", "link"); while (1) { syscall(316, -100, $a, -100, $b, 2) }\'', { signal: controller.signal })
  t.ok(await within(10_000, () => existsSync(join(directory, 'begun'))), 'it runs')
  const file = workspace.parse('d/f')
  const seen = { inside: 0, refused: 0, escaped: 0 }
  const deadline = Date.now() + 1_000
  while (Date.now() < deadline) {
    try {
      const { bytes } = await workspace.read(file, { maxBytes: 100, follow: true })
      if (bytes.toString() === 'inside') seen.inside += 1
      else seen.escaped += 1
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error
      seen.refused += 1
    }
  }
  controller.abort()
  await swapping
  t.equal(seen.escaped, 0)
  t.ok(seen.inside > 0 && seen.refused > 0, `both were met: ${JSON.stringify(seen)}`)
})
