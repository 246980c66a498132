import { test } from 'tap'
import { en, type TextKey } from '../../web/src/i18n/en.ts'
import { fr } from '../../web/src/i18n/fr.ts'
import { needsBrowser } from './browser.ts'
import { call, openConsole } from './console.ts'

const keys = Object.keys(en) as TextKey[] // its own keys

/** Everything that the page shows or says to a screen reader, in pieces as the texts have them. */
const collect = `(() => {
  const pieces = [document.title]
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      const parent = node.parentElement
      const ours = parent.closest('button') ?? parent.closest('pre, .plain-text, .markdown, code') ?? parent
      if ((parent.checkVisibility() || parent.matches('option')) && !ours.matches('pre, .plain-text, .markdown, code')) pieces.push(node.data)
    } else for (const name of ['aria-label', 'title', 'placeholder']) if (node.hasAttribute(name)) pieces.push(node.getAttribute(name))
  }
  return pieces.flatMap((piece) => [piece, ...piece.split(' · ')]).map((piece) => piece.trim()).filter((piece) => piece !== '')
})()`

/** A text as it stands in the page, with anything in its places. */
function pattern (text: string): RegExp {
  return new RegExp(`^${text.trim().split(/\{\w+\}/).map((part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&')).join('.+')}$`, 's')
}

// What has hardly a word beside its places would be found in the server's own sentences, which are English.
const differing = keys.filter((key) => en[key] !== fr[key] && /\p{L}{3}/u.test(en[key].replace(/\{\w+\}/g, '')))

test('for who reads French every view is French, its numbers and dates too', needsBrowser, async (t) => {
  const { page, model, server, decision, faults } = await openConsole(t, { scripted: true, alone: true, context: { locale: 'fr-FR' } })
  const seen = new Set<TextKey>()
  const look = async (view: string): Promise<void> => {
    const pieces = await page.evaluate<string[]>(collect)
    const english = differing.filter((key) => pieces.some((piece) => pattern(en[key]).test(piece) && !pattern(fr[key]).test(piece)))
    t.strictSame(english.map((key) => en[key]), [], view)
    for (const key of keys) if (pieces.some((piece) => pattern(fr[key]).test(piece))) seen.add(key)
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const write = async (text: string): Promise<void> => {
    const box = page.getByRole('textbox', { name: fr.placeholder })
    await box.fill(text)
    await box.press('Enter')
  }
  const usage = { prompt_tokens: 1_234, completion_tokens: 56, total_tokens: 1_290, cost: 0.0123 }
  await page.getByText(fr.noSessions).waitFor()
  t.equal(await page.locator('html').getAttribute('lang'), 'fr')
  await look('no session')
  await button(fr.newSession).click()
  await page.getByLabel(fr.model).waitFor()
  await look('new session')
  await button(fr.create).click()
  await page.getByText(fr.emptyTalk).waitFor()
  await page.getByText(fr.emptyTimeline).waitFor()
  await look('empty session')

  const callsOfTwo = ['a.txt', 'b.txt'].map((file) => call(file, 'write_file', { path: file, content: 'un\u200Bdeux' }))
  await model.script([
    { reasoning: 'Voyons.', stream: ['Voici ', 'le plan.\n\n```\ncode\n```'], gate_after: 1, tool_calls: callsOfTwo, usage },
    { raw: { status: 503, headers: { 'content-type': 'application/json', 'retry-after': '1' }, body: '{"error":{"message":"occupé"}}' } },
    { text: 'Fini.', usage, gate: true },
    { raw: { status: 401, headers: { 'content-type': 'application/json' }, body: '{"error":{"message":"clé"}}' } }
  ])
  await write('écris')
  await button(fr.stop).waitFor()
  await look('at work')
  await model.release()
  await decision.waitFor()
  await look('decision')
  await page.waitForTimeout(450) // armed
  await button(fr.denyReason).click()
  await look('reason')
  await button(fr.cancel).click()
  await button(fr.edit).click()
  await look('edited arguments')
  await button(fr.cancel).click()
  await button(fr.allowSession).click()
  await look('rule')
  await button(fr.allowRule).click()
  await decision.getByText('b.txt').first().waitFor()
  await page.waitForTimeout(450)
  await button(fr.deny).click()
  await page.getByText(/^L’appel au modèle a échoué/).waitFor()
  await look('retry')
  await model.release()
  const end = page.locator('.run-end')
  await end.waitFor()
  t.match(await end.textContent(), /^Fini en [\d,]+ s · 2 étapes · 2,5\sk lus, 112 écrits · 0,0246\s\$US$/)
  for (const line of await page.locator('.call-line').all()) await line.click()
  await page.getByRole('complementary').getByText(fr.verified).waitFor()
  await look('timeline')
  await write('encore')
  await page.getByText(fr.runFailed).waitFor()
  await look('failure')

  const sessionId = /ses_[\w-]+/.exec(page.url())?.[0] ?? ''
  const put = async (name: string, content: string): Promise<void> => {
    await server.request('PUT', `/sessions/${sessionId}/files/${name}`, { body: content, headers: { 'content-type': 'application/octet-stream' } })
  }
  await put('gros.txt', 'x'.repeat(1_500_000))
  await put('octets', 'un\0deux')
  await page.getByText(/^Fichiers changés par HTTP/).first().waitFor()
  await page.getByRole('combobox', { name: fr.filter }).selectOption({ label: fr.approvals })
  await look('filtered timeline')
  const side = page.getByRole('complementary')
  await side.getByRole('button', { name: fr.files }).click()
  await side.getByRole('button', { name: 'gros.txt' }).getByText(/^1,4 Mio$/).waitFor()
  await side.getByRole('button', { name: 'octets' }).getByText(/^7 o$/).waitFor()
  await look('files')
  await side.getByRole('button', { name: 'gros.txt' }).click()
  await side.getByText(fr.bigFile).waitFor()
  await look('big file')
  await side.getByRole('button', { name: fr.files }).first().click()
  await side.getByRole('button', { name: fr.changes }).click()
  await side.locator('.diff').waitFor()
  await look('changes')
  for (const [name, view] of [[fr.rename, 'rename'], [fr.remove, 'delete']] as const) {
    await button(name).click()
    await page.getByRole('dialog').waitFor()
    await look(view)
    await page.keyboard.press('Escape')
  }
  await page.getByRole('searchbox').fill('personne')
  await page.getByText(fr.noMatch).waitFor()
  await look('no match')

  await page.clock.setFixedTime(Date.now() + 40 * 24 * 60 * 60 * 1_000)
  await page.reload()
  const when = page.getByRole('navigation').locator('.session .when')
  await when.getByText(/^\d+ \p{L}+\.?$/u).waitFor()
  const day = await when.textContent() ?? ''
  const months = Array.from({ length: 12 }, (_, month) => new Intl.DateTimeFormat('fr', { month: 'short' }).format(new Date(2026, month, 15)))
  t.ok(months.some((month) => month === (/ (.+)$/.exec(day)?.[1])), 'a French month')
  await server.kill('SIGKILL')
  await page.getByText(fr.lost).first().waitFor()
  await look('connection lost')
  await server.restart()
  await button(fr.leave).click()
  await page.getByLabel(fr.enterKey).fill('une mauvaise clé')
  await button(fr.enterGo).click()
  await page.getByText(fr.enterWrong).waitFor()
  await look('wrong key')
  t.strictSame(faults, [])
  t.ok(seen.size > 100, `the walk has met ${seen.size} of ${keys.length} texts`)
})
