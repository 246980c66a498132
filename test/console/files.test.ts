import { Buffer } from 'node:buffer'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'tap'
import { needsBrowser } from './browser.ts'
import type { Page } from 'playwright-core'
import type { Session } from '../../src/protocol/resources.ts'
import { openConsole } from './console.ts'

const small = { env: { MAX_WORKSPACE_BYTES: String(4 * 1024 ** 2) } }

test('the workspace: its tree, a file as text whatever it is, up and down, and what changed', needsBrowser, async (t) => {
  const { page, server, sessionId, faults, foreign } = await openConsole(t, { session: 'Files', ...small })
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

const odd = 'a b#c%20 d+é 🌊.txt'

/** Lets go of files over the panel, as a file manager does. */
async function drop (page: Page, files: Record<string, string>): Promise<void> {
  const data = await page.evaluateHandle(`(() => {
    const data = new DataTransfer()
    for (const [name, content] of Object.entries(${JSON.stringify(files)})) data.items.add(new File([content], name))
    return data
  })()`)
  const panel = page.locator('.drop')
  await panel.dispatchEvent('dragover', { dataTransfer: data })
  await page.getByText('Files can be dropped here.').waitFor()
  await panel.dispatchEvent('drop', { dataTransfer: data })
}

async function openFiles (page: Page): Promise<ReturnType<Page['getByRole']>> {
  const side = page.getByRole('complementary')
  await side.getByRole('button', { name: 'Files', exact: true }).click()
  return side
}

test('files of any name come by drop and go down as they came; open folders stay open', needsBrowser, async (t) => {
  const { page, server, sessionId } = await openConsole(t, { session: 'Names', ...small })
  const workspace = path.join(server.dataDir, 'workspaces', sessionId)
  await mkdir(path.join(workspace, 'deep #1'))
  await writeFile(path.join(workspace, 'deep #1', odd), 'below')
  const side = await openFiles(page)
  await side.getByRole('button', { name: 'deep #1' }).click()
  await side.getByRole('button', { name: odd }).waitFor()
  await drop(page, { [odd]: 'dropped', 'second?.txt': 'two' })
  await page.getByText(`Uploaded ${odd}`).waitFor()
  await page.getByText('Uploaded second?.txt').waitFor()
  await side.getByRole('button', { name: 'second?.txt' }).waitFor()
  t.strictSame((await readdir(workspace)).sort(), [odd, 'deep #1', 'second?.txt'].sort())
  t.equal(await readFile(path.join(workspace, odd), 'utf8'), 'dropped')
  t.equal(await side.getByRole('button', { name: odd }).count(), 2, 'the folder is still open')
  await side.getByRole('button', { name: odd }).first().click()
  await side.getByText('below').waitFor()
  const [down] = await Promise.all([page.waitForEvent('download'), side.getByRole('button', { name: 'Download', exact: true }).click()])
  t.equal(await readFile(await down.path(), 'utf8'), 'below')

  // One that misses the panel would be opened instead of the page.
  const stopped = await page.evaluate<boolean>(`(() => {
    const data = new DataTransfer()
    data.items.add(new File(['x'], 'x.txt'))
    return !document.querySelector('.talk').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
  })()`)
  t.ok(stopped)
})

test('of a big file the beginning is shown and only that is fetched, a binary one is not shown; both come down whole', needsBrowser, async (t) => {
  const { page, context, server, sessionId } = await openConsole(t, { session: 'Sizes', ...small })
  const workspace = path.join(server.dataDir, 'workspaces', sessionId)
  const big = 'é line\n'.repeat(5_000_000)
  await writeFile(path.join(workspace, 'big.txt'), big)
  const binary = Buffer.from(Array.from({ length: 3_000 }, (_, n) => n % 256))
  await writeFile(path.join(workspace, 'photo.jpg'), binary)
  const side = await openFiles(page)
  let received = 0
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  network.on('Network.dataReceived', ({ dataLength }) => { received += dataLength })
  await side.getByRole('button', { name: 'big.txt' }).click()
  await side.getByText('Only the beginning is shown').waitFor()
  await side.locator('.file').getByText('38.1 MiB').waitFor()
  t.ok((await side.locator('.file pre').textContent() ?? '').length < 250_000)
  t.ok(received < 20 * 1024 ** 2, `${received} bytes`)
  const [down] = await Promise.all([page.waitForEvent('download'), side.getByRole('button', { name: 'Download', exact: true }).click()])
  t.equal((await stat(await down.path())).size, Buffer.byteLength(big))
  await side.getByRole('button', { name: '← Files' }).click()
  await side.getByRole('button', { name: 'photo.jpg' }).click()
  await side.getByText('This is no text').waitFor()
  const [photo] = await Promise.all([page.waitForEvent('download'), side.getByRole('button', { name: 'Download', exact: true }).click()])
  t.strictSame(await readFile(await photo.path()), binary)
})

test('an archive takes the place of the workspace when that is confirmed; a refusal is told in words', needsBrowser, async (t) => {
  const { page, server, sessionId, decision, allow, say } = await openConsole(t, { session: 'Archive', ...small })
  const { json: source } = await server.post<Session>('/sessions', {})
  await server.request('PUT', `/sessions/${source.id}/files/from/archive.txt`, { body: 'packed', headers: { 'content-type': 'application/octet-stream' } })
  const packed = Buffer.from(await (await fetch(`${server.url}/sessions/${source.id}/archive`, { headers: { authorization: `Bearer ${server.key}` } })).arrayBuffer())
  const workspace = path.join(server.dataDir, 'workspaces', sessionId)
  await writeFile(path.join(workspace, 'old.txt'), 'old')
  const side = await openFiles(page)
  await side.getByRole('button', { name: 'old.txt' }).waitFor()
  const dialog = page.getByRole('dialog', { name: 'Put archive' })
  const choose = async (buffer: Buffer): Promise<void> => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), side.getByRole('button', { name: 'Put archive' }).click()])
    await chooser.setFiles({ name: 'work.tar.gz', mimeType: 'application/gzip', buffer })
    await dialog.getByText('is replaced by what is in work.tar.gz').waitFor()
  }
  await choose(packed)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  t.strictSame(await readdir(workspace), ['old.txt'])
  await choose(Buffer.from('no archive at all'))
  await dialog.getByRole('button', { name: 'Replace' }).click()
  await page.getByText(/The server refuses: .*archive/).waitFor()
  t.strictSame(await readdir(workspace), ['old.txt'])

  // While a run waits for a decision the workspace is its own.
  await say('write new.txt containing "x"')
  await decision.waitFor()
  await choose(packed)
  await dialog.getByRole('button', { name: 'Replace' }).click()
  await page.getByText(/The server refuses: .*run/).waitFor()
  await page.waitForTimeout(450) // armed
  await allow.click()
  await page.getByText('Done in').waitFor()
  await choose(packed)
  await dialog.getByRole('button', { name: 'Replace' }).click()
  await page.getByText('The workspace is work.tar.gz now.').waitFor()
  t.strictSame(await readdir(workspace), ['from'])
  await side.getByRole('button', { name: 'from' }).click()
  await side.getByRole('button', { name: 'archive.txt' }).waitFor()

  // More than the workspace may hold.
  await drop(page, { 'huge.bin': 'x'.repeat(5 * 1024 ** 2) })
  await page.getByText(/The server refuses: .*(full|bytes)/).waitFor()
  t.strictSame(await readdir(workspace), ['from'])
})

