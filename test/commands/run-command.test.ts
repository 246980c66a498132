import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { loadCases } from '../tools/file-cases.ts'
import { cleanOutput } from '../../src/tools/clean-output.ts'
import { commandTextBytesMax, stderrShown, stdoutShown } from '../../src/limits.ts'
import { processesWith, within } from './command-session.ts'
import { commandToolSession, sandboxToolSession } from './command-tool-session.ts'

interface CommandCase {
  readonly id: string
  readonly title: string
  readonly input: {
    readonly stdout?: string
    readonly model?: ReadonlyArray<{ readonly tool_calls?: ReadonlyArray<{ readonly arguments: { readonly command: string } }> }>
  }
  readonly expect: { readonly text?: string }
}

const cases = new Map(loadCases<CommandCase>('e-commands.jsonl').map((one) => [one.id, one]))

function caseOf (id: string): CommandCase {
  const found = cases.get(id)
  if (found === undefined) throw new Error(`no case ${id}`)
  return found
}

function commandOf (id: string): string {
  const command = caseOf(id).input.model?.[0]?.tool_calls?.[0]?.arguments.command
  if (command === undefined) throw new Error(`no command in ${id}`)
  return command
}

test(`e-10 ${caseOf('e-10').title}`, async (t) => {
  const session = await sandboxToolSession(t)
  if (session === null) return
  const before = process.memoryUsage().rss
  const outcome = await session.call('run_command', { command: commandOf('e-10') })
  const growth = process.memoryUsage().rss - before
  t.equal(outcome.ok, true, outcome.text)
  t.ok(Buffer.byteLength(outcome.text) < 60_000)
  t.match(outcome.text, /^\[exit code 0 after \d+ ms\]\n\[stdout\]\n0123456789\n/)
  t.match(outcome.text, /0123456789\n012345END$/)
  const missing = Number(/\[… (\d+) bytes left out …\]/.exec(outcome.text)?.[1])
  const shown = Buffer.byteLength(outcome.text.replace(/^.*\n.*\n/, '').replace(/\[….*…\]\n/, ''))
  t.ok(Math.abs(50_000_004 - missing - shown) < 4, `${missing} of 50000004 left out, ${shown} shown`)
  t.equal(outcome.ok && outcome.result.truncated, true)
  t.ok(growth < 64 * 1024 * 1024, `${growth} bytes`)
  t.ok(outcome.watched.length < 1024 * 1024, 'those who watch are not flooded')
  t.match(outcome.watched, /characters not shown/)
})

test(`e-11 ${caseOf('e-11').title}`, async (t) => {
  const session = await sandboxToolSession(t)
  if (session === null) return
  const startedAt = Date.now()
  const outcome = await session.call('run_command', { command: commandOf('e-11') })
  t.match(outcome.text, /^\[exit code 0 after \d+ ms\]\n\[stdout\]\nstarted$/)
  t.equal(outcome.watched, 'started\n')
  t.ok(Date.now() - startedAt < 5_000)
})

test(`e-12 ${caseOf('e-12').title}`, async (t) => {
  const session = await sandboxToolSession(t)
  if (session === null) return
  t.match((await session.call('run_command', { command: commandOf('e-12') })).text, /\[stdout\]\ngot:$/)
})

for (const ending of ['cancel', 'timeout']) {
  test(`e-13 ${caseOf('e-13').title} (${ending})`, async (t) => {
    const mark = `ecluse-test-${process.pid}-${ending}`
    const session = await sandboxToolSession(t, { environment: { MARK: mark } })
    if (session === null) return
    const controller = new AbortController()
    const running = session.call('run_command', { command: commandOf('e-13'), ...(ending === 'timeout' ? { timeoutMs: 1_500 } : {}) }, controller.signal)
    t.ok(await within(10_000, () => processesWith(mark).length > 0), 'it runs')
    if (ending === 'cancel') controller.abort()
    const outcome = await running
    t.equal(outcome.ok ? 'ok' : outcome.code, ending === 'cancel' ? 'cancelled' : 'timeout')
    t.ok(await within(1_000, () => processesWith(mark).length === 0), 'nothing is left that could write')
    t.notOk(existsSync(join(session.directory, 'late.txt')))
  })
}

test(`e-14 ${caseOf('e-14').title}`, (t) => {
  const { input, expect } = caseOf('e-14')
  t.equal(cleanOutput(input.stdout ?? ''), expect.text)
  t.end()
})

