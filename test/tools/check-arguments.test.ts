import { Type } from '@sinclair/typebox'
import { test } from 'tap'
import { checkArguments } from '../../src/tools/check-arguments.ts'
import { toolFailureOf } from '../workspace/failure-of.ts'

const schema = Type.Object({
  path: Type.String(),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  deep: Type.Optional(Type.Boolean()),
  ratio: Type.Optional(Type.Number()),
  edits: Type.Optional(Type.Array(Type.Object({ oldText: Type.String({ minLength: 1 }), replaceAll: Type.Optional(Type.Boolean()) })))
})

test('harmless slips are mended', async (t) => {
  const mended = (args: Record<string, unknown>) => checkArguments('a_tool', schema, { path: 'p', ...args })
  t.same(mended({ limit: '12' }), { path: 'p', limit: 12 })
  t.same(mended({ deep: 'true', ratio: '1.5' }), { path: 'p', deep: true, ratio: 1.5 })
  t.same(mended({ limit: null, deep: null }), { path: 'p' })
  t.same(mended({ extra: 1, __proto__: { admin: true } }), { path: 'p' })
  t.same(mended({ edits: '[{"oldText":"a","replaceAll":"false","why":"x"}]' }), { path: 'p', edits: [{ oldText: 'a', replaceAll: false }] })
  t.same(mended(JSON.parse('{"__proto__":{"limit":1}}') as Record<string, unknown>), { path: 'p' }) // an own member of that name
})

test('what is wrong is refused with the name of its field', async (t) => {
  const wrong: ReadonlyArray<readonly [Record<string, unknown>, RegExp]> = [
    [{}, /^"path" is missing\./],
    [{ path: 1.5 }, /^"path" is not valid: expected string, not 1\.5/],
    [{ path: { a: 1 } }, /"path".*\{"a":1\}/],
    [{ path: null }, /"path"/],
    [{ path: 'p', limit: 0 }, /"limit"/],
    [{ path: 'p', limit: 'abc' }, /"limit".*"abc"/],
    [{ path: 'p', limit: 1.5 }, /"limit"/],
    [{ path: 'p', limit: '1e3' }, /"limit"/],
    [{ path: 'p', edits: [{ oldText: 'a' }, { oldText: '' }] }, /"edits\[1\]\.oldText"/],
    [{ path: 'p', edits: 'no list' }, /"edits"/],
    [{ path: 'p\ud800' }, /"path" contains half a character/],
    [{ path: 'p', edits: [{ oldText: '\udc00' }] }, /"edits\[0\]\.oldText" contains half a character/]
  ]
  for (const [args, message] of wrong) {
    const failure = await toolFailureOf(() => checkArguments('a_tool', schema, args))
    t.equal(failure?.code, 'invalid_arguments', JSON.stringify(args))
    t.match(failure?.message, message)
    t.equal(failure?.suggestion, 'a_tool takes {path: string, limit?: integer, deep?: boolean, ratio?: number, edits?: [{oldText: string, replaceAll?: boolean}]}.')
  }
})
