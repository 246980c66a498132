import { test } from 'tap'
import { discriminated, enumOfConstants, nullableAsTypes, recordAsAdditional, shapeSchema } from '../../scripts/openapi/schemas.ts'
import type { JsonObject } from '../../scripts/openapi/json.ts'

test('a union of constants becomes an enum', async (t) => {
  t.same(enumOfConstants({ description: 'x', anyOf: [{ const: 'a', type: 'string' }, { const: 'b', type: 'string' }] }), { description: 'x', type: 'string', enum: ['a', 'b'] })
  const mixed = { anyOf: [{ const: 'a', type: 'string' }, { type: 'string' }] }
  t.same(enumOfConstants(mixed), mixed)
})

test('what may be null says so in its types, and what has a name stays a reference', async (t) => {
  t.same(nullableAsTypes({ anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] }), { type: ['string', 'null'], maxLength: 3 })
  t.same(nullableAsTypes({ anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] }), { type: ['string', 'null'], enum: ['a', null] })
  const named = { anyOf: [{ $ref: '#/components/schemas/By' }, { type: 'null' }] }
  t.same(nullableAsTypes(named), named)
})

test('a record says what its values are, and what its names are if that is bounded', async (t) => {
  t.same(recordAsAdditional({ type: 'object', patternProperties: { '^(.*)$': {} } }), { type: 'object', additionalProperties: true })
  t.same(recordAsAdditional({ type: 'object', patternProperties: { '^[a-z]$': { type: 'string' } }, additionalProperties: false }),
    { type: 'object', propertyNames: { pattern: '^[a-z]$' }, additionalProperties: { type: 'string' } })
})

test('a union of named objects with a type each gets a discriminator', async (t) => {
  const components = { A: { properties: { type: { const: 'a' } } }, B: { properties: { type: { const: 'b' } } }, C: { properties: {} } }
  const refs = (...names: string[]) => names.map((name) => ({ $ref: `#/components/schemas/${name}` }))
  t.match(discriminated({ anyOf: refs('A', 'B') }, components), {
    oneOf: refs('A', 'B'), discriminator: { propertyName: 'type', mapping: { a: '#/components/schemas/A', b: '#/components/schemas/B' } }
  })
  t.same(discriminated({ anyOf: refs('A', 'C') }, components), { anyOf: refs('A', 'C') })
})

test('what has a title becomes a component, and a property that is called title does not', async (t) => {
  const components: JsonObject = {}
  const shaped = shapeSchema({ title: 'Outer', type: 'object', properties: { title: { type: 'string' }, inner: { title: 'Inner', type: 'integer' } } }, components)
  t.same(shaped, { $ref: '#/components/schemas/Outer' })
  t.same(components, {
    Inner: { type: 'integer' },
    Outer: { type: 'object', properties: { title: { type: 'string' }, inner: { $ref: '#/components/schemas/Inner' } } }
  })
})

test('one title for two schemas is an error', async (t) => {
  const components: JsonObject = {}
  shapeSchema({ title: 'A', type: 'string' }, components)
  t.doesNotThrow(() => shapeSchema({ title: 'A', type: 'string' }, components))
  t.throws(() => shapeSchema({ title: 'A', type: 'integer' }, components), /title A/)
})
