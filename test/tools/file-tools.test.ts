import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { editBytesMax, readBytesMax, readLinesDefault, writeBytesMax } from '../../src/limits.ts'
import { sha256 } from '../../src/tools/digest.ts'
import { toolSession } from './tool-session.ts'

test('a plan of an edit says what would be there, and nothing is written', async (t) => {
  const session = await toolSession(t)
  writeFileSync(join(session.directory, 'f'), 'one\ntwo\n', { mode: 0o600 })
  const plan = await session.prepare('edit_file', { path: './f', edits: [{ oldText: 'two', newText: 'three' }] })
  t.match(plan, {
    tool: 'edit_file',
    paths: ['f'],
    command: null,
    effects: [{
      path: 'f',
      before: { type: 'file', sha256: sha256('one\ntwo\n'), mode: 0o600 },
      after: { type: 'file', sha256: sha256('one\nthree\n'), mode: 0o600 }
    }],
    preview: { summary: 'Edit f (1 edit)', diff: '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n', unusualCharacters: false }
  })
  t.equal(readFileSync(join(session.directory, 'f'), 'utf8'), 'one\ntwo\n')
  const result = await session.execute(plan)
  t.match(result, { content: 'Edited "f": 1 edit made, read back and compared.', verified: true, truncated: false, diff: plan.preview.diff })
})

test('a later call of the step is planned on what an earlier one will leave', async (t) => {
  const session = await toolSession(t)
  writeFileSync(join(session.directory, 'f'), 'one\n')
  chmodSync(join(session.directory, 'f'), 0o755)
  const first = await session.prepare('edit_file', { path: 'f', edits: [{ oldText: 'one', newText: 'two' }] })
  const second = await session.prepare('edit_file', { path: 'f', edits: [{ oldText: 'two', newText: 'three' }] }, first.contents)
  t.same(second.effects[0]?.before, first.effects[0]?.after)
  await session.execute(first)
  t.equal((await session.prepare('edit_file', { path: 'f', edits: [{ oldText: 'two', newText: 'three' }] })).digest, second.digest, 'the plan is the same once it is so')
  await session.execute(second)
  t.equal(readFileSync(join(session.directory, 'f'), 'utf8'), 'three\n')

  const made = await session.prepare('write_file', { path: 'new', content: 'a\n' })
  const edited = await session.prepare('edit_file', { path: 'new', edits: [{ oldText: 'a', newText: 'b' }] }, made.contents)
  t.same(edited.effects[0]?.before, made.effects[0]?.after)
  const gone = await session.prepare('write_file', { path: 'f', content: 'anew\n' }, new Map([['f', null]]))
  t.same(gone.effects[0]?.before, { type: 'absent' })
})

test('a plan that no longer holds is not executed', async (t) => {
  const session = await toolSession(t)
  writeFileSync(join(session.directory, 'f'), 'one\n')
  const plan = await session.prepare('write_file', { path: 'f', content: 'two\n' })
  writeFileSync(join(session.directory, 'f'), 'meanwhile\n')
  await t.rejects(session.execute(plan), { code: 'changed' })
  const create = await session.prepare('write_file', { path: 'new', content: 'two\n' })
  writeFileSync(join(session.directory, 'new'), 'meanwhile\n')
  await t.rejects(session.execute(create), { code: 'changed' })
  for (const name of ['f', 'new']) t.equal(readFileSync(join(session.directory, name), 'utf8'), 'meanwhile\n')
})

test('several edits are made in order, or none of them', async (t) => {
  const session = await toolSession(t)
  writeFileSync(join(session.directory, 'f'), 'a b\n')
  const failed = await session.call('edit_file', { path: 'f', edits: [{ oldText: 'a', newText: 'x' }, { oldText: 'missing', newText: 'y' }] })
  t.match(failed, { ok: false, code: 'no_match', text: /^edits\[1\]: / })
  t.equal(readFileSync(join(session.directory, 'f'), 'utf8'), 'a b\n')
  t.match(await session.call('edit_file', { path: 'f', edits: [{ oldText: 'a', newText: 'x' }, { oldText: 'x b', newText: 'y' }] }), { ok: true })
  t.equal(readFileSync(join(session.directory, 'f'), 'utf8'), 'y\n')
  t.match(await session.call('edit_file', { path: 'f', edits: [{ oldText: 'y', newText: 'y' }] }), { ok: false, code: 'invalid_arguments' })
})

test('what a model has seen is what it read or wrote, not what it only touched', async (t) => {
  const session = await toolSession(t)
  writeFileSync(join(session.directory, 'f'), 'one\ntwo\n')
  await session.call('read_file', { path: 'f' })
  writeFileSync(join(session.directory, 'f'), 'one\ntwo\nmine\n')
  t.match(await session.call('edit_file', { path: 'f', edits: [{ oldText: 'one', newText: '1' }] }), { ok: true })
  t.match(await session.call('write_file', { path: 'f', content: '1\n2\n' }), { ok: false, code: 'changed', text: /Read it again/ }, 'it never saw the line of others')
  await session.call('read_file', { path: 'f' })
  t.match(await session.call('write_file', { path: 'f', content: '1\n2\nmine\n' }), { ok: true })
  t.match(await session.call('write_file', { path: 'f', content: '1\n' }), { ok: true }, 'its own write is no news')
  await session.call('delete_file', { path: 'f' })
  t.equal(session.seen.get('f'), null)
  t.match(await session.call('write_file', { path: 'f', content: 'again\n' }), { ok: true })
  await session.call('move_file', { from: 'f', to: 'g' })
  t.same([session.seen.get('f'), session.seen.get('g')], [null, sha256('again\n')])
})

