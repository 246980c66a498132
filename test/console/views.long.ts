import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { test } from 'tap'
import { en, type TextKey } from '../../web/src/i18n/en.ts'
import { fr } from '../../web/src/i18n/fr.ts'
import { needsBrowser, openPage } from './browser.ts'
import { call, startBothFor } from './console.ts'
import { findings, misfits } from './views.ts'

const markdown = '# Plan\n\nFirst [the page](https://example.org), then `code`:\n\n```ts\nexport const answer = 42 // a line that goes on and on, so that it does not fit into a narrow window at all\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n> and a quote'
const phone: BrowserContextOptions = { viewport: { width: 360, height: 700 }, hasTouch: true, isMobile: true }

for (const [device, context] of [['a desktop', {}], ['a phone of 360 px', phone]] as const) {
  for (const [locale, texts] of [['en-GB', en], ['fr-FR', fr]] as const) {
    test(`on ${device}, ${locale}, axe-core finds nothing on any view, light or dark; all fits and can be touched`, needsBrowser, async (t) => {
      const text = (key: TextKey): string => texts[key]
      const { server, model } = await startBothFor(t)
      await model.reset()
      const { page, faults } = await openPage(t, server.url, { ...context, locale, reducedMotion: 'reduce' })
      const button = (key: TextKey) => page.getByRole('button', { name: text(key), exact: true })
      const seen = async (view: string): Promise<void> => {
        t.strictSame(await findings(page), [], view)
        if (device !== 'a desktop') t.strictSame(await misfits(page), [], `${view}: fits`)
      }
      const side = page.getByRole('complementary')
      const pane = async (key: TextKey): Promise<void> => { await page.locator('.panes:visible, .side-tabs:visible').getByRole('button', { name: text(key) }).first().click() }
      const talk = async (): Promise<void> => { if (device !== 'a desktop') await pane('conversation') }
      const say = async (words: string): Promise<void> => {
        await page.getByRole('textbox', { name: text('placeholder') }).fill(words)
        await page.keyboard.press('Enter')
      }

      await page.getByLabel(text('enterKey')).fill('a-wrong-key')
      await button('enterGo').click()
      await page.getByText(text('enterWrong')).waitFor()
      await seen('the form for the key, refused')
      await page.getByLabel(text('enterKey')).fill(server.key)
      await button('enterGo').click()
      await button('newSession').waitFor()
      await seen('no session')

      await button('newSession').click()
      await page.getByLabel(text('model')).fill('nobody/nothing')
      await button('create').click()
      await page.locator('dialog .problem').waitFor()
      await seen('new session, refused')
      await page.getByLabel(text('model')).fill('custom/test')
      await page.getByLabel(text('title'), { exact: true }).fill('A session with a title that is rather long and does not fit')
      await button('create').click()
      await page.getByText(text('emptyTalk')).waitFor()
      await seen('a session that has just begun')

      const sessionId = /ses_[\w-]+/.exec(page.url())?.[0] ?? ''
      const workspace = path.join(server.dataDir, 'workspaces', sessionId)
      await mkdir(path.join(workspace, 'folder'))
      await writeFile(path.join(workspace, 'folder', 'a.txt'), 'one\ntwo\nthree\n')
      await model.script([
        { reasoning: 'First the plan.', text: markdown, tool_calls: [call('c1', 'write_file', { path: 'folder/a.txt', content: 'one\n2\nthree\u200B\n' }), call('c2', 'delete_file', { path: 'folder/a.txt' })] },
        { tool_calls: [call('c3', 'read_file', { path: 'missing.txt' })] },
        { text: 'Done.' },
        { raw: { status: 401, body: '{"error":{"message":"bad key"}}' } }
      ])
      await say('change it')
      const decision = page.locator('.decision')
      await decision.locator('.diff').waitFor()
      await seen('a decision on a change')
      await button('edit').click()
      await seen('its arguments, to be edited')
      await button('cancel').click()
      await button('allowSession').click()
      await seen('a rule to be remembered')
      await button('cancel').click()
      await button('denyReason').click()
      await seen('a reason')
      await page.keyboard.press('Escape')
      await page.waitForTimeout(450) // armed
      await button('allow').click()
      await decision.getByText('delete_file').first().waitFor()
      await page.waitForTimeout(450)
      await button('deny').click()
      await page.getByText('Done.', { exact: true }).waitFor()
      await page.getByText(text('reasoning'), { exact: true }).first().click()
      await seen('the conversation')

      for (const n of [0, 2]) {
        await talk()
        await page.locator('.call-line').nth(n).click()
      }
      await side.locator('.details').first().waitFor()
      await seen('the timeline, with details')
      await pane('files')
      await side.getByRole('button', { name: 'folder' }).click()
      await seen('files')
      await side.getByRole('button', { name: 'a.txt' }).click()
      await side.locator('pre').waitFor()
      await seen('a file')
      await button('changes').click()
      await side.locator('.diff, .empty').first().waitFor()
      await seen('what has changed')

      await talk()
      await say('again')
      await page.locator('.notice.problem').waitFor()
      await seen('a run that failed')
      await button('rename').click()
      await seen('a new title')
      await page.keyboard.press('Escape')
      await button('remove').click()
      await seen('to be deleted?')
      await page.keyboard.press('Escape')
      await page.evaluate("location.hash = '/ses_nobody'")
      await page.locator('.lost').first().waitFor()
      await seen('no such session')
      t.strictSame(faults, [])
    })
  }
}
