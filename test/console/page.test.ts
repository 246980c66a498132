import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { test } from 'tap'
import { consoleRoutes } from '../../src/routes/console.ts'

const built = path.resolve('dist/web')

async function start (directory: string) {
  const app = Fastify()
  await app.register(consoleRoutes, { version: '1.2.3', directory, readPage: async () => await readFile(path.join(directory, 'index.html'), 'utf8').catch(() => null) })
  return app
}

test('the page is never cached and its hashed files for ever; its policy allows nothing inline and nothing foreign', async (t) => {
  const directory = t.testdir({ 'index.html': '<!doctype html><title>built</title>', assets: { 'index-abc.js': 'let x', 'index-abc.js.gz': 'not really' }, secret: 'no' })
  const app = await start(directory)
  const page = await app.inject('/')
  t.match(page.body, /built/)
  const policy = String(page.headers['content-security-policy'])
  t.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /)
  t.notMatch(policy, /unsafe|\*|https?:|data:/)
  t.match(page.headers['referrer-policy'], 'no-referrer')
  const script = await app.inject('/assets/index-abc.js')
  t.match(script, { statusCode: 200, body: 'let x', headers: { 'cache-control': /immutable/, 'content-type': /javascript/ } })
  t.equal((await app.inject({ url: '/assets/index-abc.js', headers: { 'if-none-match': String(script.headers.etag) } })).statusCode, 304)
  t.match(await app.inject({ url: '/assets/index-abc.js', headers: { 'accept-encoding': 'gzip' } }), { body: 'not really', headers: { 'content-encoding': 'gzip', 'content-type': /javascript/, vary: 'accept-encoding' } })
  for (const url of ['/assets/../secret', '/assets/%2e%2e/secret', '/assets/..%2fsecret', '/secret', '/assets/', '/assets/none.js']) {
    const answer = await app.inject(url)
    t.ok(answer.statusCode >= 400 && !answer.body.includes('no\n'), `${url}: ${answer.statusCode}`)
  }
  await app.close()
})

test('where it has not been built there is a plain page with links', async (t) => {
  const directory = t.testdir()
  await mkdir(path.join(directory, 'x'))
  await writeFile(path.join(directory, 'x', 'y'), '')
  const app = await start(directory)
  const page = await app.inject('/')
  t.match(page.body, /href="docs"/)
  t.match(page.headers['content-security-policy'], /default-src 'none'/)
  await app.close()
})

test('what was built has no inline script or style, asks nobody else, and weighs less than 200 kB', async (t) => {
  const html = await readFile(path.join(built, 'index.html'), 'utf8')
  t.notMatch(html, /<style|<script(?![^>]* src=)|style=|\son\w+=|https?:\/\//i)
  let bytes = gzipSync(html).length
  for (const name of await readdir(path.join(built, 'assets'))) {
    const file = path.join(built, 'assets', name)
    if (!/\.(br|gz)$/.test(name)) bytes += gzipSync(await readFile(file)).length
  }
  t.ok(bytes < 200_000, `${bytes} bytes, gzip`)
})
