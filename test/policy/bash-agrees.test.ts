import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { test } from 'tap'
import { plainCommands } from '../../src/agent/policy/plain-commands.ts'

// No `<`: without the file nothing would run. Quotes come in pairs often enough, and commands often enough where a command can be.
const pieces = ['a', 'b1', 'a', ' a ', ' b1 ', '; b1 ', ' | a ', '&&a ', "'a ;'", '"b \\\\ "', '\n', '-c', ' ', ' ', ' ', '\t', '\n', ';', '&', '&&', '|', '||', '"', "'", '\\', '$', '$X', '`', '(', ')', '{', '}', '>', '#', '!', '=', '2', ' 2>/dev/null', '>&2', '[', '%', ',', 'if ', 'time ', 'é', '\r', '\u00a0']

/**
 * Tells each command that it would run, instead of running it; a second time with failing commands, for what stands
 * behind `||`. Newlines are told as another character: they would end a write, and the commands of a pipeline mix.
 */
const script = `
exec 9>&1 2>/dev/null; set -f +B
command_not_found_handle () { local word out=; for word; do out+=\${word//$'\\n'/$'\\x02'}$'\\x01'; done; printf '%s\\0' "$out" >&9; return "$status"; }
while IFS= read -r -d '' text; do
  printf 'T\\0' >&9
  for status in 0 1; do eval "$text"; done
done`

test('what is read as plain commands is what bash would run, word for word', async (t) => {
  const texts = fc.sample(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 }).map((some) => `a${some.join('')}`), 60_000)
    .filter((text) => /[;&|"'\\>\n]/.test(text) && plainCommands(text)?.every(([name]) => /^[ab]/.test(name?.text ?? '')) === true).slice(0, 500)
  t.ok(texts.length > 100, `${texts.length} texts`)
  const bash = spawnSync('/bin/bash', ['--norc', '--noprofile', '-c', script], {
    input: texts.map((text) => `${text}\0`).join(''), env: { PATH: '/nowhere', LC_ALL: 'C.UTF-8' }, cwd: t.testdir(), maxBuffer: 2 ** 26
  })
  const answers = bash.stdout.toString('utf8').split('T\0').slice(1)
  t.equal(answers.length, texts.length)
  const wrong = texts.filter((text, index) => {
    const ran = (answers[index] ?? '').split('\0').filter((line) => line !== '')
      .map((line) => line.split('\x01').slice(0, -1).map((word) => word.replaceAll('\x02', '\n')))
    const read = (plainCommands(text) ?? []).map((words) => words.map((word) => word.text))
    return distinct(ran) !== distinct(read)
  })
  t.same(wrong, [])
})

function distinct (commands: readonly string[][]): string {
  return [...new Set(commands.map((words) => JSON.stringify(words)))].sort().join()
}
