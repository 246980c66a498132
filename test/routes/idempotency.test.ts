import { test } from 'tap'
import { canonicalJson, readKey } from '../../src/routes/idempotency.ts'

test('a key is the same quoted or bare', async (t) => {
  t.equal(readKey('"8e03978e-40d5"'), '8e03978e-40d5')
  t.equal(readKey('8e03978e-40d5'), '8e03978e-40d5')
  t.equal(readKey('"a\\"b\\\\c"'), 'a"b\\c')
})

for (const [name, key] of [['empty', ''], ['an empty string', '""'], ['unterminated', '"abc'], ['too long', 'x'.repeat(256)], ['not ASCII', 'schlüssel'], ['with parameters', '"a";b=1']] as const) {
  test(`a key that is ${name} is refused`, async (t) => {
    t.throws(() => readKey(key), { code: 'invalid_request' })
  })
}

test('a key of 255 characters is taken', async (t) => {
  t.equal(readKey('x'.repeat(255)).length, 255)
})

test('the order of members does not make another body, that of items does', async (t) => {
  t.equal(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true }), canonicalJson(JSON.parse('{"a":true,"b":[1,{"c":"x","d":null}]}')))
  t.not(canonicalJson([1, 2]), canonicalJson([2, 1]))
  t.not(canonicalJson({ a: '1' }), canonicalJson({ a: 1 }))
  t.equal(canonicalJson(undefined), 'null')
})
