import fc from 'fast-check'
import { test } from 'tap'
import { canonicalJson, planDigest, sha256 } from '../../src/tools/digest.ts'

test('the order of members does not matter, the order of lists does', async (t) => {
  t.equal(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true }), '{"a":true,"b":[1,{"c":"x","d":null}]}')
  t.equal(planDigest({ tool: 't', arguments: { a: 1, b: 2 }, effects: [] }), planDigest({ effects: [], arguments: { b: 2, a: 1 }, tool: 't' }))
  t.not(planDigest({ tool: 't', arguments: { a: [1, 2] }, effects: [] }), planDigest({ tool: 't', arguments: { a: [2, 1] }, effects: [] }))
})

test('each part counts', async (t) => {
  const base = { tool: 't', arguments: { a: 1 }, effects: [{ path: 'p' }] }
  const digests = [base, { ...base, tool: 'u' }, { ...base, arguments: { a: '1' } }, { ...base, effects: [] }].map(planDigest)
  t.equal(new Set(digests).size, 4)
  t.equal(sha256(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})

test('canonical JSON is JSON of the same value', async (t) => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    t.same(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))
  }), { numRuns: 100 })
})
