import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { appendFile } from './append-file.ts'
import { fileTools } from '../../src/tools/table.ts'
import { toolSession } from './tool-session.ts'

const file = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

test('the example in the docs is a file that compiles', async (t) => {
  const source = file('test/tools/append-file.ts').replaceAll('\'../../src/tools/', '\'./').replaceAll('\'../../src/', '\'../')
  t.ok(file('docs/adding-a-tool.md').includes(`\`\`\`ts\n${source}\`\`\`\n`))
})

test('the line in the docs is the table with one more', async (t) => {
  const line = file('src/tools/table.ts').split('\n').find((text) => text.startsWith('export const fileTools'))
  t.ok(file('docs/adding-a-tool.md').includes(`${line?.replace(/\]$/, ', appendFile]')}\n`))
})

test('and it does what the docs say', async (t) => {
  const session = await toolSession(t, [...fileTools, appendFile])
  t.match(await session.call('append_file', { path: 'log', text: 'one\n' }), { ok: true, result: { verified: true } })
  t.match(await session.call('append_file', { path: 'log', text: 'two\n' }), { ok: true, plan: { preview: { diff: /^ one\n\+two$/m } } })
  t.equal((await session.call('read_file', { path: 'log' })).text, 'one\ntwo\n')
  t.match(await session.call('append_file', { path: 'log', text: '' }), { ok: false, code: 'invalid_arguments' })
  t.match(await session.call('append_file', { path: '../log', text: 'x' }), { ok: false, code: 'outside_workspace' })
})