test('readLinesDefault, readTrailerBytes: read_file cuts on a line and says how to go on', async (t) => {
  const session = await toolSession(t)
  const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}\n`)
  writeFileSync(join(session.directory, 'f'), lines.join(''))
  const first = await session.call('read_file', { path: 'f' })
  t.equal(first.text, `${lines.slice(0, readLinesDefault).join('')}[Lines 1 to 2000 of 5000; to go on: offset=2001.]`)
  const last = await session.call('read_file', { path: 'f', offset: 4_001 })
  t.equal(last.text, lines.slice(4_000).join(''))
  writeFileSync(join(session.directory, 'wide'), `${'語'.repeat(1_000)}\n`.repeat(200))
  const wide = await session.call('read_file', { path: 'wide' })
  t.ok(Buffer.byteLength(wide.text) <= readBytesMax)
  t.match(wide.text, /語\n\[Lines 1 to 87 of 200; to go on: offset=88\.\]$/)
  writeFileSync(join(session.directory, 'long'), `${'語'.repeat(100_000)}\nnext`)
  const long = await session.call('read_file', { path: 'long' })
  t.match(long.text, /語\n\[Line 1 of 2 is cut: it has 300000 bytes, the first \d+ are shown\. The next line: offset=2\.\]$/)
  t.notMatch(long.text, /\ufffd/)
})

test('read_file reads any lines of a file that is too large to be edited', async (t) => {
  const session = await toolSession(t)
  const count = 1_200_000
  const line = (number: number): string => `${String(number).padStart(8, '0')}\n`
  writeFileSync(join(session.directory, 'f'), `${Array.from({ length: count }, (_, index) => line(index + 1)).join('')}${'語'.repeat(100_000)}\r\nlast`)
  t.ok(statSync(join(session.directory, 'f')).size > editBytesMax)
  const read = async (offset: number, limit?: number): Promise<string> => (await session.call('read_file', { path: 'f', offset, limit })).text
  t.equal(await read(count - 1, 2), `${line(count - 1)}${line(count)}[Lines ${count - 1} to ${count} of ${count + 2}; to go on: offset=${count + 1}.]`)
  t.match(await read(count - 1), new RegExp(`^${line(count - 1)}${line(count)}\\[Lines ${count - 1} to ${count} of ${count + 2}; to go on`), 'cut on a line')
  t.match(await read(count + 1), new RegExp(`^語+\\n\\[Line ${count + 1} of ${count + 2} is cut: it has 300000 bytes, the first \\d+ are shown\\. The next line: offset=${count + 2}\\.\\]$`))
  t.equal(await read(count + 2), 'last')
  t.match(await session.call('read_file', { path: 'f', offset: count + 3 }), { ok: false, text: new RegExp(`has ${count + 2} lines`) })
  t.match(await read(1), new RegExp(`\\[Lines 1 to ${readLinesDefault} of ${count + 2}; to go on: offset=${readLinesDefault + 1}\\.\\]$`))
  t.equal(session.seen.get('f'), undefined, 'a part of it is not all of it')
})

test('read_file shows the byte order mark as little as an editor does, and an edit keeps it', async (t) => {
  const session = await toolSession(t)
  writeFileSync(join(session.directory, 'f'), '\ufeffa\r\nb\r\n')
  t.equal((await session.call('read_file', { path: 'f' })).text, 'a\r\nb\r\n')
  t.match(await session.call('edit_file', { path: 'f', edits: [{ oldText: 'a', newText: 'c' }] }), { ok: true })
  t.equal(readFileSync(join(session.directory, 'f'), 'utf8'), '\ufeffc\r\nb\r\n')
})

test('a path that is missing is answered with similar names', async (t) => {
  const session = await toolSession(t)
  mkdirSync(join(session.directory, 'src'))
  writeFileSync(join(session.directory, 'src/read-file.ts'), '')
  writeFileSync(join(session.directory, 'src/other.ts'), '')
  t.match(await session.call('read_file', { path: 'src/read_file.ts' }), { ok: false, code: 'not_found', text: /Similar names: "src\/read-file\.ts"\. / })
  t.match(await session.call('edit_file', { path: 'src/Other.ts', edits: [{ oldText: 'a', newText: 'b' }] }), { code: 'not_found', text: /"src\/other\.ts"/ })
  t.match(await session.call('read_file', { path: 'lib/deep/x.ts' }), { code: 'not_found', text: /There is no "lib" either/ })
  t.match(await session.call('delete_file', { path: 'scr' }), { code: 'not_found', text: /"src"/ })
})

test('list_dir is sorted, sized and bounded, and goes as deep as it is told', async (t) => {
  const session = await toolSession(t)
  t.match(await session.call('list_dir', {}), { ok: true, text: '[The directory is empty.]' })
  mkdirSync(join(session.directory, 'b/c'), { recursive: true })
  writeFileSync(join(session.directory, 'b/c/deep'), '12345')
  writeFileSync(join(session.directory, 'a'), '')
  writeFileSync(join(session.directory, 'odd\nname'), '1')
  symlinkSync('b/c', join(session.directory, 'link'))
  t.equal((await session.call('list_dir', { path: '.' })).text, 'a\t0\nb/\nlink -> b/c\n"odd\\nname"\t1')
  t.equal((await session.call('list_dir', { depth: 3 })).text, 'a\t0\nb/\nb/c/\nb/c/deep\t5\nlink -> b/c\n"odd\\nname"\t1')
  t.equal((await session.call('list_dir', { path: 'link' })).text, 'deep\t5')
  t.match(await session.call('list_dir', { path: 'a' }), { ok: false, code: 'not_directory' })
  mkdirSync(join(session.directory, 'many'))
  for (let index = 0; index < 1_005; index++) writeFileSync(join(session.directory, `many/${index}`), '')
  const many = await session.call('list_dir', { path: 'many' })
  t.equal(many.text.split('\n').length, 1_001)
  t.match(many.text, /There are more entries/)
  t.match(await session.call('list_dir', { depth: 2 }), { result: { truncated: true } })
})

test('the workspace itself is neither moved nor deleted nor written', async (t) => {
  const session = await toolSession(t)
  for (const path of ['.', './', '/workspace']) {
    t.equal((await session.call('delete_file', { path, recursive: true })).ok, false, path)
    t.equal((await session.call('move_file', { from: path, to: 'x' })).ok, false)
    t.equal((await session.call('move_file', { from: 'x', to: path })).ok, false)
    t.match(await session.call('write_file', { path, content: '' }), { code: 'is_directory' })
  }
  t.ok(existsSync(session.directory))
})

test('a directory moves with all in it, and makes the parents of its new place', async (t) => {
  const session = await toolSession(t)
  mkdirSync(join(session.directory, 'd'), { mode: 0o750 })
  writeFileSync(join(session.directory, 'd/f'), 'x')
  const { ino } = statSync(join(session.directory, 'd'))
  t.match(await session.call('move_file', { from: 'd', to: 'a/b/e' }), { ok: true, text: 'Moved "d" to "a/b/e".', result: { verified: true } })
  t.match(statSync(join(session.directory, 'a/b/e')), { ino, mode: 0o40750 })
})

test('a file with a slash at its end is no file, and a write is bounded', async (t) => {
  const session = await toolSession(t)
  writeFileSync(join(session.directory, 'f'), 'x')
  t.match(await session.call('read_file', { path: 'f/' }), { ok: false, code: 'not_directory', text: /"f" is no directory/ })
  t.match(await session.call('write_file', { path: 'new/', content: '' }), { ok: false, code: 'is_directory' })
  t.match(await session.call('write_file', { path: 'g', content: 'x'.repeat(writeBytesMax + 1) }), { ok: false, code: 'too_large' })
})

test('a link inside is told of, and policy sees both names', async (t) => {
  const session = await toolSession(t)
  mkdirSync(join(session.directory, 'real'))
  writeFileSync(join(session.directory, 'real/f'), 'x\n')
  symlinkSync('real/f', join(session.directory, 'f'))
  const plan = await session.prepare('write_file', { path: 'f', content: 'y\n' })
  t.same(plan.paths, ['real/f', 'f'])
  t.same(plan.effects.map(({ path }) => path), ['real/f'])
  t.same(plan.preview.notes, ['"f" leads to "real/f".'])
  const move = await session.prepare('move_file', { from: 'f', to: 'g' })
  t.equal(move.effects[0]?.before.type, 'symlink', 'a move means the link itself')
})

test('hidden characters of new content show in its preview', async (t) => {
  const session = await toolSession(t)
  const plan = await session.prepare('write_file', { path: 'x\u202e.sh', content: 'ls \u202e\n' })
  t.equal(plan.preview.unusualCharacters, true)
  t.notMatch(JSON.stringify(plan.preview), /\u202e/)
  t.equal(Buffer.from(plan.contents.get('x\u202e.sh') ?? []).toString(), 'ls \u202e\n', 'and are written as they are')
})

test('an aborted call does not begin', async (t) => {
  const session = await toolSession(t)
  const context = { ...session.context(), signal: AbortSignal.abort() }
  await t.rejects(session.tool('write_file').prepare({ path: 'f', content: '' }, context), { name: 'AbortError' })
  const plan = await session.prepare('write_file', { path: 'f', content: '' })
  await t.rejects(session.tool('write_file').execute(plan, context), { name: 'AbortError' })
  t.notOk(existsSync(join(session.directory, 'f')))
})
