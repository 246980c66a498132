import { Buffer } from 'node:buffer'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'tap'
import { needsBrowser } from './browser.ts'
import { openConsole } from './console.ts'

test('the workspace: its tree, a file as text whatever it is, up and down, and what changed', needsBrowser, async (t) => {
  const { page, server, sessionId, faults, foreign } = await openConsole(t, { session: 'Files' })
  const workspace = path.join(server.dataDir, 'workspaces', sessionId)
  await mkdir(path.join(workspace, 'docs'))
  await writeFile(path.join(workspace, 'docs', 'page.html'), '<script>window.pwned = 1</script>\u202E')
  await writeFile(path.join(workspace, 'image.svg'), '<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned = 1"/>')
  const side = page.getByRole('complementary')
  await side.getByRole('button', { name: 'Files', exact: true }).click()
  await side.getByRole('button', { name: 'docs' }).click()
  await side.getByRole('button', { name: 'page.html' }).click()
  await side.getByText('<script>window.pwned = 1</script>⟨U+202E⟩').waitFor()
  const [down] = await Promise.all([page.waitForEvent('download'), side.getByRole('button', { name: 'Download', exact: true }).click()])
  t.equal(down.suggestedFilename(), 'page.html')
  t.match(await readFile(await down.path(), 'utf8'), /^<script>/)
  await side.getByRole('button', { name: '← Files' }).click()
  await side.getByRole('button', { name: 'image.svg' }).click()
  await side.getByText('<svg xmlns').waitFor()
  await side.getByRole('button', { name: '← Files' }).click()

  const up = async (content: string): Promise<void> => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), side.getByRole('button', { name: 'Upload' }).click()])
    await chooser.setFiles({ name: 'up.txt', mimeType: 'text/plain', buffer: Buffer.from(content) })
  }
  await up('first')
  await side.getByRole('button', { name: 'up.txt' }).waitFor()
  await up('second')
  await page.getByText('up.txt is there already').waitFor()
  await page.getByRole('button', { name: 'Replace' }).click()
  await page.getByText('Uploaded up.txt').nth(1).waitFor()
  t.equal(await readFile(path.join(workspace, 'up.txt'), 'utf8'), 'second')

  const [archive] = await Promise.all([page.waitForEvent('download'), side.getByRole('button', { name: 'Download all' }).click()])
  t.equal(archive.suggestedFilename(), `${sessionId}.tar.gz`)
  await side.getByRole('button', { name: 'Changes' }).click()
  await side.getByText('second').waitFor()
  t.strictSame({ faults, foreign, pwned: await page.evaluate("'pwned' in window") }, { faults: [], foreign: [], pwned: false })
})
