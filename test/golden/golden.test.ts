import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Value } from '@sinclair/typebox/value'
import { FormatRegistry } from '@sinclair/typebox'
import { test } from 'tap'
import { checkLog } from '../../src/agent/check-log.ts'
import { SessionEvent } from '../../src/protocol/events.ts'
import { foldGolden, type StoredLine } from './fold-golden.ts'

const folder = fileURLToPath(new URL('../../../test/fixtures/golden/', import.meta.url))
FormatRegistry.Set('date-time', (text) => !Number.isNaN(Date.parse(text)))

test('the log of every release means today what it meant then', async (t) => {
  const releases = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'))
  t.ok(releases.length > 0)
  for (const name of releases) {
    const text = await readFile(join(folder, name), 'utf8')
    const lines = text.trimEnd().split('\n').map((line) => JSON.parse(line) as StoredLine)
    for (const { event } of lines) t.ok(Value.Check(SessionEvent, event), `${name}: seq ${event.seq} ${event.type} fits its schema`)
    t.same(checkLog(lines.map(({ event }) => event)), [], `${name} is lawful`)
    t.same(foldGolden(lines), JSON.parse(await readFile(join(folder, name.replace('.jsonl', '.expected.json')), 'utf8')), name)
  }
})
