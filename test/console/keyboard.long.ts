import type { Page } from 'playwright-core'
import { test } from 'tap'
import { needsBrowser } from './browser.ts'
import { openConsole } from './console.ts'

interface Focus { readonly name: string, readonly seen: boolean, readonly modal: boolean }

/** What has the focus, whether that can be seen, and whether it lies in the modal dialog. */
const focus = async (page: Page): Promise<Focus> => await page.evaluate<Focus>(`(() => {
  const at = document.activeElement
  const drawn = [at, at.parentElement].some((element) => getComputedStyle(element).outlineStyle !== 'none')
  const { top, bottom, width, height } = at.getBoundingClientRect()
  return {
    name: at === document.body ? '' : [at.tagName, at.getAttribute('aria-label'), at.labels?.[0]?.textContent, at.matches('.scroller') ? '' : at.innerText].join(),
    seen: at.matches(':focus-visible') && drawn && width > 0 && height > 0 && bottom > 0 && top < innerHeight,
    modal: at.closest('dialog[open]') !== null
  }
})()`)

/** Tab until something of this name has the focus; all on the way must show that they have it. */
async function tabTo (page: Page, name: string, key = 'Tab'): Promise<void> {
  for (let i = 0; i < 60; i++) {
    const at = await focus(page)
    if (at.name.includes(name)) return
    if (at.name !== '' && !at.seen) throw new Error(`${at.name} has the focus, and nothing shows it`)
    await page.keyboard.press(key)
  }
  throw new Error(`Tab never comes to ${name}`)
}

/** Waits until something of this name has the focus. */
async function comesTo (page: Page, name: string): Promise<Focus> {
  for (let i = 0; i < 200; i++) {
    const at = await focus(page)
    if (at.name.includes(name)) return at
    await page.waitForTimeout(50)
  }
  throw new Error(`the focus does not come to ${name}: ${JSON.stringify(await focus(page))}`)
}

test('with a keyboard alone: a session, a message, decisions, files, and the session is deleted', needsBrowser, async (t) => {
  const { page } = await openConsole(t)
  const said = async (text: string): Promise<void> => { await page.getByRole('status').getByText(text).waitFor({ state: 'attached' }) }
  const has = async (name: string, why: string): Promise<void> => {
    t.ok((await comesTo(page, name)).seen, why)
  }
  await page.getByRole('button', { name: 'New session' }).waitFor()

  await tabTo(page, 'New session')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  for (let i = 0; i < 14; i++) {
    await page.keyboard.press(i % 3 === 2 ? 'Shift+Tab' : 'Tab')
    const { name, modal } = await focus(page)
    if (name !== '' && !modal) t.fail(`the focus has left the dialog, to ${name}`)
  }
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await has('New session', 'Escape closes the dialog, and the focus goes back to where it was')

  await page.keyboard.press('Enter')
  await page.keyboard.type('By keys')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'By keys' }).waitFor()
  await has('What should be done?', 'the first message can be written at once')
  await page.keyboard.type('write a.txt containing "x"')
  await page.keyboard.press('Enter')
  await said('1 waiting for you')
  await has('Deny', 'what can do no harm has the focus')
  await page.waitForTimeout(450) // armed
  await tabTo(page, 'Allow for session')
  await tabTo(page, 'Deny')
  await page.keyboard.press('Control+Enter')
  await said('The agent has answered.')
  t.equal(await page.locator('.call-line [data-status=done]').count(), 1)

  await tabTo(page, 'What should be done?')
  await page.keyboard.type('write b.txt containing "x"')
  await page.keyboard.press('Enter')
  await has('Deny', 'again')
  await said('The agent is at work.')
  await page.waitForTimeout(450)
  await page.keyboard.press('Enter')
  await page.getByText('Done in').nth(1).waitFor()
  t.equal(await page.locator('.call-line [data-status=denied]').count(), 1, 'Enter at once denies')
  await has('Conversation', 'the focus goes to where the answer comes')

  await page.locator('.head .status[data-status=idle]').waitFor() // and the files are read anew
  await tabTo(page, 'Files')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^a.txt/ }).waitFor()
  await tabTo(page, 'a.txt')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'a.txt' }).waitFor()

  await tabTo(page, 'Delete', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Delete this session?' }).waitFor()
  await has('Cancel', 'what can do no harm has the focus')
  await page.keyboard.press('Enter')
  await has('Delete', 'back to where it was')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Cancel')
  await page.keyboard.press('Tab')
  await has('Delete', 'in the dialog')
  await page.keyboard.press('Enter')
  await page.getByText('Choose a session').waitFor()
  await has('Écluse', 'the session is gone: keys go on from the head of the page')
})

test('on a phone the focus follows from the list to the session and back', needsBrowser, async (t) => {
  const { page } = await openConsole(t, { session: 'Followed', context: { viewport: { width: 360, height: 700 } } })
  const at = async (name: string): Promise<void> => { t.ok((await comesTo(page, name)).seen, name) }
  await tabTo(page, 'Back to the sessions')
  await page.keyboard.press('Enter')
  await at('H1,,,Écluse')
  await tabTo(page, 'Followed')
  await page.keyboard.press('Enter')
  await at('H1,,,Followed')
})

test('who types keeps the focus when a question comes', needsBrowser, async (t) => {
  const { page, say, decision } = await openConsole(t, { session: 'Typing' })
  const box = page.getByRole('textbox', { name: 'What should be done?' })
  await say('think hard about rivers, then write a.txt containing "x"')
  await box.pressSequentially('and after that ', { delay: 10 })
  await decision.waitFor()
  await box.pressSequentially('nerd')
  t.equal(await box.inputValue(), 'and after that nerd')
  t.equal(await decision.locator('.edit, .reason').count(), 0)
})
