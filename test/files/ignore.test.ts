import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'tap'
import { IgnoreFile } from '../../src/workspace/search/gitignore.ts'

const patterns = [
  '*.log', '/build', 'build/', 'a/b', 'a/**', '**/x', 'a/**/z', 'd?g', '[a-c]at', '[!a-c]at', '\\#hash', '#comment', '\\!bang', 'trail ', 'trail\\ ', 'a*b*c', '/*', '!a', 'x/y/', '**', 'ü*', '[]]', '\\*'
]
const paths = [
  'a', 'a/b', 'a/b/c', 'a/z', 'a/q/r/z', 'build', 'src/build', 'x', 'q/x', 'x/y', 'dog', 'dg', 'cat', 'rat', '#hash', '#comment', '!bang', 'trail', 'trail ', 'axbxc', 'abc', 'ab', 'e.log', 'q/e.log', 'üb', ']', '*'
]

test('a pattern ignores what git says it ignores', (t) => {
  const repository = t.testdir({})
  const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args])
  git('init', '-q')
  for (const directory of [false, true]) {
    for (const pattern of patterns) {
      writeFileSync(path.join(repository, '.git/info/exclude'), `${pattern}\n`)
      const asked = paths.map((name) => directory ? `${name}/` : name)
      const told = checkIgnore(repository, asked)
      const rules = new IgnoreFile(`${pattern}\n`)
      for (const name of paths) {
        if (pattern === 'a/**' && name === 'a') continue // asked for `a/`, git takes it for something in `a`; a walk asks for `a`
        // Git also looks at what a path lies in; the walk never gets there.
        const parents = name.split('/').map((_, index, names) => names.slice(0, index).join('/')).filter((parent) => parent !== '')
        const found = parents.some((parent) => rules.ignores(parent, true) === true) || rules.ignores(name, directory) === true
        t.equal(found, told.has(directory ? `${name}/` : name), `${JSON.stringify(pattern)} and ${JSON.stringify(name)}${directory ? ', a directory' : ''}`)
      }
    }
  }
  t.end()
})

test('a hostile pattern costs no more than its length', (t) => {
  const rules = new IgnoreFile(`${'*a'.repeat(100)}b\n${'**/'.repeat(60)}b\n`)
  const began = performance.now()
  t.equal(rules.ignores('a'.repeat(255), false), null)
  t.equal(rules.ignores('a/'.repeat(60) + 'c', false), null)
  t.ok(performance.now() - began < 1_000)
  t.end()
})

function checkIgnore (repository: string, names: readonly string[]): Set<string> {
  try {
    return new Set(execFileSync('git', ['-C', repository, 'check-ignore', '--no-index', '-z', '--stdin'], { input: names.join('\0') }).toString().split('\0').filter((name) => name !== ''))
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 1) return new Set()
    throw error
  }
}
