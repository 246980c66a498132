import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import * as limits from '../../src/limits.ts'

/** A test says which bounds it reaches before the colon of its title, or as `bound: 'name'` in its table. */
const titles = /\b(?:test|attack)\(\s*(['"`])((?:\w+, )*\w+)(?::|\1)|\bbound: (['"])(\w+)\3/g

/** What no test can reach from outside, and why. */
const beyondReach: Readonly<Record<string, string>> = {
  refilledFoldersMax: 'a command would have to refill a folder a hundred times, each time between two system calls',
  storeReadBusyTimeoutMs: 'it needs the moment in which another connection recovers a log that a crash left'
}

test('every bound is named by a test that reaches it', (t) => {
  const root = fileURLToPath(new URL('../../../test', import.meta.url))
  const named = new Set<string>()
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue
    for (const [, , names, , name] of readFileSync(join(root, file), 'utf8').matchAll(titles)) {
      for (const each of (names ?? name ?? '').split(', ')) named.add(each)
    }
  }
  t.strictSame(Object.keys(limits).filter((bound) => !named.has(bound)), Object.keys(beyondReach))
  t.end()
})
