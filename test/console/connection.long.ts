import { test } from 'tap'
import { needsBrowser } from './browser.ts'
import { call, openConsole } from './console.ts'

test('a reload in mid-stream shows what was there and goes on', needsBrowser, async (t) => {
  const { page, say, model } = await openConsole(t, { session: 'Reload', scripted: true })
  await model.script([{ stream: ['One ', 'two ', 'three.'], gate_after: 2 }])
  await say('count')
  await page.getByText('One two').waitFor()
  await page.reload()
  await page.getByText('One two').waitFor()
  await model.release()
  await page.getByText('One two three.').waitFor()
  await page.getByText('Done in').waitFor()
  t.equal(await page.getByText('One two three.').count(), 1)
})

test('the server is killed in mid-stream: the page says so, comes back by itself and shows nothing twice', needsBrowser, async (t) => {
  const { page, say, model, server } = await openConsole(t, { session: 'Killed', scripted: true, alone: true })
  await model.script([{ stream: ['Lost ', 'words'], gate_after: 1 }, { text: 'Here again.' }])
  await say('go')
  await page.getByText('Lost').waitFor()
  await server.kill('SIGKILL')
  await page.locator('.talk').getByText('connection is lost').waitFor()
  await server.restart()
  await page.getByText('Here again.').waitFor()
  await page.getByText('Done in').waitFor()
  t.equal(await page.locator('.message.user').count(), 1)
  t.equal(await page.getByText('Here again.').count(), 1)
  await page.locator('.lost').first().waitFor({ state: 'detached' })
  t.equal(await page.locator('.lost').count(), 0)
})

test('a question outlives a kill of the server and a reload of the page', needsBrowser, async (t) => {
  const { page, say, model, server, decision, allow } = await openConsole(t, { session: 'Waits', scripted: true, alone: true })
  await model.script([{ tool_calls: [call('c1', 'write_file', { path: 'a.txt', content: 'x' })] }, { text: 'written' }])
  await say('go')
  await decision.waitFor()
  await server.kill('SIGKILL')
  await server.restart()
  await page.reload()
  await decision.getByText('a.txt').first().waitFor()
  await page.waitForTimeout(450) // armed
  await allow.click()
  await page.getByText('written', { exact: true }).waitFor()
  t.equal(await page.locator('.call-line').count(), 1)
})

test('a message sent while the agent is busy waits its turn, and stop ends the run', needsBrowser, async (t) => {
  const { page, say, model } = await openConsole(t, { session: 'Busy', scripted: true })
  await model.script([{ stream: ['working ', 'on'], gate_after: 1 }, { text: 'second answer' }])
  await say('first')
  await page.getByText('working', { exact: true }).waitFor()
  await say('second')
  await page.getByText('queued').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.locator('.talk').getByText('Stopped').waitFor()
  await page.getByText('second answer').waitFor()
  t.equal(await page.getByText('queued').count(), 0)
  await page.locator('.composer textarea:focus').waitFor() // the button that had the focus is gone
})