test('cleaning leaves text as it is and takes everything else', (t) => {
  const cleaned: Array<[raw: string, text: string]> = [
    ['a\tb\n\nc  d\n', 'a\tb\n\nc  d\n'],
    ['\x1b]0;title\x07x\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\', 'xlink'],
    ['\x1b[38;2;1;2;3mred\x1b[m\x1b(B\x1b7\x1b[?25l', 'red'],
    ['\x1bPq#0;1\x1b\\after', 'after'],
    ['a\r\nb\r\r\nc', 'a\nb\nc'],
    ['10%\r20%\r', '20%'],
    ['b\x08bo\x08old', 'bold'],
    ['\x07\x00\x0b\x7f\x9bmx', 'x'],
    ['€ \u202e 𝄞', '€ \u202e 𝄞'],
    ['cut \x1b[3', 'cut 3']
  ]
  for (const [raw, text] of cleaned) t.equal(cleanOutput(raw), text, JSON.stringify(raw))
  t.end()
})

test(`e-19 ${caseOf('e-19').title}`, async (t) => {
  process.env['ECLUSE_TEST_SECRET'] = 'sk-test-SECRET123'
  t.teardown(() => { delete process.env['ECLUSE_TEST_SECRET'] })
  const session = await sandboxToolSession(t)
  if (session === null) return
  const { text } = await session.call('run_command', { command: commandOf('e-19') })
  t.notMatch(text, /SECRET/)
  for (const name of ['PATH', 'HOME', 'LANG']) t.match(text, new RegExp(`^${name}=.`, 'm'))
})

test('a command that fails is a result, with both streams and the exit code', async (t) => {
  const session = await sandboxToolSession(t)
  if (session === null) return
  const { ok, text } = await session.call('run_command', { command: 'echo out; echo err >&2; exit 3' })
  t.equal(ok, true)
  t.match(text, /^\[exit code 3 after \d+ ms\]\n\[stdout\]\nout\n\[stderr\]\nerr$/)
  t.match((await session.call('run_command', { command: 'true' })).text, /^\[exit code 0 after \d+ ms\]\n\[no output\]$/)
  t.match((await session.call('run_command', { command: 'kill -SEGV $$' })).text, /^\[exit code 139 \(SIGSEGV\) after/)
})

test('failedOutputShown: a command that was stopped at a bound is an error with its output so far', async (t) => {
  const session = await sandboxToolSession(t, { limits: { outputBytes: 100_000 } })
  if (session === null) return
  const slow = await session.call('run_command', { command: 'echo begun; sleep 20', timeoutMs: 300 })
  t.equal(slow.ok ? 'ok' : slow.code, 'timeout')
  t.match(slow.text, /stopped after \d+ ms\. Its output so far:\nbegun/)
  const loud = await session.call('run_command', { command: 'yes' })
  t.equal(loud.ok ? 'ok' : loud.code, 'limit_exceeded')
  t.ok(loud.text.length < 10_000)
})

test('stdoutShown, stderrShown, binaryShare: output is bounded for each stream, and binary output is named, not shown', async (t) => {
  const session = await sandboxToolSession(t)
  if (session === null) return
  const { text } = await session.call('run_command', { command: 'for i in $(seq 20000); do echo "line $i é"; done; for i in $(seq 20000); do echo "error $i" >&2; done' })
  t.ok(text.length < stdoutShown + stderrShown + 500)
  t.match(text, /\[stdout\]\nline 1 é\n[^]*line 20000 é\n\[stderr\]\nerror 1\n[^]*error 20000$/)
  t.notMatch(text, /\ufffd/)
  t.match((await session.call('run_command', { command: 'head -c 200000 /dev/urandom' })).text, /\[stdout\]\n\[200000 bytes that are no text\]$/)
  t.match((await session.call('run_command', { command: 'printf "some/path/name.txt\\0another/path.txt\\0"' })).text, /name\.txtanother/)
})

test('outputFeedMs: those who watch see output as it appears', async (t) => {
  const session = await sandboxToolSession(t)
  if (session === null) return
  const pieces: string[] = []
  const tool = session.tools.find(({ name }) => name === 'run_command')
  const plan = await tool?.prepare({ command: 'printf "a\\xe2"; sleep 0.4; printf "\\x82\\xac one\\n\\033[3"; sleep 0.4; printf "2mtwo\\n"' }, session.context())
  if (tool === undefined || plan === undefined) throw new Error('there is no run_command')
  await tool.execute(plan, session.context(undefined, (text) => { pieces.push(text) }))
  t.equal(pieces.length, 3, JSON.stringify(pieces))
  t.notOk(pieces.some((piece) => piece.includes('\ufffd') || piece.includes('\x1b')))
  t.equal(pieces.join(''), 'a€ one\ntwo\n')
})

test('what is shown before a command runs is the whole of it, with where and within what', async (t) => {
  const session = await sandboxToolSession(t)
  if (session === null) return
  mkdirSync(join(session.directory, 'src'))
  const tool = session.tools.find(({ name }) => name === 'run_command')
  const command = `ls\u200b -l\u202e${' '.repeat(300)}; rm -rf /`
  const plan = await tool?.prepare({ command, cwd: '/workspace/src/', timeoutMs: 5_000 }, session.context())
  t.equal(tool?.dangerous, true)
  t.equal(plan?.command, command)
  t.equal(plan?.preview.command, 'ls⟨U+200B⟩ -l⟨U+202E⟩⟨300 spaces⟩; rm -rf /')
  t.equal(plan?.preview.unusualCharacters, true)
  t.same(plan?.paths, ['src'])
  t.match(plan?.preview.notes.join('\n'), /Directory: \/workspace\/src\nLimits: 5000 ms, 2048 MiB of memory/)
  t.same(readdirSync(session.directory), ['src'], 'nothing has run')
})

test('61: a directory outside is refused and nothing runs', async (t) => {
  const session = await sandboxToolSession(t)
  if (session === null) return
  symlinkSync('/', join(session.directory, 'root'))
  writeFileSync(join(session.directory, 'file'), '')
  const codes: Array<[cwd: string, code: string]> = [['../..', 'outside_workspace'], ['root', 'symlink'], ['root/etc', 'symlink'], ['/etc', 'outside_workspace'], ['none', 'not_found'], ['file', 'not_directory']]
  for (const [cwd, code] of codes) {
    const outcome = await session.call('run_command', { command: 'touch /workspace/ran', cwd })
    t.equal(outcome.ok ? 'ok' : outcome.code, code, cwd)
  }
  t.notOk(existsSync(join(session.directory, 'ran')))
  mkdirSync(join(session.directory, 'a b'))
  t.match((await session.call('run_command', { command: 'pwd', cwd: 'a b' })).text, /\/workspace\/a b$/)
})

test('commandTextBytesMax: a command that cannot be one is refused', async (t) => {
  const session = await sandboxToolSession(t)
  if (session === null) return
  const codes: Array<[command: string, code: string]> = [[' ', 'invalid_arguments'], ['a\0b', 'invalid_arguments'], ['x'.repeat(commandTextBytesMax + 1), 'too_large']]
  for (const [command, code] of codes) {
    const outcome = await session.call('run_command', { command })
    t.equal(outcome.ok ? 'ok' : outcome.code, code)
  }
  const outcome = await session.call('run_command', { command: 'true', timeoutMs: 10 ** 9 })
  t.equal(outcome.ok ? 'ok' : outcome.code, 'invalid_arguments')
  t.match((await session.call('run_command', { command: `echo ${'x'.repeat(commandTextBytesMax - 13)} | wc -c` })).text, /\n32756$/, 'the longest is run')
})

test('60: without a sandbox there is no tool, a call is refused, and nothing is started', async (t) => {
  const session = await commandToolSession(t, { bwrap: '/nonexistent/bwrap' })
  t.match(session.runner.status, { available: false, reason: /not installed/, advice: /bubblewrap/ })
  t.same(session.tools.map(({ name }) => name), ['find_files', 'search_files'])
  const outcome = await session.call('run_command', { command: 'touch ran; sleep 1160' })
  t.equal(outcome.ok ? 'ok' : outcome.code, 'sandbox_unavailable')
  t.equal((await session.run('touch ran; sleep 1160')).outcome, 'sandbox_error')
  t.same(readdirSync(session.directory), [])
})

test('60: a sandbox that does not hold is no sandbox', async (t) => {
  const fake = join(t.testdir({}), 'bwrap')
  writeFileSync(fake, '#!/bin/sh\nshift 3; exec "$@"\n', { mode: 0o755 })
  const session = await commandToolSession(t, { bwrap: fake })
  t.equal(session.runner.status.available, false)
  t.equal((await session.run('touch /workspace/ran')).outcome, 'sandbox_error')
  t.equal((await session.runner.probe()).available, false)
})

test('a command that a crash interrupted is never taken for done or not begun', async (t) => {
  const session = await sandboxToolSession(t)
  if (session === null) return
  const tool = session.tools.find(({ name }) => name === 'run_command')
  t.same(await tool?.recognise({ command: 'true' }, [], session.context()), { status: 'unknown' })
})
