/** What is asked of every view: that everybody can use it. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds on the page as it is, of any weight; in the other scheme what has to do with colours. */
export async function findings (page: Page): Promise<string[]> {
  await page.evaluate(`window.axe === undefined && (() => { ${axeSource} })()`)
  const found: string[] = []
  for (const [colorScheme, rules] of [['light', ''], ['dark', ', runOnly: ["color-contrast"]']] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await page.evaluate<AxeResults>(`axe.run(document, { resultTypes: ["violations"]${rules} })`)
    found.push(...violations.map(({ id, impact, nodes }) => `${colorScheme}: ${impact} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`))
  }
  return found
}

const least = 24 // px, each way: WCAG 2.2, 2.5.8; links within text are excepted there too

/** What sticks out of the window, and what is too small for a finger. */
export async function misfits (page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(`(() => {
    const name = (element) => element.tagName.toLowerCase() + ' ' + (element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 40)
    const out = document.documentElement.scrollWidth > innerWidth ? ['the page is ' + document.documentElement.scrollWidth + ' px wide'] : []
    const modal = document.querySelector('dialog[open]')
    for (const element of (modal ?? document).querySelectorAll('button, input, select, textarea, summary, a')) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.matches('p a, li a, td a')) continue
      const { width, height, left, right } = element.getBoundingClientRect()
      if (width < ${least} || height < ${least}) out.push(name(element) + ': ' + Math.round(width) + ' × ' + Math.round(height))
      if ((right > innerWidth + 1 || left < -1) && element.closest('.diff, .table') === null) out.push(name(element) + ' sticks out')
    }
    return out
  })()`)
}