test('who looks into the files keeps his place: while runs come and go, and on the way back from a file', needsBrowser, async (t) => {
  const { page, server, sessionId } = await openConsole(t, { session: 'Place', ...small })
  const workspace = path.join(server.dataDir, 'workspaces', sessionId)
  await mkdir(path.join(workspace, 'folder'))
  for (let n = 10; n < 70; n++) await writeFile(path.join(workspace, 'folder', `file-${n}.txt`), 'a line\n'.repeat(300))
  const side = await openFiles(page)
  await side.getByRole('button', { name: 'folder' }).click()
  const file = side.getByRole('button', { name: 'file-40.txt' })
  await file.waitFor()
  const focused = async (): Promise<string> => await page.evaluate('document.activeElement.textContent.trim().slice(0, 20)')
  const scroller = "document.querySelector('.side .scroller:not([hidden])')"
  const place = async (): Promise<number> => await page.evaluate(`Math.round(${scroller}.scrollTop)`)
  await page.evaluate(`${scroller}.scrollTop = 900`)
  await file.focus()
  const before = await place()

  await page.keyboard.press('Enter')
  await side.getByText('a line').waitFor()
  t.match(await focused(), /^folder\/file-40\.txt/)
  await page.evaluate(`${scroller}.scrollTop = 700; globalThis.shown = document.querySelector('.file pre')`)
  await writeFile(path.join(workspace, 'folder', 'file-40.txt'), 'another line\n'.repeat(300))
  await server.post(`/sessions/${sessionId}/messages`, { content: 'hello' }) // files may have changed when it has ended
  await side.getByText('another line').waitFor()
  t.ok(await page.evaluate('shown.isConnected'), 'the file is told anew in its place')
  t.equal(await place(), 700)
  t.match(await focused(), /^folder\/file-40\.txt/)

  await side.getByRole('button', { name: '← Files' }).focus()
  await page.keyboard.press('Enter')
  await file.waitFor()
  await side.locator('button:focus').getByText('file-40.txt').waitFor()
  t.equal(await place(), before)

  await side.getByRole('button', { name: 'Changes' }).click()
  await side.getByText('Nothing has changed').or(side.locator('.diff')).first().waitFor()
  await server.request('PUT', `/sessions/${sessionId}/files/came.txt`, { body: 'came just now', headers: { 'content-type': 'application/octet-stream' } })
  await side.locator('.diff').getByText('came just now').waitFor() // who looks at the changes sees the new ones
})
