import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { test } from 'tap'
import { needsBrowser } from './browser.ts'
import { openConsole } from './console.ts'

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds on the page as it is, of any weight. */
async function findings (page: Page, rules: readonly string[]): Promise<string[]> {
  await page.evaluate(axeSource)
  const runOnly = rules.length === 0 ? '' : `, runOnly: ${JSON.stringify(rules)}`
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, { resultTypes: ["violations"]${runOnly} })`)
  return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

// What the two schemes do not share is their colours.
for (const [colorScheme, rules] of [['light', []], ['dark', ['color-contrast']]] as const) {
  test(`axe-core finds nothing on any view, ${colorScheme}`, needsBrowser, async (t) => {
    const { page, say, decision, allow } = await openConsole(t, { context: { colorScheme }, alone: true })
    const clean = async (view: string): Promise<void> => { t.strictSame(await findings(page, rules), [], view) }
    await page.getByText('No session yet').waitFor()
    await clean('no session')
    await page.getByRole('button', { name: 'New session' }).click()
    await clean('new session')
    await page.getByRole('button', { name: 'Create' }).click()
    await say('think about rivers, then write a.md containing "# River", then read a.md')
    await decision.waitFor()
    await clean('decision')
    await decision.getByRole('button', { name: 'Edit' }).click()
    await clean('edited arguments')
    await page.keyboard.press('Escape')
    await allow.click()
    await page.getByText('Done in').waitFor()
    await page.locator('.call-line').first().click()
    await clean('conversation and timeline')
    await page.getByRole('complementary').getByRole('button', { name: 'Files' }).click()
    await page.waitForTimeout(200)
    await clean('files')
    await page.getByRole('button', { name: 'Delete' }).click()
    await clean('delete')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Forget the key' }).click()
    await page.getByLabel('API key').waitFor()
    await clean('key')
  })
}

test('with a keyboard alone: a session, a message, a look at the plan, the decision', needsBrowser, async (t) => {
  const { page } = await openConsole(t)
  await page.getByRole('button', { name: 'New session' }).waitFor()
  const tabTo = async (name: string): Promise<void> => {
    for (let i = 0; i < 60; i++) {
      const label = await page.evaluate<string>("document.activeElement === document.body ? '' : [document.activeElement.getAttribute('aria-label'), document.activeElement.innerText].join()")
      if (label.includes(name)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab never comes to ${name}`)
  }
  await tabTo('New session')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('By keys')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'By keys' }).waitFor()
  await tabTo('What should be done?')
  await page.keyboard.type('write a.txt containing "x"')
  await page.keyboard.press('Enter')
  const deny = page.getByRole('button', { name: 'Deny', exact: true })
  await deny.waitFor()
  t.equal(await page.evaluate('document.activeElement.innerText'), 'Deny', 'it has the focus')
  await page.waitForTimeout(450) // armed
  await page.keyboard.press('Control+Enter')
  await page.getByText('Done in').waitFor()
  t.equal(await page.locator('.call-line [data-status=done]').count(), 1)

  await tabTo('What should be done?')
  await page.keyboard.type('write b.txt containing "x"')
  await page.keyboard.press('Enter')
  await deny.waitFor()
  await page.waitForTimeout(450)
  await page.keyboard.press('Enter')
  await page.getByText('Done in').nth(1).waitFor()
  t.equal(await page.locator('.call-line [data-status=denied]').count(), 1, 'Enter at once denies')
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

test('on a phone of 360 px nothing sticks out, and everything is reached', needsBrowser, async (t) => {
  const { page, say, allow } = await openConsole(t, { context: { viewport: { width: 360, height: 700 }, hasTouch: true, isMobile: true } })
  const fits = async (view: string): Promise<void> => {
    const [width, inner] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]')
    t.ok(width <= inner && inner <= 360, `${view}: ${width} of ${inner}`)
  }
  await fits('sessions')
  await page.getByRole('button', { name: 'New session' }).tap()
  await fits('new session')
  await page.getByRole('button', { name: 'Create' }).tap()
  await say(`write a-file-with-a-rather-long-name-that-goes-on.txt containing "${'word '.repeat(60)}"`)
  await allow.waitFor()
  await fits('decision')
  t.ok(await allow.isVisible())
  await page.waitForTimeout(450) // armed
  await allow.tap()
  await page.getByText('Done in').waitFor()
  await fits('conversation')
  await page.getByRole('button', { name: 'Timeline', exact: true }).tap()
  await page.getByRole('complementary').getByText('write_file').waitFor()
  await fits('timeline')
  await page.getByRole('button', { name: 'Back to the sessions' }).tap()
  await page.getByRole('button', { name: 'New session' }).waitFor()
})
